"""The rules of the projects that someone works on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import Reason, Refusal
from memoro.memory import projects, work
from memoro.memory.records import GLOBAL, PROJECT, WORK, Record, Trust
from memoro.memory.store import Applied, Change, ChangeSet, Origin
from memoro.memory.undo import undo
from memoro.memory.work import Activity

AT = datetime(2026, 5, 2, 16, 10, tzinfo=UTC)
DAY = timedelta(days=1)
ORIGIN = Origin("test", AT)


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    opened = open_memory()
    yield opened
    opened.close()


def worked(store: SqliteStore, *activities: Activity) -> Record:
    """The project that the activities left last."""
    applied = store.apply(work.worked_on(*activities), ORIGIN)
    assert isinstance(applied, Applied), applied
    return applied.records[-1]


def refused(store: SqliteStore, *activities: Activity) -> Refusal:
    """A refusal, which changes nothing."""
    before = all_work(store), store.changes()
    refusal = store.apply(work.worked_on(*activities), ORIGIN)
    assert isinstance(refusal, Refusal), refusal
    assert (all_work(store), store.changes()) == before
    return refusal


def all_work(store: SqliteStore) -> list[Record]:
    return store.select(WORK.name, GLOBAL)


def register(store: SqliteStore, name: str, path: str) -> None:
    store.apply(projects.add(f"p_{name}", name, {"path": path}, AT), ORIGIN)


@pytest.mark.requirement("T02")
def test_an_activity_keeps_all_that_was_said(store: SqliteStore) -> None:
    made = worked(
        store,
        Activity(
            " Web  Shop ",
            AT,
            "/srv/shop",
            "Sells\n tea.",
            ("Go", "HTMX", "go"),
            "em andamento",
            Trust.INFERRED,
            "r_1",
            "m_1",
        ),
    )
    assert (made.kind, made.scope, made.key, made.text) == (
        "work",
        GLOBAL,
        "web shop",
        "Sells tea.",
    )
    fields = ("name", "path", "status", "technologies", "last_active")
    assert {name: made.data[name] for name in fields} == {
        "name": "Web Shop",
        "path": "/srv/shop",
        "status": "active",
        "technologies": ["Go", "HTMX"],
        "last_active": "2026-05-02T16:10:00.000000Z",
    }
    assert (made.trust, made.source_run, made.source_message) == (2, "r_1", "m_1")
    assert store.changes()[0].action == "work"


@pytest.mark.requirement("T02")
def test_several_projects_in_one_call_are_several_records(store: SqliteStore) -> None:
    worked(store, Activity("shop", AT), Activity("blog", AT, status="paused"), Activity("Shop", AT))
    assert [(one.key, one.data["status"]) for one in all_work(store)] == [
        ("blog", "paused"),
        ("shop", "active"),
    ]
    assert len({one.id for one in all_work(store)}) == 2
    assert len(store.changes()) == 1


@pytest.mark.requirement("T02")
@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("active", "active"),
        ("Active ", "active"),
        ("in progress", "active"),
        ("in-progress", "active"),
        ("IN_PROGRESS", "active"),
        ("ativo", "active"),
        ("Em andamento", "active"),
        ("paused", "paused"),
        ("on hold", "paused"),
        ("pausado", "paused"),
        ("suspensa", "paused"),
        ("done", "completed"),
        ("Completed", "completed"),
        ("concluído", "completed"),
        ("CONCLUI\u0301DA", "completed"),
        ("finalizado", "completed"),
        ("", None),
        ("abandoned?", None),
        ("actively", None),
        ("não ativo", None),
    ],
)
def test_statuses_in_two_languages(word: str, status: str | None) -> None:
    assert work.status_of(word) == status


@pytest.mark.requirement("T02")
def test_what_is_not_said_erases_nothing(store: SqliteStore) -> None:
    full = Activity("shop", AT, "/srv/shop", "Sells tea.", ("Go",), "paused")
    before = worked(store, full)
    after = worked(store, Activity("shop", AT + DAY, " ", "\u200b", (" ",), ""))
    assert after.text == before.text
    assert after.data == {**before.data, "last_active": "2026-05-03T16:10:00.000000Z"}


@pytest.mark.requirement("T02")
@pytest.mark.parametrize(
    ("field", "key"), [("description", None), ("path", "path"), ("status", "status")]
)
@pytest.mark.parametrize(
    ("said", "stands"),
    [
        # trust, day, which value; the order of arrival must not matter
        ([(4, 0, 0), (4, 1, 1)], 1),
        ([(4, 1, 1), (4, 0, 0)], 1),
        ([(4, 0, 0), (2, 1, 1)], 0),
        ([(2, 1, 1), (4, 0, 0)], 0),
        ([(2, 0, 0), (3, 1, 1)], 1),
        ([(1, 5, 0)], 0),
    ],
)
def test_the_more_trusted_then_the_later_stands(
    store: SqliteStore, field: str, key: str | None, said: list[tuple[int, int, int]], stands: int
) -> None:
    values = ["paused", "completed"]
    worked(store, Activity("shop", AT + 9 * DAY, trust=Trust.READ))
    for trust, day, value in said:
        fields: dict[str, Any] = {field: values[value], "trust": Trust(trust)}
        worked(store, Activity("shop", AT + day * DAY, **fields))
    [left] = all_work(store)
    assert (left.text if key is None else left.data[key]) == values[stands]
    assert left.data["last_active"] == "2026-05-11T16:10:00.000000Z"


def test_a_record_that_does_not_say_who_said_what_stands_as_a_whole(store: SqliteStore) -> None:
    data = {"name": "shop", "status": "paused", "path": "/srv"}
    shop = Record("w_1", WORK.name, GLOBAL, "shop", "Sells tea.", AT, AT, data)
    store.apply(lambda _: ChangeSet("import", [Change(None, shop)]), ORIGIN)
    after = Activity("Shop", AT + DAY, "/", "Sells coffee.", (), "done", Trust.INFERRED)
    left = worked(store, after)
    assert left.text == "Sells tea."
    assert {name: left.data[name] for name in data} == data
    assert worked(store, after._replace(trust=Trust.USER)).data["status"] == "completed"


@pytest.mark.requirement("T02")
def test_technologies_are_united_in_their_first_spelling(store: SqliteStore) -> None:
    worked(store, Activity("shop", AT, technologies=("PostgreSQL", "Go")))
    left = worked(store, Activity("shop", AT, technologies=("postgresql", " HTMX ", "GO", "htmx")))
    assert left.data["technologies"] == ["PostgreSQL", "Go", "HTMX"]


@pytest.mark.requirement("T02")
def test_an_unknown_status_is_refused_with_the_choices(store: SqliteStore) -> None:
    worked(store, Activity("shop", AT))
    refusal = refused(store, Activity("blog", AT), Activity("shop", AT, status="sleeping"))
    assert refusal.reason is Reason.USAGE
    assert "'sleeping'" in refusal.what
    assert refusal.fix == "choose one of: active, paused, completed"


@pytest.mark.requirement("T02")
@pytest.mark.parametrize(
    ("fields", "reason", "word"),
    [
        ({"name": ""}, Reason.USAGE, "visible"),
        ({"name": "\u200b"}, Reason.USAGE, "visible"),
        ({"name": "x" * 201}, Reason.TOO_LARGE, "201"),
        ({"name": "a\0"}, Reason.USAGE, "plain"),
        ({"description": "x" * 1_001}, Reason.TOO_LARGE, "1,001"),
        ({"description": "\ud800"}, Reason.USAGE, "UTF-8"),
        ({"path": "/" * 4_097}, Reason.TOO_LARGE, "4,097"),
        ({"path": "a\0"}, Reason.USAGE, "NUL"),
        ({"technologies": ("x" * 101,)}, Reason.TOO_LARGE, "101"),
        ({"technologies": tuple(map(str, range(101)))}, Reason.TOO_LARGE, "101 technologies"),
    ],
)
def test_what_is_over_a_limit_is_refused(
    store: SqliteStore, fields: dict[str, Any], reason: Reason, word: str
) -> None:
    worked(store, Activity("shop", AT))
    refusal = refused(store, Activity("blog", AT), Activity("shop", AT)._replace(**fields))
    assert refusal.reason is reason
    assert word in refusal.what


def test_no_activity_at_all_is_refused(store: SqliteStore) -> None:
    assert refused(store).reason is Reason.USAGE


def test_an_activity_can_be_undone(store: SqliteStore) -> None:
    before = worked(store, Activity("shop", AT, description="Sells tea."))
    worked(store, Activity("shop", AT + DAY, description="Sells coffee.", status="done"))
    store.apply(undo(None, AT + 2 * DAY), ORIGIN)
    [left] = all_work(store)
    assert (left.text, left.data) == (before.text, before.data)


def test_beyond_the_limit_what_rested_longest_leaves(store: SqliteStore) -> None:
    many = [Activity(f"w {number}", AT + number * DAY) for number in range(work.MAX_WORK)]
    worked(store, *many)
    worked(store, Activity("new", AT - 400 * DAY))
    assert len(all_work(store)) == work.MAX_WORK
    assert store.select(WORK.name, GLOBAL, key="w 0") == []
    refusal = refused(store, Activity("inferred", AT, trust=Trust.INFERRED))
    assert refusal.reason is Reason.TOO_LARGE


@pytest.mark.requirement("T02")
def test_worked_on_and_registered_are_joined_by_name(store: SqliteStore) -> None:
    register(store, "Shop", "/home/ana/shop")
    register(store, "api", "/home/ana/api")
    worked(store, Activity("shop", AT, "/old/shop", "Sells tea.", ("Go",), "paused"))
    worked(store, Activity("Blog", AT + DAY, "/srv/blog"))
    found = work.overview(all_work(store), store.select(PROJECT.name, GLOBAL))
    assert found == [
        work.Project("api", "/home/ana/api", "", (), "-", None, True),
        work.Project("Blog", "/srv/blog", "", (), "active", AT + DAY, False),
        work.Project("Shop", "/home/ana/shop", "Sells tea.", ("Go",), "paused", AT, True),
    ]


def test_a_project_without_a_folder_shows_what_was_said(store: SqliteStore) -> None:
    gone = Record("p_1", PROJECT.name, GLOBAL, "shop", "", AT, AT)
    worked(store, Activity("shop", AT, "/srv/shop"))
    [only] = work.overview(all_work(store), [gone])
    assert (only.path, only.registered) == ("/srv/shop", True)
    [bare] = work.overview([], [gone])
    assert (bare.path, bare.status) == ("", "-")
