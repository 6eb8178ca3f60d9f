"""`memoro memory topics|projects|stats`, by their handlers."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoro.app import App
from memoro.commands import activity
from memoro.commands.project import add_project
from memoro.commands.registry import Caller, Done, Handler, Table, Text
from memoro.commands.services import Services
from memoro.errors import Reason, Refusal
from memoro.memory.records import FACT, GLOBAL, TOPIC, Record, Trust
from memoro.memory.store import Change, ChangeSet, Origin
from memoro.memory.topics import MAX_TOPICS, Mention, mention
from memoro.memory.undo import undo
from memoro.session.model import Usage as Tokens
from memoro.session.transcript import NewRun, Session, StoredMessage

MODEL = Caller("tool", "model", run="r_1", message="m_1")


class World:
    """Handlers over a store of their own, at a fixed time."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = root / "work"
        self.folder.mkdir()
        environ = {
            "MEMORO_HOME": str(root / ".memoro"),
            "HOME": str(root),
            "MEMORO_NOW": "2026-05-02T16:10:00Z",
        }
        self.app = App(environ, str(self.folder))
        self.services: Services = self.app.services(writes=True)
        patch.setenv("HOME", str(root))

    def __call__(self, handler: Handler, caller: Caller | None = None, **arguments: Any) -> Done:
        """Call a handler that has to succeed; what it gives can be given as JSON."""
        result = handler(self.services, arguments, caller or Caller())
        assert isinstance(result, Done), result
        json.dumps(result.data, default=str)
        return result

    def refused(self, handler: Handler, caller: Caller | None = None, **arguments: Any) -> Refusal:
        """Call a handler that has to be refused and change nothing."""
        before = self.services.store.changes()
        result = handler(self.services, arguments, caller or Caller())
        assert isinstance(result, Refusal), result
        assert self.services.store.changes() == before
        return result

    def learn(self, fact_id: str) -> None:
        at = self.services.now()
        fact = Record(fact_id, FACT.name, GLOBAL, None, "learned", at, at)
        self.services.store.apply(
            lambda _: ChangeSet("learn", [Change(None, fact)]), Origin("learning", at)
        )


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    made = World(tmp_path, monkeypatch)
    yield made
    made.app.close()
    monkeypatch.undo()
    time.tzset()


def rows(done: Done) -> list[list[str]]:
    assert isinstance(done.view, Table)
    return [list(row) for row in done.view.rows]


def text(done: Done) -> str:
    assert isinstance(done.view, Text)
    return done.view.text


@pytest.mark.requirement("T01")
def test_a_topic_is_mentioned_and_listed(world: World) -> None:
    world.learn("f_1")
    world(activity.mention_topic, name="Rust", summary=["Learning", "the  borrow checker."])
    done = world(activity.mention_topic, MODEL, name="rust", fact=["f_1"])
    assert text(done) == "Topic Rust: mentioned 2 times, 1 linked fact."
    world(activity.mention_topic, name="Sailing", summary=None, fact=None)
    listed = world(activity.list_topics)
    assert rows(listed) == [
        ["Rust", "2", "2026-05-02 16:10", "1", "Learning the borrow checker."],
        ["Sailing", "1", "2026-05-02 16:10", "0", ""],
    ]
    first = listed.data[0]
    assert (first["rank"], first["facts"], first["source_run"]) == (2.0, ["f_1"], None)
    assert [one["name"] for one in world(activity.list_topics, limit=1).data] == ["Rust"]
    assert world.refused(activity.list_topics, limit=0).reason is Reason.USAGE


@pytest.mark.requirement("T01", "P11")
def test_a_model_infers_and_its_run_is_recorded(world: World) -> None:
    done = world(activity.mention_topic, MODEL, name="Rust", summary="A model's words.")
    assert done.notices == ()
    [topic] = world.services.store.select(TOPIC.name, GLOBAL)
    assert (topic.trust, topic.source_run, topic.source_message) == (Trust.INFERRED, "r_1", "m_1")
    world(activity.mention_topic, Caller("slash"), name="Rust", summary=["A person's words."])
    done = world(activity.mention_topic, Caller("mcp"), name="Rust", summary="Other words.")
    assert done.notices == (
        "the summary stays as it is: someone more trusted, or someone later, gave it",
    )
    assert done.data["summary"] == "A person's words."


@pytest.mark.requirement("T01")
def test_what_is_no_topic_is_refused(world: World) -> None:
    refusal = world.refused(activity.mention_topic, name="Rust", fact=["f_9"])
    assert (refusal.reason, "'f_9'" in refusal.what) == (Reason.NOT_FOUND, True)
    assert world.refused(activity.mention_topic, name="x").reason is Reason.USAGE


def test_no_topics_yet(world: World) -> None:
    done = world(activity.list_topics)
    assert (done.data, rows(done)) == ([], [])
    assert isinstance(done.view, Table) and done.view.empty


def test_a_link_to_a_forgotten_fact_is_not_shown(world: World) -> None:
    world.learn("f_1")
    world(activity.mention_topic, name="Rust", fact=["f_1"])
    world.services.store.apply(
        lambda reader: ChangeSet("remove", [Change(reader.get("f_1"), None)]),
        Origin("test", world.services.now()),
    )
    assert world(activity.list_topics).data[0]["facts"] == []


def test_a_topic_that_made_room_is_told_and_can_come_back(world: World) -> None:
    now, store = world.services.now(), world.services.store
    many = [Mention(f"topic {one:04}", now) for one in range(MAX_TOPICS)]
    store.apply(mention(many), Origin("test", now))
    done = world(activity.mention_topic, name="new")
    change = done.data["change"]
    [told] = done.notices
    assert told.endswith(f" left to make room; to bring it back: memoro memory undo {change}")
    left = told.partition(" left")[0]
    assert store.select(TOPIC.name, GLOBAL, key=left) == []
    store.apply(undo(change, now), Origin("test", now))
    assert len(store.select(TOPIC.name, GLOBAL, key=left)) == 1


@pytest.mark.requirement("T02")
def test_projects_are_shown_with_those_that_are_registered(world: World) -> None:
    for name in ("api", "gone"):
        (world.folder / name).mkdir()
        world(add_project, name=name, path=name)
    (world.folder / "gone").rmdir()
    world(
        activity.work_on,
        name="API",
        path="elsewhere",
        description=["Serves", "tea."],
        technology=["Go,", "HTMX", "go"],
        status="em andamento",
    )
    done = world(activity.work_on, MODEL, name="Blog", path="~/blog", status="on hold")
    assert text(done) == "Project Blog is paused."
    listed = world(activity.list_work)
    home = str(world.folder)
    assert rows(listed) == [
        ["api", "active", f"{home}/api", "Go, HTMX", "2026-05-02 16:10", "Serves tea."],
        ["Blog", "paused", "~/blog", "", "2026-05-02 16:10", ""],
        ["gone", "-", f"{home}/gone (missing)", "", "-", ""],
    ]
    assert [(one["status"], one["missing"], one["registered"]) for one in listed.data] == [
        ("active", False, True),
        ("paused", False, False),
        (None, True, True),
    ]


@pytest.mark.requirement("T02")
@pytest.mark.parametrize(
    ("path", "kept"),
    [("sub/../x", "{folder}/x"), ("~/y", "{root}/y"), ("/z", "/z"), (None, ""), ("", "")],
)
def test_a_person_names_a_folder_from_where_they_are(
    world: World, path: str | None, kept: str
) -> None:
    done = world(activity.work_on, name="shop", path=path)
    assert done.data["path"] == kept.format(folder=world.folder, root=world.folder.parent)


@pytest.mark.requirement("T02")
def test_what_a_person_said_of_a_project_stays(world: World) -> None:
    world(activity.work_on, name="shop", description="Sells tea.", status="paused")
    done = world(
        activity.work_on, MODEL, name="Shop", description="Sells tea.", status="done", path="/srv"
    )
    assert (done.data["status"], done.data["path"]) == ("paused", "/srv")
    assert done.notices == (
        "the status stays as it is: someone more trusted, or someone later, gave it",
    )


@pytest.mark.requirement("T02")
def test_an_unknown_status_is_refused_with_the_choices(world: World) -> None:
    refusal = world.refused(activity.work_on, name="shop", status="sleeping")
    assert refusal.fix == "choose one of: active, paused, completed"


def converse(world: World, *states: str) -> None:
    """A session in which each message was answered, or failed."""
    services = world.services
    now, store = services.now(), services.transcripts
    session = Session("s_1", "title", GLOBAL, now, now)
    for number, state in enumerate(states):
        run = f"r_{number}"
        asked = StoredMessage(f"m_{run}", "s_1", run, "user", "hello", now)
        store.start(NewRun(run, session, "chat", "test:model", asked, {}, now))
        if state == "done":
            said = asked._replace(id=f"a_{run}", role="assistant")
            store.finish(run, "done", said, Tokens(), None, now)
        else:
            store.finish(run, "failed", None, Tokens(), f"limit {number} of 9", now)


@pytest.mark.requirement("T03")
def test_stats_tell_what_was_used(world: World) -> None:
    converse(world, "failed", "failed", "done")
    world(activity.mention_topic, name="Rust")
    done = world(activity.show_stats)
    assert text(done) == (
        "1 session with 4 messages\n"
        "on average 4.0 messages a session, and 0 s from the first to the last\n"
        "most of your messages at 16:00 (3)\n"
        "\n"
        "Used\n"
        "  chats: 3 (done 1, failed 2)\n"
        "  topics: 1 (command line 1)\n"
        "\n"
        "Commands\n"
        "  mention: 1\n"
        "\n"
        "Errors\n"
        "  2 times, last 2026-05-02 16:10: limit <number> of <number>\n"
        "    answered on the next try, 0 s later (2 of 2 were answered)"
    )
    assert done.data["hours"][16] == 3
    assert done.data["peak_hours"] == (16,)
    assert done.data["commands"] == [{"command": "mention", "count": 1}]
    [error] = done.data["errors"]
    assert (error["count"], error["resolved"]) == (2, 2)


@pytest.mark.requirement("T03")
def test_an_error_that_nothing_helped_against_says_so(world: World) -> None:
    converse(world, "failed")
    shown = text(world(activity.show_stats))
    assert shown.endswith("limit <number> of <number>\n    no answer came after it")


def test_stats_of_nothing(world: World) -> None:
    done = world(activity.show_stats)
    assert text(done) == "Nothing has been used yet."
    assert (done.data["sessions"], done.data["errors"]) == (0, [])
