"""Times that somebody put into the store by hand, and clocks that jump."""

from __future__ import annotations

import apsw
import pytest

from commands.here import Here

FORMS = ("2026-02-07T05:06:07", "2026-02-07T05:06:07Z", "2026-02-07T10:36:06+05:30")
LATER = {"MEMORO_NOW": "2026-02-08T12:00:00Z", "TZ": "UTC"}


@pytest.mark.requirement("E07", "E03")
def test_times_with_and_without_a_zone_are_ordered_by_instant(here: Here) -> None:
    env = {"MEMORO_NOW": "2026-02-06T12:00:00Z", "TZ": "UTC"}
    for name in ("anchor", "bucket", "candle"):
        here.ok("memory", "learn", f"The {name} is blue", env=env)
        here.ok("memory", "episode", f"Painted the {name} blue", env=env)
    database = apsw.Connection(str(here.home / "memory.db"))
    for name, form in zip(("anchor", "bucket", "candle"), FORMS, strict=True):
        database.execute(
            "UPDATE records SET created_at = ?1, valid_from = ?1, updated_at = ?1,"
            " accessed_at = CASE WHEN accessed_at IS NOT NULL THEN ?1 END WHERE text LIKE ?2",
            (form, f"%{name}%"),
        ).fetchall()
    database.execute("DELETE FROM derived_state").fetchall()
    database.close()

    ordered = [one["summary"] for one in here.json("memory", "timeline", env=LATER)]
    assert ordered[0] == "Painted the candle blue"
    times = [one["valid_from"] for one in here.json("memory", "facts", env=LATER)]
    assert sorted(times) == ["2026-02-07T05:06:06Z", *["2026-02-07T05:06:07Z"] * 2]
    here.ok("memory", "learn", "The anchor is red", env=LATER)
    here.ok("memory", "compact", env={"MEMORO_NOW": "2027-02-08T12:00:00Z"})
    assert "candle" in here.ok("memory", "2026-02-07", env=LATER).out


@pytest.mark.requirement("E07", "F03")
@pytest.mark.parametrize("jump", ["2020-01-01T00:00:00Z", "2099-12-31T23:59:59Z"])
def test_a_clock_that_jumps_breaks_nothing(here: Here, jump: str) -> None:
    first = {"MEMORO_NOW": "2026-05-02T12:00:00Z"}
    here.ok("memory", "learn", "CI needs Go 1.22", env=first)
    for text in ("CI needs Go 1.23", "CI needs Go 1.23", "The door is blue"):
        here.ok("memory", "learn", text, env={"MEMORO_NOW": jump})
    here.ok("memory", "learn", "CI needs Go 1.24", env=first)
    known = here.json("memory", "facts", env=first) + here.json(
        "memory", "facts", "--past", env=first
    )
    assert {"CI needs Go 1.22", "CI needs Go 1.23", "CI needs Go 1.24"} <= {
        one["text"] for one in known
    } | {one["text"] for one in here.json("memory", "facts", "--archived", env=first)}
    for words in (("today",), ("week",), ("timeline",), ("map",), ("stats",)):
        here.ok("memory", *words, env={"MEMORO_NOW": jump})
