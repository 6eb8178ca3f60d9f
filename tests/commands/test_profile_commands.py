"""`memoro memory profile`, as a user types it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from commands.here import Here
from memoro.backends.sqlite.opening import StoreOptions, open_store
from memoro.memory.records import GLOBAL, PROFILE, Record
from memoro.memory.store import Change, ChangeSet, Origin

NOW = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)


def goals(here: Here) -> list[str]:
    return [one["value"] for one in here.json("memory", "profile")["goals"]]


@pytest.mark.requirement("U01", "U02", "U03", "U07", "U09")
def test_a_profile_is_set_and_shown(here: Here) -> None:
    ran = here.ok(
        "memory",
        "profile",
        "set",
        *("name=Ana", "employer=Acme", "goals=Learn Rust; Ship v2 (alpha, beta)", "income=1000"),
    )
    assert "goals: added Ship v2 (alpha, beta)" in ran.out
    shown = here.json("memory", "profile")
    assert (shown["name"]["value"], shown["company"]["value"]) == ("Ana", "Acme")
    assert shown["preferences"]["income"]["sensitive"] is True
    assert shown["company"]["sensitive"] is False
    assert goals(here) == ["Learn Rust", "Ship v2 (alpha, beta)"]

    here.ok("memory", "profile", "set", "goals_done=Learn Rust")
    assert goals(here) == ["Ship v2 (alpha, beta)"]
    here.ok("memory", "undo")
    assert goals(here) == ["Learn Rust", "Ship v2 (alpha, beta)"]
    here.ok("memory", "profile", "set", "goals_replace=")
    assert goals(here) == []


@pytest.mark.requirement("U02", "U09")
@pytest.mark.parametrize(
    "words",
    [
        ("nonsense",),
        ("name=",),
        ("goals_add=half (a bracket",),
        ("expertise_level=godlike",),
        ("name=A\0B",),
        ("name=" + "x" * 5000,),
        (),
    ],
)
def test_what_is_no_profile_is_refused(here: Here, words: tuple[str, ...]) -> None:
    if "\0" in "".join(words):
        words = tuple(word.replace("\0", "\x1b") for word in words)
    assert here("memory", "profile", "set", *words).code != 0
    assert here.json("memory", "profile")["goals"] == []
    assert here.json("memory", "log") == []


@pytest.mark.requirement("U08")
def test_an_older_profile_heals(here: Here) -> None:
    def old(key: str, text: str, field: str) -> Record:
        data = {"field": field}
        return Record(f"pr_{key}", PROFILE.name, GLOBAL, key, text, NOW, NOW, data=data)

    records = [
        old("goals:(half", "(half", "goals"),
        old("goals:learn rust", "Learn Rust", "goals"),
        old("goals:learn rust (50 %)", "Learn Rust (50 %)", "goals"),
        old("goals:remove x from my goals", "Remove X from my goals", "goals"),
        old("preferences:editor", "vim", "preferences"),
    ]
    store = open_store(StoreOptions(str(here.home)), NOW).store
    store.apply(
        lambda _: ChangeSet("import", [Change(None, one) for one in records]), Origin("t", NOW)
    )
    store.close()

    assert goals(here) == ["Learn Rust (50 %)"]
    assert here.json("memory", "profile")["environment"]["editor"]["value"] == "vim"
    ran = here.ok("memory", "profile", "set", "name=Ana")
    assert "mended what an older profile had" in ran.err
    assert [one["action"] for one in here.json("memory", "log")][:2] == [
        "profile set",
        "profile heal",
    ]
    assert goals(here) == ["Learn Rust (50 %)"]
