"""What is remembered, taken elsewhere by a Python program."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from commands.exported import NOON, framed, lines, of_type
from memoro import Memory, Reason, RefusedError, Turn


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    # No microsecond of a clock is to look like a value.
    monkeypatch.setenv("MEMORO_NOW", NOON.isoformat())
    made = Memory.open(tmp_path / "home")
    made.remember("tone", "brief")
    made.learn("CI needs Go 1.24")
    made.set_profile({"salary": "EUR 91237"})
    made.archive("money", [Turn("user", "I earn 91237", NOON)])
    return made


@pytest.mark.requirement("M06", "Z03")
def test_it_comes_back_byte_for_byte_and_is_taken_back(memory: Memory, tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    done = memory.export_to(first)
    assert done["bytes"] == first.stat().st_size
    assert (done["lines"]["record"], done["lines"]["message"]) == (3, 1)
    with memory, Memory.open(tmp_path / "other") as other:
        came = other.import_from(str(first))
        assert other.facts() == memory.facts()
        other.export_to(str(second))
        assert second.read_bytes() == first.read_bytes()
        other.undo(came["change"])
        assert other.facts() == [] and other.recall("earn") == []


@pytest.mark.requirement("M06", "U07")
def test_a_part_is_chosen_packed_and_redacted(memory: Memory, tmp_path: Path) -> None:
    with memory:
        out = tmp_path / "facts.jsonl"
        memory.export_to(out, kinds=["fact", "saved_fact"])
        assert {one["kind"] for one in of_type(out.read_text(), "record")} == {"fact", "saved_fact"}
        memory.export_to(out, since="2031-01-01", replace=True)
        assert of_type(out.read_text(), "record") == []
        memory.export_to(out, project="global", replace=True)
        assert lines(out.read_text())[0]["scopes"] == ["global"]
        packed = tmp_path / "shared.jsonl.gz"
        assert memory.export_to(packed, redact=True)["redacted"]
        text, _, _ = gzip.decompress(packed.read_bytes()).rpartition(b'{"type": "end"')
        assert b"91237" not in text
        assert b"I earn [sensitive]" in text


@pytest.mark.requirement("M06")
def test_what_can_not_be_written_is_raised(memory: Memory, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with memory:
        memory.export_to(out)
        before = out.read_bytes()
        refusals: list[tuple[Path, Reason, dict[str, Any]]] = [
            (out, Reason.CONFLICT, {}),
            (tmp_path, Reason.USAGE, {"replace": True}),
            (tmp_path / "none" / "out", Reason.FAILED, {}),
            (tmp_path / "home" / "out", Reason.USAGE, {}),
            (tmp_path / "new", Reason.USAGE, {"kinds": ["rumour"]}),
            (tmp_path / "new", Reason.USAGE, {"since": "sometime"}),
            (tmp_path / "new", Reason.NOT_FOUND, {"project": "web"}),
        ]
        for path, reason, options in refusals:
            with pytest.raises(RefusedError) as raised:
                memory.export_to(path, **options)
            assert raised.value.refusal.reason is reason, path
        assert out.read_bytes() == before
        assert not (tmp_path / "new").exists()


@pytest.mark.requirement("M06", "P16")
def test_what_is_there_of_a_cut_file_and_what_was_forgotten_come_when_asked_for(
    memory: Memory, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    with memory:
        memory.export_to(out)
        memory.forget("tone")
        assert memory.import_from(out)["change"] is None
        text = out.read_text(encoding="utf-8")
        out.write_text(text[: text.rindex('{"type": "end"')], encoding="utf-8")
        with pytest.raises(RefusedError) as raised:
            memory.import_from(out, bring_back=True)
        assert "not whole" in raised.value.what
        done = memory.import_from(out, bring_back=True, partial=True, as_mine=True)
        assert (done["new"], done["left_out"]) == (1, [])
        assert [one.text for one in memory.facts()] == ["brief"]


@pytest.mark.requirement("M06")
def test_an_export_of_a_newer_memoro_is_raised(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text(framed("", json.dumps({"memoro": 9})), encoding="utf-8")
    with Memory.open(tmp_path / "home") as memory, pytest.raises(RefusedError, match="newer"):
        memory.import_from(out)
