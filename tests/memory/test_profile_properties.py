"""What holds for everything that can be said of a profile."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memoro.backends.sqlite.opening import open_memory
from memoro.errors import Refusal
from memoro.memory.profile.changing import Planned, planned
from memoro.memory.profile.fields import FIELDS, Target, target
from memoro.memory.profile.healing import heal
from memoro.memory.profile.prompting import prompt_text
from memoro.memory.profile.saying import Said
from memoro.memory.profile.splitting import groups, is_fragment, quoted, split
from memoro.memory.profile.viewing import view
from memoro.memory.profile.wording import read, stem
from memoro.memory.records import GLOBAL, PROFILE, Record, Trust
from memoro.memory.store import Change, ChangeSet, LoggedChange, Origin, Reader

AT = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)
Pair = tuple[str, str]

BASES = [
    *("name", "company", "expertise", "goals", "certifications", "skills", "directives"),
    *("milestones", "stances", "environment", "preferences", "env_os", "theme", "salary", "city"),
    *("country", "location", "sensitive_mark", "sensitive_unmark", "os", "preferences_x"),
]
OPS = ["", "_add", "_set", "_replace", "_remove", "_done", "_delete"]
TEXTS = [
    *("Learn Rust", "learn rust (50%)", "Learn Rust - done", "✅ Learn Rust", "Rust", "Go"),
    *("Get the CKA certification", "CKA", "Quiz (a, b)", "Remove Rust from my goals", "senior"),
    *("Never push", "[scope:web] Never push", "a :: b", "a :: c", "os: Linux", "theme=dark"),
    *("theme", "goals", "Learn Rust; Go, Ada", "", "none", "Mark Go as done", "2025-01: Go"),
    *("Learn Rust done", "Lisbon", "Portugal", "goals: Go", "C++", "x (y", "done", "Go, done"),
]
keys = st.builds(str.__add__, st.sampled_from(BASES), st.sampled_from(OPS))
pairs = st.tuples(keys, st.sampled_from(TEXTS))
calls = st.lists(pairs, min_size=1, max_size=6)
trusts = st.sampled_from([Trust.INFERRED, Trust.APPROVED, Trust.USER])
histories = st.lists(st.tuples(calls, trusts), max_size=4)
wild = st.one_of(st.text(max_size=60), st.sampled_from([*BASES, *TEXTS]))


class Kept:
    """Records that a plan reads, as the store gives them."""

    def __init__(self, records: Sequence[Record] = ()) -> None:
        self.records = list(records)

    def select(
        self, kind: str, scope: str | None = None, *, key: str | None = None
    ) -> list[Record]:
        return [one for one in self.records if key is None or one.key == key]

    def get(self, record_id: str) -> Record | None:
        return next((one for one in self.records if one.id == record_id), None)

    def change(self, change_id: int) -> LoggedChange | None:
        return None

    def changes(self, **_: Any) -> list[LoggedChange]:
        return []


def after(records: Sequence[Record], changes: Sequence[Change]) -> list[Record]:
    """The records that changes leave, checked as the store checks them."""
    left = {one.id: one for one in records}
    for change in changes:
        if change.before is not None:
            assert left.pop(change.before.id) == change.before
    for change in changes:
        if change.after is not None:
            assert change.after.id not in left
            left[change.after.id] = change.after
    keys = [one.key for one in left.values()]
    assert len(keys) == len(set(keys))
    return list(left.values())


def say(
    records: Sequence[Record], said: Sequence[Pair], trust: Trust, at: datetime
) -> list[Record]:
    wanted = planned(Kept(records), Said(said, trust, at))  # pyright: ignore[reportArgumentType]
    return list(records) if isinstance(wanted, Refusal) else after(records, wanted.changes)


def lived(history: Sequence[tuple[Sequence[Pair], Trust]]) -> list[Record]:
    """The records that a history leaves, a day each."""
    records: list[Record] = []
    for day, (said, trust) in enumerate(history):
        records = say(records, said, trust, AT + timedelta(days=day))
    return records


def state(records: Sequence[Record]) -> set[Any]:
    """What a profile says, without the times and the counting around it."""
    dropped = {"confirmed_at", "position"}
    return {
        (
            *(one.id, one.key, one.text, one.trust),
            *sorted(pair for pair in one.data.items() if pair[0] not in dropped),
        )
        for one in records
    }


def order(records: Sequence[Record]) -> Any:
    """What stands in which place."""
    return [(one.field, one.name, one.text) for one in view(records, AT).entries]


def is_taken_back(said: Sequence[Pair]) -> bool:
    """Whether a call finishes goals and sets others: said again, it finishes what it set."""
    of_goals = [pair for pair in said if place(pair)[0] == "goals"]
    finishing = [pair for pair in of_goals if "done" in pair[0] or "Mark" in pair[1]]
    return bool(finishing) and len(finishing) < len(of_goals)


@pytest.mark.requirement("U02")
@settings(max_examples=200, deadline=None)
@given(history=histories, said=calls, trust=trusts)
def test_twice_is_once(
    history: Sequence[tuple[Sequence[Pair], Trust]], said: Sequence[Pair], trust: Trust
) -> None:
    assume(not is_taken_back(said))
    at = AT + timedelta(days=30)
    once = say(lived(history), said, trust, at)
    twice = say(once, said, trust, at)
    assert state(twice) == state(once)
    assert order(twice) == order(once)


@pytest.mark.requirement("U06")
@settings(max_examples=200, deadline=None)
@given(history=histories, said=calls, trust=trusts)
def test_a_lower_trust_never_changes_what_a_higher_one_said(
    history: Sequence[tuple[Sequence[Pair], Trust]], said: Sequence[Pair], trust: Trust
) -> None:
    records = lived(history)
    left = {one.key: one for one in say(records, said, trust, AT + timedelta(days=30))}
    for record in records:
        if record.trust > trust:
            assert record.key in left
            assert left[record.key].text == record.text
            assert left[record.key].trust == record.trust


@pytest.mark.requirement("U02")
@settings(max_examples=200, deadline=None)
@given(history=histories, said=calls, trust=trusts, data=st.data())
def test_the_order_of_different_fields_does_not_matter(
    history: Sequence[tuple[Sequence[Pair], Trust]],
    said: Sequence[Pair],
    trust: Trust,
    data: st.DataObject,
) -> None:
    records, at = lived(history), AT + timedelta(days=30)
    shuffled = data.draw(st.permutations(said))
    # Within a field the order is that of the call.
    places: dict[tuple[str, str], list[Pair]] = {}
    for pair in said:
        places.setdefault(place(pair), []).append(pair)
    taken = {where: iter(those) for where, those in places.items()}
    mixed = [next(taken[place(pair)]) for pair in shuffled]
    one, other = say(records, said, trust, at), say(records, mixed, trust, at)
    assert state(one) == state(other)
    assert order(one) == order(other)


def place(pair: Pair) -> tuple[str, str]:
    """What a pair is about, as far as its order matters."""
    wanted = target(pair[0])
    assert isinstance(wanted, Target)
    # What is removed from the preferences may turn out to stand in the environment.
    field = "named" if wanted.field in ("environment", "preferences") else wanted.field
    return (field, wanted.name if field == "named" and wanted.op == "put" and not pair[1] else "")


@pytest.mark.requirement("U08")
@settings(max_examples=150, deadline=None)
@given(history=histories, lines=st.lists(st.tuples(st.sampled_from(FIELDS), wild), max_size=8))
def test_healing_twice_is_once_and_keeps_to_the_rules(
    history: Sequence[tuple[Sequence[Pair], Trust]], lines: Sequence[tuple[str, str]]
) -> None:
    records = lived(history)
    old = [
        Record(f"old_{number}", PROFILE.name, GLOBAL, f"{field}:{number}", text, AT, AT)
        for number, (field, text) in enumerate(lines)
    ]
    once = after([*records, *old], heal([*records, *old], AT + timedelta(days=40)))
    assert heal(once, AT + timedelta(days=50)) == []


@pytest.mark.requirement("U02", "U08")
@settings(max_examples=200, deadline=None)
@given(history=histories)
def test_what_was_said_by_todays_rules_needs_no_healing(
    history: Sequence[tuple[Sequence[Pair], Trust]],
) -> None:
    assert heal(lived(history), AT + timedelta(days=40)) == []


@pytest.mark.requirement("U01", "U02")
@settings(max_examples=250, deadline=None)
@given(said=st.lists(st.tuples(wild, wild), max_size=4), trust=trusts)
def test_nothing_raises_whatever_is_said(said: Sequence[Pair], trust: Trust) -> None:
    result = planned(Kept(), Said(said, trust, AT))  # pyright: ignore[reportArgumentType]
    if isinstance(result, Refusal):
        result.what.encode()
        return
    assert isinstance(result, Planned)
    records = after([], result.changes)
    text = prompt_text(view(records, AT + timedelta(days=200), "/a/b"))
    text.encode()
    assert all(
        line.startswith("- ") or ": " in line or line.endswith((":", "."))
        for line in text.split("\n")
    ) == bool(text)


@pytest.mark.requirement("U02")
@settings(max_examples=250, deadline=None)
@given(text=st.text(alphabet="ab ,;()[]{}\"“”«»`'*_~:-–—✅[x]%10done\n", max_size=40))
def test_splitting_loses_nothing_but_separators(text: str) -> None:
    closed, alone = groups(text)
    assert all(start < end for start, end in closed.items())
    assert not set(alone) & {*closed, *closed.values()}
    letters = "".join(char for item in split(text) for char in item if char.isalnum())
    assert letters == "".join(char for char in text if char.isalnum())
    assert isinstance(is_fragment(text), bool)
    assert stem(text) == stem(text)
    assert read(text).bare.strip() or not text.strip()


@pytest.mark.requirement("U02")
@settings(max_examples=150, deadline=None)
@given(text=st.text(alphabet="ab ,;()", min_size=1, max_size=20))
def test_quotes_hold_an_item_together(text: str) -> None:
    item = " ".join(text.split())
    if item and not is_fragment(item):
        assert split(f"x, {quoted(item)}, y") == ["x", item, "y"]


LONG = [
    *("a" * 4000, "(" * 4000, ")" * 4000, "_" * 4000, "a" + "_" * 3990 + "b", "*a" * 2000),
    *("remove " * 570, "remove " + "from my " * 490, " - done" * 570, "(done) " * 570, '"' * 4000),
    *("\u0301" * 1900, "forget that " * 330, "mark a as " * 400, "1)" * 2000, ": " * 2000),
    *("~" * 4000, "`" * 4000, "[scope:a" * 500, "\n" * 4000, "add x to my " * 330, "::" * 2000),
]


@pytest.mark.requirement("U02")
@pytest.mark.parametrize(
    "key", ["name", "goals", "goals_done", "directives", "stance", "x", "prefs"]
)
def test_no_text_takes_long(key: str) -> None:
    known = say(
        [], [("goals", "; ".join(f"thing {n} of many" for n in range(200)))], Trust.USER, AT
    )
    start = time.process_time()
    for text in LONG:
        say(known, [(key, text)], Trust.USER, AT)
        heal([*known, Record("x", PROFILE.name, GLOBAL, "goals:x", text, AT, AT)], AT)
    assert time.process_time() - start < 0.5 * len(LONG)


@pytest.mark.requirement("U02")
def test_the_store_takes_what_is_planned() -> None:
    store = open_memory()
    try:

        def plan(reader: Reader) -> ChangeSet:
            wanted = planned(reader, Said([("goals", "a; b"), ("goals_done", "a")], Trust.USER, AT))
            assert isinstance(wanted, Planned)
            return ChangeSet("profile set", wanted.changes)

        store.apply(plan, Origin("test", AT))
        assert sorted(one.text for one in store.select(PROFILE.name)) == ["a", "b"]
    finally:
        store.close()
