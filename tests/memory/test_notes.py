"""The rules of notes, and searching them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Reason, Refusal
from memoro.memory import notes
from memoro.memory.records import GLOBAL, NOTE, SAVED_FACT, Record
from memoro.memory.store import Applied, Origin

AT = datetime(2026, 5, 2, tzinfo=UTC)


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    opened = open_memory()
    yield opened
    opened.close()


def note(number: int, title: str, text: str) -> Record:
    at = AT + timedelta(hours=number)
    return Record(f"n_{number}", NOTE.name, GLOBAL, None, text, at, at, data={"title": title})


@pytest.mark.requirement("P29")
@pytest.mark.parametrize(
    ("title", "text", "reason", "word"),
    [
        ("", "x", Reason.USAGE, "title"),
        ("  ", "x", Reason.USAGE, "title"),
        ("\u200b", "x", Reason.USAGE, "title"),
        (" t", "x", Reason.USAGE, "title"),
        ("t\n", "x", Reason.USAGE, "title"),
        ("a\nb", "x", Reason.USAGE, "title"),
        ("a\u2028b", "x", Reason.USAGE, "title"),
        ("t" * 201, "x", Reason.TOO_LARGE, "201"),
        ("t\0t", "x", Reason.USAGE, "NUL"),
        ("t", "x\0", Reason.USAGE, "NUL"),
        ("t", "\ud800", Reason.USAGE, "UTF-8"),
        ("a\ud800", "x", Reason.USAGE, "UTF-8"),
        ("t", "", Reason.USAGE, "empty"),
        ("t", " \n\u200b", Reason.USAGE, "empty"),
        ("t", "x" * (2**20 + 1), Reason.TOO_LARGE, "1,048,577"),
        ("t", "é" * 2**19 + "x", Reason.TOO_LARGE, "1,048,577"),
    ],
)
def test_what_is_no_note(title: str, text: str, reason: Reason, word: str) -> None:
    refusal = notes.check_note(title, text)
    assert refusal is not None
    assert refusal.reason is reason
    assert word in refusal.what


@pytest.mark.requirement("P29")
@pytest.mark.parametrize(
    ("title", "text"),
    [("t" * 200, "x"), ("漢" * 200, "x"), ("t", "x" * 2**20), ("t", "é" * 2**19), ("t", " x\n")],
)
def test_notes_at_their_limits(title: str, text: str) -> None:
    assert notes.check_note(title, text) is None


def found(query: str, *these: Record) -> list[str]:
    return [one.note.id for one in notes.search(these, query)]


@pytest.mark.requirement("P29")
@pytest.mark.parametrize(
    "query",
    [
        *("plan", "PLAN", "paris", "plan paris", "pari pla", "  plan \n paris ", "straße"),
        *("STRASSE", "café", "cafe\u0301", "CAFÉ", "東京", "京の", "é", "a*b", "100%", "ﬁne", "Ⅳ"),
    ],
)
def test_a_search_needs_every_word_in_any_case_and_form(query: str) -> None:
    hit = note(1, "Plan", "To PARIS by train; Straße, café, 東京の駅, a*b, 100%, fine, IV")
    miss = note(2, "Nothing", "of that kind")
    assert found(query, hit, miss) == ["n_1"]


@pytest.mark.requirement("P29")
@pytest.mark.parametrize("query", ["", "  ", "\n", "paris rome", "*", "%", "train.*"])
def test_a_search_without_a_hit(query: str) -> None:
    assert found(query, note(1, "Plan", "To Paris by train")) == []


@pytest.mark.requirement("P29")
def test_the_newest_note_comes_first() -> None:
    three = [note(number, "t", "same words") for number in (2, 3, 1)]
    assert found("words", *three) == ["n_3", "n_2", "n_1"]


@pytest.mark.requirement("P29")
def test_an_excerpt_shows_the_word() -> None:
    long = "a " * 400 + "needle " + "b " * 400
    cases = [
        ("needle", "first\n\n  the needle line  \nlast", "the needle line"),
        ("title", "first\nlast", "first"),
    ]
    for query, text, excerpt in cases:
        assert notes.search([note(1, "title", text)], query)[0].excerpt == excerpt
    excerpt = notes.search([note(1, "title", long)], "needle")[0].excerpt
    assert "needle" in excerpt
    assert excerpt.startswith("…")
    assert excerpt.endswith("…")
    assert len(excerpt) == notes.EXCERPT_CHARACTERS + 2
    whole = "x" * notes.EXCERPT_CHARACTERS
    assert notes.search([note(1, "title", whole)], "x")[0].excerpt == whole


@pytest.mark.requirement("P29")
def test_an_edit_of_an_older_revision_is_refused(store: SqliteStore) -> None:
    origin = Origin("test", AT)
    store.apply(notes.add(note(1, "t", "one")), origin)
    applied = store.apply(notes.edit("n_1", {}, "two", AT, expected=1), origin)
    assert isinstance(applied, Applied)
    refusal = store.apply(notes.edit("n_1", {"title": "other"}, None, AT, expected=1), origin)
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.CONFLICT
    (left,) = store.select(NOTE.name)
    assert (left.text, left.data, left.revision) == ("two", {"title": "t"}, 2)


@pytest.mark.requirement("P29", "P16")
def test_a_removed_note_can_still_be_erased_once(store: SqliteStore) -> None:
    origin = Origin("test", AT)
    store.apply(notes.add(note(1, "t", "one")), origin)
    store.apply(notes.remove("n_1"), origin)
    assert isinstance(store.apply(notes.erase("n_1"), origin), Applied)
    for plan in (notes.erase("n_1"), notes.remove("n_1"), notes.edit("n_1", {}, "x", AT)):
        refusal = store.apply(plan, origin)
        assert isinstance(refusal, Refusal)
        assert refusal.reason is Reason.NOT_FOUND


@pytest.mark.requirement("P29")
def test_other_records_are_no_notes(store: SqliteStore) -> None:
    fact = Record("f_1", SAVED_FACT.name, GLOBAL, "key", "value", AT, AT)
    origin = Origin("test", AT)
    store.apply(notes.add(fact._replace(data={"title": "t"})), origin)
    for plan in (notes.erase("f_1"), notes.remove("f_1"), notes.edit("f_1", {}, "x", AT)):
        assert isinstance(store.apply(plan, origin), Refusal)
    assert store.get("f_1") is not None
