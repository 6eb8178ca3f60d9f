"""Mending profiles that older rules have left in disorder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Reason, Refusal
from memoro.memory.profile.healing import heal, heal_profile
from memoro.memory.profile.viewing import view
from memoro.memory.records import GLOBAL, PROFILE, Record, Trust
from memoro.memory.store import Applied, Change, ChangeSet, Origin
from memoro.memory.undo import undo

AT = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)
LATER = AT + timedelta(days=9)


def old(key: str, text: str, number: int = 0, **fields: Any) -> Record:
    """A record as an older program left it; the number is its place."""
    given: dict[str, Any] = fields.pop("data", {})
    data = {"field": key.partition(":")[0], "position": number, **given}
    at = AT + timedelta(seconds=number)
    return Record(f"old_{key}", PROFILE.name, GLOBAL, key, text, at, at, data, **fields)


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    opened = open_memory()
    yield opened
    opened.close()


def healed(store: SqliteStore, *records: Record) -> dict[str, list[str]]:
    """The texts of each field after these records were mended, in order."""
    store.apply(
        lambda _: ChangeSet("import", [Change(None, one) for one in records]), Origin("test", AT)
    )
    store.apply(heal_profile(LATER), Origin("test", LATER))
    assert heal(store.select(PROFILE.name), LATER + timedelta(days=1)) == []
    texts: dict[str, list[str]] = {}
    for one in view(store.select(PROFILE.name), LATER).entries:
        named = f"{one.name}: " if one.field in ("environment", "preferences") else ""
        texts.setdefault(one.field, []).append(named + one.text)
    return texts


HEALED: list[tuple[str, Sequence[Record], dict[str, list[str]]]] = [
    (
        "fragments leave",
        [
            *(old("skills:a", "Quiz X (Provider", 0), old("skills:b", "60 questões)", 1)),
            *(old("skills:c", "Go (5 years)", 2), old("goals:d", "Ship [v2", 0)),
        ],
        {"skills": ["Go (5 years)"]},
    ),
    (
        "of the same the last counts, in the place of the first",
        [
            *(old("goals:1", "Learn Rust (20%)", 0), old("goals:2", "Ship v2", 1)),
            *(old("goals:3", "**learn rust** - 60%", 2), old("goals:4", "LEARN RUST", 3)),
        ],
        {"goals": ["LEARN RUST", "Ship v2"]},
    ),
    (
        "what the user said counts more than what came last",
        [
            old("skills:1", "Rust (expert)", 0),
            old("skills:2", "Rust (beginner)", 1, trust=Trust.INFERRED),
        ],
        {"skills": ["Rust (expert)"]},
    ),
    (
        "finished goals move on",
        [
            *(old("goals:1", "Learn Rust ✅", 0), old("goals:2", "Get things done", 1)),
            *(old("goals:3", "Get the CKA certification (done 2025-12-24)", 2),),
            *(old("goals:4", "Concluído: curso de Go", 3), old("milestones:x", "Joined", 0)),
        ],
        {
            "goals": ["Get things done"],
            "certifications": ["CKA certification"],
            "milestones": ["Joined", "Learn Rust", "curso de Go"],
        },
    ),
    (
        "what is a milestone already is none twice",
        [
            *(old("goals:1", "Learn Rust (done)", 0), old("milestones:learn rust", "Learn Rust")),
            *(old("goals:2", "Passed the AWS certification", 1), old("certifications:c", "AWS")),
        ],
        {"milestones": ["Learn Rust"], "certifications": ["AWS"]},
    ),
    (
        "requests to edit memory leave",
        [
            *(old("goals:1", "Remove Learn Rust from my goals", 0), old("goals:2", "Learn Go", 1)),
            *(old("goals:3", "Update my profile", 2), old("goals:4", "Remove memory leaks", 3)),
            *(old("goals:5", "Apagar X das minhas metas", 4),),
        ],
        {"goals": ["Learn Go", "Remove memory leaks"]},
    ),
    (
        "preferences that tell of the machine are environment",
        [
            *(old("preferences:os", "Linux"), old("preferences:Editor", "vim")),
            *(old("preferences:mac_model", "M3"), old("preferences:hw_ram", "32 GB")),
            *(old("preferences:env_lang", "pt_BR"), old("preferences:machine_name", "box")),
            *(old("preferences:theme", "dark"), old("preferences:machine_learning", "PyTorch")),
            *(old("preferences:shell", "fish"), old("preferences:ide", "none")),
        ],
        {
            "environment": [
                *("editor: vim", "hw_ram: 32 GB", "ide: none", "lang: pt_BR", "mac_model: M3"),
                *("machine_name: box", "os: Linux", "shell: fish"),
            ],
            "preferences": ["machine_learning: PyTorch", "theme: dark"],
        },
    ),
    (
        "environment that is there stays where it is trusted more",
        [
            old("environment:os", "Linux"),
            old("preferences:os", "Windows", 9, trust=Trust.INFERRED),
            old("environment:shell", "bash", trust=Trust.INFERRED),
            old("preferences:shell", "zsh", 9),
        ],
        {"environment": ["os: Linux", "shell: zsh"]},
    ),
    (
        "names are folded",
        [old("preferences:Indent Style", "tabs", 0), old("preferences:indent_style", "spaces", 1)],
        {"preferences": ["indent_style: spaces"]},
    ),
    ("blank ones leave", [old("goals:", " "), old("name", "Ana")], {"name": ["Ana"]}),
]


@pytest.mark.requirement("U08")
@pytest.mark.parametrize(
    ("records", "texts"), [case[1:] for case in HEALED], ids=[case[0] for case in HEALED]
)
def test_healing(
    store: SqliteStore, records: Sequence[Record], texts: dict[str, list[str]]
) -> None:
    assert healed(store, *records) == texts


@pytest.mark.requirement("U08", "U03")
def test_a_finished_goal_has_its_day(store: SqliteStore) -> None:
    healed(store, old("goals:1", "A (done)"), old("goals:2", "B - done 2025-12-24", 1))
    told = [(one.date, one.text) for one in view(store.select(PROFILE.name), LATER).milestones]
    assert told == [("2025-12-24", "B"), ("2026-05-02", "A")]


@pytest.mark.requirement("U08", "U07")
def test_marks_outlive_the_mending(store: SqliteStore) -> None:
    marked = {"sensitive": True}
    healed(
        store,
        *(old("goals:1", "Pay debts", 0, data=marked), old("goals:2", "pay debts (half)", 1)),
        *(old("goals:3", "Heal (done)", 2, data=marked), old("preferences:os", "x", data=marked)),
    )
    entries = view(store.select(PROFILE.name), LATER).entries
    assert {one.text for one in entries if one.sensitive} == {"pay debts (half)", "Heal", "x"}


@pytest.mark.requirement("U08")
def test_a_profile_in_order_is_left_alone(store: SqliteStore) -> None:
    refusal = store.apply(heal_profile(LATER), Origin("test", LATER))
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.what) == (Reason.NOT_FOUND, "nothing to mend")
    kept = [
        *(old("name", "Ana (half"), old("skills:go", "Go"), old("preferences:x", ":( a (b")),
        *(old("directives:never x", "Never X"), old("something:else", "(what it is we don't know")),
        old("directives:[scope:web] never x", "Never X", 1, data={"workspace": "Web"}),
    ]
    assert heal(kept, LATER) == []


@pytest.mark.requirement("U08")
def test_nothing_is_lost_and_undo_brings_it_back(store: SqliteStore) -> None:
    records = [
        *(old("goals:1", "Quiz (Provider", 0), old("goals:2", "Learn Rust (done)", 1)),
        *(old("preferences:os", "Linux"), old("goals:3", "Ship (a)", 2), old("goals:4", "ship", 3)),
    ]
    healed(store, *records)
    applied = store.apply(undo(None, LATER), Origin("test", LATER))
    assert isinstance(applied, Applied)
    told = {(one.key, one.text, one.created_at) for one in store.select(PROFILE.name)}
    assert told == {(one.key, one.text, one.created_at) for one in records}


@pytest.mark.requirement("U08")
def test_what_is_mended_is_dated_and_what_is_not_is_not_touched() -> None:
    records = [old("goals:1", "Ship", 0), old("goals:ship", "Ship (v2)", 1), old("name", "Ana")]
    changes = heal(records, LATER)
    assert [(one.before and one.before.key, one.after and one.after.key) for one in changes] == [
        ("goals:1", None),
        ("goals:ship", "goals:ship"),
    ]
    (after,) = (one.after for one in changes if one.after)
    assert (after.text, after.updated_at, after.revision) == ("Ship (v2)", LATER, 2)
    assert (after.created_at, after.data["position"]) == (AT, 0)
