"""What was used, added up from what the store records anyway."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from store_world import NOW, ORIGIN, adding, drop, fact, keep, note, opened

from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.opening import open_memory
from memoro.backends.sqlite.rows import to_text
from memoro.backends.sqlite.store import SqliteStore
from memoro.backends.sqlite.transcripts import SqliteTranscripts
from memoro.backends.sqlite.usage import SqliteUsage
from memoro.errors import StoreDamagedError
from memoro.memory.records import GLOBAL
from memoro.memory.saved import remember
from memoro.memory.store import Origin
from memoro.memory.undo import undo
from memoro.session import usage as counting
from memoro.session.model import Usage as Tokens
from memoro.session.transcript import NewRun, Outcome, RunKind, RunState, Session, StoredMessage
from memoro.session.usage import Feature, Usage

MINUTE = timedelta(minutes=1)
MODEL = "openai:gpt-5-mini"


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[SqliteStore]:
    if request.param == "memory":
        empty = open_memory()
        yield empty
        empty.close()
        return
    with opened(tmp_path / "home") as (kept, _):
        yield kept


def utc(at: datetime) -> datetime:
    return at.astimezone(UTC)


def used(store: SqliteStore, local: Callable[[datetime], datetime] = utc) -> Usage:
    return SqliteUsage(store).usage(local)


def feature(usage: Usage, name: str) -> Feature | None:
    return next((one for one in usage.features if one.name == name), None)


class Talk:
    """A session, and the clock of whoever talks in it."""

    def __init__(self, store: SqliteStore, session: str, at: datetime = NOW) -> None:
        self.transcripts = SqliteTranscripts(store)
        self.session = Session(session, "title", GLOBAL, at, at)
        self.at = at
        self.runs = 0

    def ask(
        self,
        state: RunState = "done",
        error: str | None = None,
        *,
        after: timedelta = MINUTE,
        model: str = MODEL,
        kind: RunKind = "chat",
        tools: tuple[tuple[str, Outcome], ...] = (),
    ) -> str:
        """A message, and how it ended, half a minute later."""
        self.at += after
        self.runs += 1
        run_id = f"r_{self.session.id}_{self.runs}"
        asked = StoredMessage(f"m_{run_id}", self.session.id, run_id, "user", "hello", self.at)
        self.transcripts.start(NewRun(run_id, self.session, kind, model, asked, {}, self.at))
        for tool, outcome in tools:
            row = self.transcripts.request_tool(run_id, tool, "{}", self.at)
            self.transcripts.finish_tool(row, outcome, "", self.at)
        self.at += MINUTE / 2
        said = asked._replace(id=f"a_{run_id}", role="assistant", at=self.at)
        reply = said if state == "done" else None
        self.transcripts.finish(run_id, state, reply, Tokens(), error, self.at)
        return run_id


@pytest.mark.requirement("T03")
def test_nothing_used_is_all_zero(store: SqliteStore) -> None:
    assert used(store) == Usage(0, 0, 0.0, 0.0, (0,) * 24, (), (), (), ())


@pytest.mark.requirement("T03")
def test_sessions_messages_and_their_averages(store: SqliteStore) -> None:
    short, long = Talk(store, "s1"), Talk(store, "s2")
    short.ask()
    for _ in range(3):
        long.ask(after=timedelta(minutes=10))
    usage = used(store)
    assert (usage.sessions, usage.messages) == (2, 8)
    # 30 s, and three times 30 s with 10 minutes between them.
    assert usage.average_seconds == pytest.approx((30 + 20 * 60 + 3 * 30) / 2, abs=0.01)
    assert usage.messages_per_session == 4.0


@pytest.mark.requirement("T03")
def test_a_deleted_session_counts_no_more(store: SqliteStore) -> None:
    Talk(store, "s1").ask("failed", "no")
    Talk(store, "s2").ask()
    SqliteTranscripts(store).delete("s1", Origin("command line", NOW))
    usage = used(store)
    assert (usage.sessions, usage.messages, usage.errors) == (1, 2, ())
    assert feature(usage, "deleted chats") == Feature("deleted chats", 1, {"command line": 1})


@pytest.mark.requirement("T03")
@pytest.mark.parametrize(
    ("zone", "at", "hour"),
    [
        ("UTC", "2026-05-02T16:59:59.999999+00:00", 16),
        ("Europe/Lisbon", "2026-05-02T16:10:00+00:00", 17),
        ("Europe/Lisbon", "2026-01-02T16:10:00+00:00", 16),
        ("America/New_York", "2026-05-03T02:10:00+00:00", 22),
        ("Asia/Kolkata", "2026-05-02T18:29:59+00:00", 23),
        ("Asia/Kolkata", "2026-05-02T18:30:00+00:00", 0),
        ("Asia/Kathmandu", "2026-05-02T18:14:59+00:00", 23),
        ("Asia/Kathmandu", "2026-05-02T18:15:00+00:00", 0),
        ("Australia/Eucla", "2026-05-02T15:15:00+00:00", 0),
    ],
)
def test_hours_are_those_of_the_users_clock(zone: str, at: str, hour: int) -> None:
    store = open_memory()
    Talk(store, "s1", datetime.fromisoformat(at)).ask(after=timedelta(0))
    usage = used(store, lambda moment: moment.astimezone(ZoneInfo(zone)))
    store.close()
    assert [number for number, count in enumerate(usage.hours) if count] == [hour]


@pytest.mark.requirement("T03")
def test_peak_hours_are_those_of_the_users_own_messages(store: SqliteStore) -> None:
    start = datetime(2026, 5, 2, tzinfo=UTC)
    for hour, messages in ((9, 3), (14, 5), (20, 1), (22, 3)):
        talk = Talk(store, f"s{hour}", start + timedelta(hours=hour))
        for _ in range(messages):
            talk.ask()
    nightly = Talk(store, "s3", start + timedelta(hours=3))
    for _ in range(9):
        nightly.ask(kind="scheduled")
    usage = used(store)
    assert sum(usage.hours) == 12
    assert usage.peak_hours == (14, 9, 22)
    assert usage.messages == 42


@pytest.mark.requirement("T03")
def test_features_are_kinds_of_run_tools_and_kinds_of_memory(store: SqliteStore) -> None:
    talk = Talk(store, "s1")
    talk.ask(tools=(("memory", "done"), ("memory", "refused"), ("notes", "done")))
    talk.ask("failed", "no")
    Talk(store, "s2").ask("cancelled", "by the user", kind="scheduled")
    keep(store, "tone", "brief")
    keep(store, "tone", "long")
    store.apply(remember(fact("other", "v")), Origin("model", NOW))
    store.apply(adding(note("n1"), note("n2")), ORIGIN)
    store.apply(undo(None, NOW), ORIGIN)
    drop(store, "tone")

    usage = used(store)

    assert {one.name: (one.times, dict(one.parts)) for one in usage.features} == {
        "chats": (2, {"done": 1, "failed": 1}),
        "scheduled runs": (1, {"cancelled": 1}),
        "tool memory": (2, {"done": 1, "refused": 1}),
        "tool notes": (1, {"done": 1}),
        "saved facts": (4, {"test": 3, "model": 1}),
        "notes": (1, {"test": 1}),
        "undo": (1, {"test": 1}),
    }
    assert [one.times for one in usage.features] == [4, 2, 2, 1, 1, 1, 1]


@pytest.mark.requirement("T03")
def test_top_commands_are_those_of_persons(store: SqliteStore) -> None:
    person = Origin("command line", NOW)
    for key in ("a", "b", "c"):
        store.apply(remember(fact(key, "v")), person)
    store.apply(remember(fact("d", "v")), Origin("model", NOW))
    store.apply(undo(None, NOW), person)
    store.apply(adding(note("n1")), person)
    assert used(store).commands == (("remember", 3), ("note add", 1), ("undo", 1))


@pytest.mark.requirement("T03")
def test_errors_are_counted_by_their_pattern(store: SqliteStore) -> None:
    talk = Talk(store, "s1")
    for seconds in (2, 30, 400):
        talk.ask("failed", f"{MODEL} at api.openai.com is busy (Retry-After: {seconds} s)")
    last = talk.at
    Talk(store, "s2", NOW - timedelta(days=3)).ask("failed", "KeyError('x')")
    Talk(store, "s3").ask("cancelled", "cancelled by the user")
    busy, other = used(store).errors
    assert busy.pattern == f"{MODEL} at <address> is busy (Retry-After: <number> s)"
    assert (busy.times, busy.last_seen, busy.resolved, busy.resolution) == (3, last, 0, None)
    assert (other.pattern, other.times) == ("KeyError(<text>)", 1)


@pytest.mark.requirement("T03")
@pytest.mark.parametrize(
    ("runs", "resolved", "resolution"),
    [
        (["failed"], 0, None),
        (["failed", "cancelled"], 0, None),
        (["done", "failed"], 0, None),
        (["failed", "done"], 1, "answered on the next try, 3 min later"),
        (["failed", "cancelled", "done"], 1, "answered 2 tries and 6 min later"),
        (["failed", "failed", "done"], 2, "answered on the next try, 3 min later"),
        (["failed", "done", "failed"], 1, "answered on the next try, 3 min later"),
        (["failed", "other"], 1, f"answered after the model was changed from {MODEL} to local:m"),
        (["failed", "done", "failed", "other"], 2, "answered after the model was changed from"),
    ],
)
def test_a_resolution_is_what_the_session_did_next(
    store: SqliteStore, runs: list[str], resolved: int, resolution: str | None
) -> None:
    talk, other = Talk(store, "s1"), Talk(store, "s2")
    for state in runs:
        other.ask("failed", "other words")
        model = "local:m" if state == "other" else MODEL
        ended: RunState = "done" if state == "other" else state  # pyright: ignore[reportAssignmentType]
        talk.ask(ended, "no" if ended == "failed" else None, after=2.5 * MINUTE, model=model)
    other.ask(model="local:n")
    [error] = [one for one in used(store).errors if one.pattern == "no"]
    assert (error.times, error.resolved) == (runs.count("failed"), resolved)
    assert (error.resolution or "").startswith(resolution or "")
    assert (error.resolution is None) is (resolution is None)


@pytest.mark.requirement("T03")
def test_the_latest_resolution_of_a_pattern_is_told(store: SqliteStore) -> None:
    early = Talk(store, "s1")
    early.ask("failed", "limit 200")
    early.ask(model="local:m")
    late = Talk(store, "s2", NOW + timedelta(days=2))
    late.ask("failed", "limit 100")
    late.ask(after=timedelta(hours=5))
    [error] = used(store).errors
    assert error.resolution == "answered on the next try, 5 h later"
    assert (error.pattern, error.times, error.resolved) == ("limit <number>", 2, 2)


@pytest.mark.requirement("T03")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Used 199500 of 200,000, try in 210ms", "Used 7 of 1,200,000, try in 1m30.5s"),
        ("at 2026-05-02T16:10:01.5Z", "at 2027-06-03T17:11:02+02:00"),
        ("on 2026-05-02, 16:10", "on 02/05/2026, 4:10:59"),
        ("http://127.0.0.1:9/v1 said no", "https://api.example.org/v1?q=a,b said no"),
        ("127.0.0.1:11434 said no", "gpu.local:8080 said no"),
        ("mail ana@example.org.", "mail bob.b@mail.example.com."),
        ("/home/ana/.memoro/memory.db: full", "~/x.db: full"),
        ("read src/a/b.py:12", "read ./c.py:7"),
        (r"C:\Users\ana\m.gguf is missing", "/m.gguf is missing"),
        ("request req_011CSHoEeqs5C35K2UUqR7Fy", "request req_9x8Yz7Wv6Ut5"),
        (
            "key 550e8400-e29b-41d4-a716-446655440000",
            "key 0x7f3ab3c4d5e6",
        ),
        ("session s_abcdefghjkmn is busy", "session s_0123456789ab is busy"),
        ("no key 'it's here'", 'no key "there"'),
        ("no key `a b`", "no key “c”"),
        ("two  spaces\nand a line", "two spaces and a line"),
    ],
)
def test_what_differs_from_time_to_time_is_folded(one: str, other: str) -> None:
    assert counting.pattern(one) == counting.pattern(other) != one
    assert counting.pattern(counting.pattern(one)) == counting.pattern(one)


@pytest.mark.requirement("T03")
@pytest.mark.parametrize(
    "error",
    [
        "openai:gpt-5-mini can't be reached and didn't answer",
        "anthropic:claude-sonnet-4-20250514 refused the request and/or the key",
        "the disk is full; it's a pity",
        "HTTP/1.1 text/event-stream e.g. this.",
        "",
    ],
)
def test_what_says_what_happened_stays(error: str) -> None:
    assert counting.pattern(error) == error


@pytest.mark.requirement("T03")
@pytest.mark.parametrize(
    "unit",
    ["'a ", "a'", "«", "“", '"', "1", "1a", "a.a.", "a/", "a:", "http://", "a@", "1.1:", "9-", "é"],
)
def test_no_error_takes_long(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    began = time.perf_counter()
    counting.pattern(text)
    assert time.perf_counter() - began < 10


@pytest.mark.requirement("T03")
@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        *((0, "0 s"), (-4, "0 s"), (59.4, "59 s"), (59.5, "1 min"), (180, "3 min")),
        *((3_569, "59 min"), (3_570, "1 h"), (170_000, "47 h"), (172_800, "2 days")),
    ],
)
def test_lengths_of_time_in_words(seconds: float, words: str) -> None:
    assert counting.duration(seconds) == words


@pytest.mark.requirement("T03")
def test_computing_the_usage_changes_nothing(store: SqliteStore) -> None:
    Talk(store, "s1").ask("failed", "no")
    keep(store, "tone", "brief")
    before = used(store)
    assert used(store) == before
    assert not store.connection.in_transaction
    assert len(store.changes()) == 1


def test_a_time_that_is_none_is_told_as_damage(store: SqliteStore) -> None:
    Talk(store, "s1").ask()
    run(store.connection, "UPDATE messages SET at = 'yesterday'")
    with pytest.raises(StoreDamagedError):
        used(store)


@pytest.mark.requirement("T03")
def test_a_hundred_thousand_messages_are_added_up_by_the_store(store: SqliteStore) -> None:
    sessions, runs = 500, 100
    with writing(store.connection):
        for number in range(sessions):
            at = NOW + timedelta(hours=7 * number)
            _fill(store, f"s{number}", at, runs)
    began = time.perf_counter()
    usage = used(store)
    took = time.perf_counter() - began
    assert (usage.sessions, usage.messages, sum(usage.hours)) == (500, 100_000, 50_000)
    [error] = usage.errors
    assert (error.times, error.resolved) == (5_000, 5_000)
    assert took < 10


def _fill(store: SqliteStore, session: str, at: datetime, runs: int) -> None:
    """A session of so many runs, of which each tenth failed."""
    when = to_text(at)
    connection = store.connection
    run(connection, "INSERT INTO sessions VALUES (?1, 't', 'global', ?2, ?2)", [session, when])
    connection.executemany(
        "INSERT INTO runs (id, session, kind, state, model, started_at, ended_at, error, blocks)"
        " VALUES (?1, ?2, 'chat', ?3, 'm', ?4, ?4, ?5, '{}')",
        [
            (f"r{session}.{one}", session, "done" if one % 10 else "failed", when, f"no {one}")
            for one in range(runs)
        ],
    )
    connection.executemany(
        "INSERT INTO messages (id, session, run, role, text, at) VALUES (?, ?, ?, ?, 'hello', ?)",
        [
            (f"{role}{session}.{one}", session, f"r{session}.{one}", role, when)
            for one in range(runs)
            for role in ("user", "assistant")
        ],
    )
