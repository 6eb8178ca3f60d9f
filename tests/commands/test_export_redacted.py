"""An export to be shown to others."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from commands.exported import NOON, chat, fill, lines, of_type
from commands.here import Here
from memoro import Memory, Turn
from memoro.app import App
from memoro.backends.sqlite.store import SqliteStore
from memoro.commands.learned.inbox import propose_profile
from memoro.commands.registry import Caller
from memoro.memory.profile.changing import Said
from memoro.memory.records import Trust

SECRET = "AKIA" + "IOSFODNN7EXAMPLE"
SAID = (
    *("91237", "91.237", "91,237", "88000", "Souza-Ávila", "SOUZA", "souza", "912345678"),
    *("912 345 678", "77155", "penicilina", "Penicilina", "PENICILINA", SECRET),
)
"""Nothing of this may be in any byte of a redacted export."""


@pytest.fixture
def filled(here: Here) -> Here:
    """A memory that has sensitive values, and repeats them everywhere."""
    # No microsecond of a clock is to look like a value.
    here.env["MEMORO_NOW"] = NOON.isoformat()
    fill(here)
    profile = ("memory", "profile", "set")
    here.ok(*profile, "salary=EUR 88000")
    here.ok(*profile, "salary=EUR 91237")
    here.ok(*profile, "wife=Rita Souza-Ávila", "phone=+351 912 345 678", "allergy=penicilina")
    here.ok("memory", "learn", "I earn 91.237 a year, it was 88000 before")
    here.ok("memory", "remember", "call", "Rita SOUZA-ÁVILA on 912345678")
    here.ok("note", "add", "Penicilina", "No\nPENICILINA for me")
    here.ok("memory", "episode", "told the doctor of penicilina")
    here.ok("memory", "remember", "key", f"it is {SECRET}", "--as-is")
    with Memory.open(here.home) as memory:
        turns = [
            Turn("user", "my wife is Rita  Souza-Ávila", NOON, speaker="Rita Souza-Ávila"),
            Turn("assistant", "and you earn 91,237", NOON + timedelta(minutes=1), ref="912345678"),
        ]
        memory.archive("Rita Souza-Ávila", turns)
    app = App({"MEMORO_HOME": str(here.home), "MEMORO_NOW": NOON.isoformat()})
    services = app.services(writes=True)
    store = services.store
    assert isinstance(store, SqliteStore)
    arguments = json.dumps({"pairs": ["wife=\nRita Souza-Ávila", "salary=91237"], "n": 91237})
    chat(store, "s_0000000007", "do I earn 91237?", arguments)
    pairs = (("salary", "77155"),)
    propose_profile(services, Said(pairs, Trust.INFERRED, NOON), Caller(run="r_1"))
    app.close()
    return here


@pytest.mark.requirement("M06", "U07")
def test_no_byte_repeats_what_is_sensitive(filled: Here, tmp_path: Path) -> None:
    whole = filled.ok("export").out.encode()
    for one in SAID[:3]:
        assert one.encode() in whole
    out = tmp_path / "shared.jsonl"
    filled.ok("export", "--redact", "--out", str(out))
    found = out.read_bytes()
    # The digest of the last line is made of digits, too.
    searched = found[: found.rindex(b'{"type": "end"')]
    for one in SAID:
        for spelled in spellings(one):
            assert spelled not in searched, one
    packed = tmp_path / "shared.jsonl.gz"
    filled.ok("export", "--redact", "--out", str(packed))
    assert gzip.decompress(packed.read_bytes()) == found
    assert filled.ok("export", "--redact").out.encode() == found


def spellings(text: str) -> Iterator[bytes]:
    yield text.encode()
    yield json.dumps(text)[1:-1].encode()
    # Within JSON that is kept as a text.
    yield json.dumps(json.dumps(text))[3:-3].encode()


@pytest.mark.requirement("M06", "U07")
def test_the_rest_is_as_it_was(filled: Here) -> None:
    whole, text = filled.ok("export").out, filled.ok("export", "--redact").out
    assert lines(text)[0] == {"memoro": 2, "redacted": True}
    assert "Ana" in text and "CI needs Go 1.24" in text and "the roof is green" in text
    for kind in ("change", "change_record", "session", "run", "message", "tool_call", "use"):
        ids = [[one.get("id") for one in of_type(each, kind)] for each in (whole, text)]
        assert ids[0] == ids[1], kind
    gone = {one["id"] for one in of_type(whole, "record")} - {
        one["id"] for one in of_type(text, "record")
    }
    left_out = [one for one in of_type(whole, "record") if one["id"] in gone]
    assert {one["kind"] for one in left_out} == {"profile", "proposal"}
    assert len(left_out) == 5


@pytest.mark.requirement("M06", "U07")
def test_it_comes_back_as_what_it_is(filled: Here, tmp_path: Path) -> None:
    out, env = tmp_path / "out.jsonl", {"MEMORO_HOME": str(tmp_path / "other")}
    filled.ok("export", "--redact", "--out", str(out))
    done = filled.json("import", str(out), env=env)
    assert done["left_out"] == []
    records = of_type(filled.ok("export", env=env).out, "record")
    assert records == of_type(out.read_text(encoding="utf-8"), "record")


@pytest.mark.requirement("M06", "U07")
def test_what_is_marked_later_was_sensitive_before(here: Here) -> None:
    here.ok("memory", "profile", "set", "goals=run the Zanzibar marathon")
    here.ok("memory", "learn", "training for the zanzibar marathon")
    here.ok("memory", "learn", "I run the Zanzibar   marathon")
    assert "Zanzibar" in here.ok("export", "--redact").out
    here.ok("memory", "profile", "set", "mark_sensitive=goals")
    text = here.ok("export", "--redact").out
    assert "run the Zanzibar" not in text and "Zanzibar   marathon" not in text
    # Half of a value is no repetition of it.
    assert "training for the zanzibar marathon" in text


@pytest.mark.requirement("M06", "U07")
def test_a_value_that_can_not_be_looked_for_is_told(here: Here) -> None:
    here.ok("memory", "profile", "set", "children=3", "married=yes")
    here.ok("memory", "learn", "yes, there are 3 servers")
    done = here.ok("export", "--redact", "--out", str(here.root / "out.jsonl"))
    assert "too short to be looked for in other texts: 2" in done.err
    text = (here.root / "out.jsonl").read_text(encoding="utf-8")
    assert "yes, there are 3 servers" in text and "children" not in text
