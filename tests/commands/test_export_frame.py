"""What an export tells of itself: whether it is whole, of which form it is, packed or not."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands.exported import EMPTY, fill, framed, lines, of_type, old_form, unframed
from commands.here import Here

Lines = list[str]


@pytest.fixture
def filled(here: Here) -> Here:
    return fill(here)


@pytest.fixture
def other(tmp_path: Path) -> dict[str, str]:
    return {"MEMORO_HOME": str(tmp_path / "other")}


@pytest.mark.requirement("M06")
def test_the_last_line_tells_of_all_before_it(filled: Here) -> None:
    text = filled.ok("export").out
    assert text == framed(unframed(text))
    assert lines(text)[-1]["lines"] == len(lines(text)) - 1


CUTS: dict[str, tuple[Callable[[Lines], str], str]] = {
    "at the end of a line": (lambda found: "".join(found[:9]), "cut off after line 9"),
    "before the last line": (lambda found: "".join(found[:-1]), "no closing line"),
    "in a line": (lambda found: "".join(found[:9]) + found[9][:20], "cut off in line 10"),
    "in the last line": (lambda found: "".join(found)[:-20], "cut off in line"),
    "in the middle": (lambda found: "".join([*found[:5], *found[6:]]), "lines before it, not"),
    "by other words": (lambda found: "".join(found).replace("Friday", "Monday"), "was changed"),
    "by another file": (lambda found: "".join(found) * 2, "lines before it, not"),
    "by something behind it": (lambda found: "".join([*found, found[3]]), "no closing line"),
}


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("how", CUTS)
def test_a_file_that_is_not_whole_changes_nothing(
    filled: Here, other: dict[str, str], tmp_path: Path, how: str
) -> None:
    cut, told = CUTS[how]
    out = tmp_path / "out.jsonl"
    out.write_text(cut(filled.ok("export").out.splitlines(keepends=True)), encoding="utf-8")
    for words in ((), ("--dry-run",)):
        refused = filled("import", str(out), *words, env=other)
        assert refused.code == 1
        assert told in refused.err and "--partial" in refused.err, refused.err
    assert filled.ok("export", env=other).out == EMPTY
    # Nor does it where something is remembered already.
    filled.ok("memory", "remember", "mine", "here", env=other)
    before = filled.ok("export", env=other).out
    assert filled("import", str(out), env=other).code == 1
    assert filled.ok("export", env=other).out == before


@pytest.mark.requirement("M06")
def test_what_is_there_of_a_cut_file_comes_where_that_is_asked_for(
    filled: Here, other: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    text = filled.ok("export").out
    out.write_text("".join(text.splitlines(keepends=True)[:8]), encoding="utf-8")
    done = filled.ok("import", str(out), "--partial", "--json", env=other)
    assert "not whole: it was cut off after line 8" in done.err
    assert done.json["new"] == {"record": 7}
    assert of_type(filled.ok("export", env=other).out, "record") == of_type(text, "record")[:7]


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("form", [3, 99])
def test_a_newer_form_changes_nothing(
    filled: Here, other: dict[str, str], tmp_path: Path, form: int
) -> None:
    out = tmp_path / "out.jsonl"
    text = filled.ok("export").out.replace('"memoro": 2', f'"memoro": {form}')
    out.write_text(text, encoding="utf-8")
    for words in ((), ("--partial",), ("--dry-run",)):
        refused = filled("import", str(out), *words, env=other)
        assert refused.code == 1
        assert "newer than this Memoro" in refused.err and "update Memoro" in refused.err
    assert filled.ok("export", env=other).out == EMPTY
    filled.ok("memory", "remember", "mine", "here", env=other)
    assert filled("import", str(out), env=other).code == 1
    assert filled("import", str(out), "--as-mine", env=other).code == 1
    assert len(filled.json("memory", "log", env=other)) == 1


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("form", ["0", "-1"])
def test_a_form_that_there_never_was_changes_nothing(
    here: Here, other: dict[str, str], tmp_path: Path, form: str
) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text(framed("", f'{{"memoro": {form}}}'), encoding="utf-8")
    refused = here("import", str(out), env=other)
    assert (refused.code, "form" in refused.err) == (1, True)


@pytest.mark.requirement("M06")
def test_an_export_of_the_first_form_comes_back_and_that_is_told(
    filled: Here, other: dict[str, str], tmp_path: Path
) -> None:
    text, out = filled.ok("export").out, tmp_path / "old.jsonl"
    out.write_text(old_form(text), encoding="utf-8")
    done = filled.ok("import", str(out), "--json", env=other)
    assert "form 1" in done.err and "can't be told" in done.err
    assert done.json["left_out"] == []
    assert filled.ok("export", env=other).out == text
    out.write_text(old_form(text)[:-9], encoding="utf-8")
    cut = filled("import", str(out), env={"MEMORO_HOME": str(tmp_path / "third")})
    assert (cut.code, "cut off in line" in cut.err) == (1, True)


@pytest.mark.requirement("M06")
def test_lines_without_a_first_one_come_only_where_that_is_asked_for(
    filled: Here, other: dict[str, str], tmp_path: Path
) -> None:
    text, out = filled.ok("export").out, tmp_path / "records.jsonl"
    facts = [json.dumps(one) + "\n" for one in of_type(text, "record") if one["kind"] == "fact"]
    out.write_text("".join(facts), encoding="utf-8")
    refused = filled("import", str(out), "--from", "memoro", env=other)
    assert (refused.code, "no first line" in refused.err) == (1, True)
    done = filled.json("import", str(out), "--from", "memoro", "--partial", env=other)
    assert done["new"] == {"record": len(facts)}


def with_fields(text: str, kind: str, **more: Any) -> str:
    """An export that was written by another Memoro of this form."""
    made = [{**line, **more} if line["type"] == kind else line for line in lines(unframed(text))]
    return framed("".join(json.dumps(line) + "\n" for line in made))


@pytest.mark.requirement("M06")
@pytest.mark.parametrize(
    "kind", ["record", "change", "change_record", "session", "run", "message", "tool_call", "use"]
)
def test_fields_that_are_not_known_are_told_by_type_of_line(
    filled: Here, other: dict[str, str], tmp_path: Path, kind: str
) -> None:
    text, out = filled.ok("export").out, tmp_path / "out.jsonl"
    out.write_text(with_fields(text, kind, mood="calm", colour=3), encoding="utf-8")
    count = len(of_type(text, kind))
    done = filled("import", str(out), "--json", env=other)
    assert done.json["unknown_fields"] == {kind: {"mood": count, "colour": count}}
    assert f"{kind!r}, as fields that are not known here: colour ({count}), mood" in done.err
    # Something did not come: that is no success.
    assert done.code == 1
    assert filled.ok("export", env=other).out == text
    # The same, where something is remembered already.
    third = {"MEMORO_HOME": str(tmp_path / "third")}
    filled.ok("memory", "remember", "mine", "here", env=third)
    done = filled("import", str(out), "--json", env=third)
    came = kind in ("record", "session", "run", "message", "tool_call")
    assert done.json["unknown_fields"] == ({kind: {"mood": count, "colour": count}} if came else {})


@pytest.mark.requirement("M06")
def test_a_field_of_the_first_line_that_is_not_known_is_told(
    filled: Here, other: dict[str, str], tmp_path: Path
) -> None:
    text, out = filled.ok("export").out, tmp_path / "out.jsonl"
    out.write_text(framed(unframed(text), '{"memoro": 2, "locked": true}'), encoding="utf-8")
    done = filled("import", str(out), env=other)
    assert (done.code, "not known here: locked" in done.err) == (1, True)
    assert filled.ok("export", env=other).out == text


@pytest.mark.requirement("M06")
def test_a_packed_export_is_the_same_bytes_twice_and_comes_back(
    filled: Here, other: dict[str, str], tmp_path: Path
) -> None:
    plain, first, second = (tmp_path / name for name in ("a.jsonl", "b.jsonl.gz", "c.JSONL.GZ"))
    for out in (plain, first, second):
        filled.ok("export", "--out", str(out))
    assert first.read_bytes() == second.read_bytes()
    # Neither a time nor a name stands in it.
    assert first.read_bytes()[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
    assert gzip.decompress(first.read_bytes()) == plain.read_bytes()
    done = filled.json("import", str(first), env=other)
    assert (done["kind"], done["left_out"]) == ("memoro", [])
    assert filled.ok("export", env=other).out == plain.read_text(encoding="utf-8")


@pytest.mark.requirement("M06")
@pytest.mark.parametrize("how", ["cut", "damaged", "empty"])
def test_a_packed_file_that_is_broken_changes_nothing(
    filled: Here, other: dict[str, str], tmp_path: Path, how: str
) -> None:
    out = tmp_path / "out.jsonl.gz"
    packed = gzip.compress(filled.ok("export").out.encode(), mtime=0)
    middle = len(packed) // 2
    out.write_bytes(
        {
            "cut": packed[:-20],
            "damaged": packed[:middle] + bytes(20) + packed[middle + 20 :],
            "empty": gzip.compress(b""),
        }[how]
    )
    refused = filled("import", str(out), "--from", "memoro", env=other)
    assert refused.code == 1
    assert "Traceback" not in refused.err and "nothing was changed" in refused.err
    assert filled.ok("export", env=other).out == EMPTY


@pytest.mark.requirement("M06")
def test_a_file_that_unpacks_to_a_thousand_times_its_size_takes_no_room(
    filled: Here, tmp_path: Path
) -> None:
    out = tmp_path / "bomb.jsonl.gz"
    with gzip.GzipFile(out, "wb", 9, mtime=0) as packing:
        packing.write(b'{"memoro": 2}\n')
        for _ in range(300):
            packing.write(b" " * 1_000_000)
    assert out.stat().st_size < 400_000
    # 300 MB in one line, in a process that may have 600 MB of address space for everything.
    words = ["import", str(out)]
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20));"
        f"from memoro.surfaces.cli.main import main; sys.exit(main({words!r}))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env=filled.env,
        capture_output=True,
        check=False,
        timeout=120,
    )
    told = ended.stderr.decode()
    assert ended.returncode == 1, told
    assert "more than" in told and "MemoryError" not in told
