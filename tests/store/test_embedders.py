"""Another embedder, or none: recall answers meanwhile, and vectors of two are never mixed."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import apsw
import pytest
from embedding_server import EmbeddingServer, Plain, Spoil

from memoro import Memory, Turn
from running import Memoro, Ran

FACTS = (
    "The car is parked behind the bakery",
    "The office has a blue door",
    "CI needs Go 1.23",
    "Lunch is at noon on Fridays",
    "The printer is on the third floor",
)
NOON = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
DEADLINE = 20.0
STATIC = {"MEMORO_EMBED_PROVIDER": "static", "MEMORO_EMBED_BASE_URL": ""}
OFF = {"MEMORO_EMBED_PROVIDER": "off", "MEMORO_EMBED_BASE_URL": ""}


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(384) as started:
        yield started


class Home:
    """A home whose embedder is the server, and what its store holds."""

    def __init__(self, memoro: Memoro, server: EmbeddingServer) -> None:
        self.memoro = memoro
        self.server = server
        self.env = {"MEMORO_EMBED_PROVIDER": "openai", "MEMORO_EMBED_BASE_URL": server.url}
        memoro.env |= self.env

    def identity(self, width: int) -> str:
        return f"openai:text-embedding-3-small:{width}@127.0.0.1:{self.server.port}"

    def learn(self, *facts: str) -> list[str]:
        return [str(self.memoro.ok("memory", "learn", one, "--json").json["id"]) for one in facts]

    def fill(self) -> None:
        """Keep five facts, in this process, which is faster."""
        with Memory.open(self.memoro.home) as memory:
            for one in FACTS:
                memory.learn(one)

    def recall(self, query: str, **env: str) -> Ran:
        return self.memoro.ok("recall", query, "--json", env=env)

    def best(self, query: str, **env: str) -> dict[str, Any]:
        hits = self.recall(query, **env).json["hits"]
        assert hits, query
        return hits[0]

    def reindex(self, **env: str) -> Ran:
        """Make what is missing; where another process is at it, wait for that one first."""
        ends = time.monotonic() + DEADLINE
        while True:
            ran = self.memoro("memory", "reindex", "--missing", "--json", env=env)
            if ran.code == 0 or "another process" not in ran.err:
                return ran
            assert time.monotonic() < ends, ran.err

    def embedders(self) -> dict[str, int]:
        """The embedders that have vectors here, or are to have: whether they are live."""
        found = self._rows("SELECT identity, live FROM derived_embedders")
        return {str(identity): int(str(live)) for identity, live in found}

    def vectors(self) -> dict[str, list[int]]:
        """The sizes of the vectors by their embedder; each has those of its own width alone."""
        sizes: dict[str, list[int]] = defaultdict(list)
        for identity, data in self._rows(
            "SELECT coalesce(e.identity, 'nobody'), v.data FROM derived_vectors v"
            " LEFT JOIN derived_embedders e ON e.id = v.embedder"
        ):
            assert isinstance(data, bytes)
            sizes[str(identity)].append(len(data))
        for identity, found in sizes.items():
            assert identity != "nobody"
            width = int(identity.partition("@")[0].rpartition(":")[2])
            assert all(size % width == 0 for size in found), (identity, found)
        return dict(sizes)

    def costs(self) -> dict[str, tuple[int, int]]:
        """The texts and tokens that were sent, by embedder."""
        rows = self._rows(
            "SELECT embedder, sum(texts), sum(tokens) FROM embedding_costs GROUP BY embedder"
        )
        return {str(one): (int(str(texts)), int(str(tokens))) for one, texts, tokens in rows}

    def until(self, came: Callable[[], bool]) -> None:
        """Wait for what another process does."""
        ends = time.monotonic() + DEADLINE
        while not came():
            assert time.monotonic() < ends, (self.embedders(), self.vectors())
            time.sleep(0.02)

    def is_whole(self, identity: str, count: int) -> bool:
        found = self.vectors()
        return self.embedders() == {identity: 1} and len(found.get(identity, ())) == count

    def _rows(self, sql: str) -> list[tuple[object, ...]]:
        path = str(self.memoro.home / "memory.db")
        with closing(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            connection.set_busy_timeout(5_000)
            return list(connection.execute(sql))


@pytest.fixture
def home(memoro: Memoro, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> Home:
    for name in ("MEMORO_EMBED_PROVIDER", "MEMORO_EMBED_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    # What is learned below no project is known everywhere.
    monkeypatch.chdir(memoro.folder)
    return Home(memoro, server)


@pytest.fixture
def filled(home: Home) -> Home:
    """Five facts, with a vector each."""
    home.fill()
    made = home.memoro.ok("memory", "reindex", "--missing", "--json").json
    assert made == {"turns": 0, "records": 5, "waiting": 0}
    return home


# Making vectors


@pytest.mark.requirement("R02", "Z11")
def test_words_answer_at_once_and_vectors_come_behind(home: Home) -> None:
    home.fill()
    assert home.server.asked == []
    ran = home.recall("which Go does CI need?")
    assert ran.err == ""
    best = ran.json["hits"][0]
    assert best["text"] == "CI needs Go 1.23"
    assert "meaning" not in best["reasons"]
    home.until(lambda: home.is_whole(home.identity(384), 5))
    assert home.best("which Go does CI need?")["reasons"]["meaning"] > 0


@pytest.mark.requirement("R02")
def test_what_is_missing_is_made_and_counted(filled: Home) -> None:
    assert filled.embedders() == {filled.identity(384): 1}
    assert filled.vectors() == {filled.identity(384): [384] * 5}
    tokens = sum(len(one.split()) for one in FACTS)
    assert filled.costs() == {filled.identity(384): (5, tokens)}
    assert sorted(one for texts in filled.server.asked for one in texts if one in FACTS) == sorted(
        FACTS
    )
    filled.memoro.ok("memory", "reindex", "--missing")
    assert filled.costs() == {filled.identity(384): (5, tokens)}
    filled.learn("The roof was mended by Tom")
    filled.memoro.ok("memory", "reindex", "--missing", env={"MEMORO_NOW": "2031-01-01T12:00:00Z"})
    assert filled.costs() == {filled.identity(384): (6, tokens + 6)}
    assert len(filled.vectors()[filled.identity(384)]) == 6


@pytest.mark.requirement("R02")
def test_what_a_question_costs_is_counted(filled: Home) -> None:
    texts, tokens = filled.costs()[filled.identity(384)]
    filled.recall("which Go does CI need?")
    assert filled.costs() == {filled.identity(384): (texts + 1, tokens + 5)}
    filled.recall("which Go does CI need?", **OFF)
    assert filled.costs() == {filled.identity(384): (texts + 1, tokens + 5)}


@pytest.mark.requirement("R01", "R02")
def test_what_is_said_in_other_words_is_found_by_its_meaning(filled: Home) -> None:
    for asked in ("automobile parked bakery", "Where is the automobile parked?"):
        best = filled.best(asked)
        assert best["text"] == FACTS[0]
        assert best["reasons"]["meaning"] > 0.05
    assert filled.recall("plugh xyzzy").json["hits"] == []
    # The question goes to the server, alone.
    assert filled.server.asked[-1] == ["plugh xyzzy"]


@pytest.mark.requirement("R02")
def test_what_is_forgotten_has_no_vector(filled: Home) -> None:
    fact = filled.best("which Go does CI need?")["id"]
    filled.memoro.ok("memory", "forget", fact)
    assert filled.vectors() == {filled.identity(384): [384] * 4}
    assert filled.recall("which Go does CI need?").json["hits"] == []


@pytest.mark.requirement("R02")
def test_an_index_that_is_made_anew_has_all_its_vectors(filled: Home) -> None:
    before = filled.recall("which Go does CI need?").json
    filled.memoro.ok("memory", "reindex")
    assert filled.vectors() == {filled.identity(384): [384] * 5}
    assert filled.recall("which Go does CI need?").json == before


# The model behind an address changes (C32)


@pytest.mark.requirement("R02", "Z11")
def test_another_width_interrupts_nothing_and_is_never_mixed(filled: Home) -> None:
    memoro, old, new = filled.memoro, filled.identity(384), filled.identity(768)
    filled.server.restart(768)
    filled.server.hold()
    ran = filled.recall("which Go does CI need?")
    assert ran.json["hits"][0]["text"] == "CI needs Go 1.23"
    assert "meaning" not in ran.json["hits"][0]["reasons"]
    (notice,) = ran.err.splitlines()
    assert notice.startswith("memoro: recalled by words alone: ")
    assert new in notice and old in notice

    (stored,) = filled.learn("The roof was mended by Tom")
    go = ran.json["hits"][0]["id"]
    edited = memoro.ok("memory", "learn", "CI needs Go 1.24", "--replaces", go, "--json").json
    door = filled.best("blue door")["id"]
    memoro.ok("memory", "forget", door)
    assert filled.best("which Go does CI need?")["id"] == edited["id"]
    assert filled.best("who mended the roof?")["id"] == stored
    assert filled.recall("blue door").json["hits"] == []
    assert filled.embedders()[old] == 1
    assert set(filled.vectors()) == {old}

    filled.server.release()
    filled.until(lambda: filled.embedders() == {new: 1})
    assert filled.reindex().code == 0
    assert set(filled.vectors()) == {new}
    assert filled.vectors()[new].count(768) == len(filled.vectors()[new]) >= 5
    ran = filled.recall("which Go does CI need?")
    assert ran.err == ""
    assert ran.json["hits"][0]["reasons"]["meaning"] > 0


@pytest.mark.requirement("R02", "Z11")
def test_the_vectors_of_another_width_are_made_by_the_command(filled: Home) -> None:
    filled.server.restart(768)
    made = filled.memoro.ok("memory", "reindex", "--missing")
    assert made.err == ""
    assert filled.embedders() == {filled.identity(768): 1}
    assert filled.vectors() == {filled.identity(768): [768] * 5}
    assert set(filled.costs()) == {filled.identity(384), filled.identity(768)}
    ran = filled.recall("which Go does CI need?")
    assert (ran.err, "meaning" in ran.json["hits"][0]["reasons"]) == ("", True)


@pytest.mark.requirement("R02", "Z11")
def test_without_its_server_recall_answers_by_words(filled: Home) -> None:
    filled.server.close()
    ran = filled.recall("which Go does CI need?")
    assert ran.json["hits"][0]["text"] == "CI needs Go 1.23"
    (notice,) = ran.err.splitlines()
    assert "recalled by words alone" in notice and "can't be reached" in notice
    assert filled.recall("plugh xyzzy").json["hits"] == []
    assert filled.memoro.ok("recall", "CI", "--quiet").err == ""
    (stored,) = filled.learn("The roof was mended by Tom")
    assert filled.best("who mended the roof?")["id"] == stored
    filled.memoro.ok("memory", "forget", stored)
    assert filled.memoro.ok("session", "search", "roof", "--json").json == []

    ran = filled.reindex()
    assert ran.code == 1
    assert "words answer meanwhile" in ran.err and "Traceback" not in ran.err
    assert filled.vectors() == {filled.identity(384): [384] * 5}


def _mixed(answer: dict[str, Any]) -> dict[str, Any]:
    answer["data"][-1]["embedding"] = answer["data"][-1]["embedding"][:-1]
    return answer


def _number(value: Any) -> Spoil:
    def spoil(answer: dict[str, Any]) -> dict[str, Any]:
        for one in answer["data"]:
            one["embedding"][0] = value
        return answer

    return spoil


def _plain(code: int, body: str) -> Spoil:
    return lambda _: Plain(code, body)


def _empty(answer: dict[str, Any]) -> dict[str, Any]:
    return {**answer, "data": []}


@pytest.mark.requirement("R02", "Z11")
@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(_plain(500, "{}"), id="500"),
        pytest.param(_plain(429, '{"error": {"message": "slow down"}}'), id="429"),
        pytest.param(_plain(200, "<html>Welcome to the hotel network</html>"), id="page"),
        pytest.param(_plain(200, '{"data": [{"embed'), id="cut"),
        pytest.param(_empty, id="none"),
        pytest.param(_number("one"), id="word"),
        pytest.param(_number(float("nan")), id="nan"),
        pytest.param(_mixed, id="mixed"),
    ],
)
def test_a_server_that_fails_costs_no_answer_and_no_vector(home: Home, spoil: Spoil) -> None:
    home.fill()
    home.server.spoil = spoil
    ran = home.reindex()
    assert (ran.code, "words answer meanwhile" in ran.err) == (1, True)
    assert home.vectors() == {}
    assert home.best("which Go does CI need?")["text"] == "CI needs Go 1.23"
    home.server.spoil = None
    assert home.reindex().code == 0
    home.until(lambda: home.is_whole(home.identity(384), 5))


@pytest.mark.requirement("R02", "Z11")
def test_a_server_that_never_had_a_vector_is_no_reason_for_silence(
    home: Home, server: EmbeddingServer
) -> None:
    server.close()
    home.fill()
    ran = home.recall("which Go does CI need?")
    assert ran.json["hits"][0]["text"] == "CI needs Go 1.23"
    assert "Traceback" not in ran.err


# From one embedder to another


@pytest.fixture
def lived(home: Home) -> Home:
    """More turns than one request takes, with vectors of the bundled embedder."""
    with Memory.open(home.memoro.home) as memory:
        turns = [
            Turn("user", f"We had soup number {n}", NOON - n * timedelta(days=1))
            for n in range(149)
        ]
        memory.archive("food", [*turns, Turn("user", "CI needs Go 1.23", NOON)])
    assert home.server.asked == []
    return home


def _fails_after(requests: int) -> Spoil:
    """Answers that many requests of several texts, and no more."""
    left = [requests]

    def spoil(answer: dict[str, Any]) -> dict[str, Any] | Plain:
        if len(answer["data"]) > 1:
            left[0] -= 1
        return answer if left[0] >= 0 else Plain(500, "{}")

    return spoil


@pytest.mark.requirement("R02", "Z11")
def test_the_old_vectors_stay_until_the_new_ones_are_complete(lived: Home) -> None:
    (static,) = lived.embedders()
    new = lived.identity(384)
    assert static.startswith("memoro-static:")
    assert len(lived.vectors()[static]) == 150
    lived.server.spoil = _fails_after(1)
    ran = lived.memoro("memory", "reindex", "--missing", "--json")
    assert (ran.code, ran.json["waiting"]) == (1, 54)
    assert "some vectors could not be made" in ran.err
    assert lived.embedders() == {static: 1, new: 0}
    assert {one: len(found) for one, found in lived.vectors().items()} == {static: 150, new: 96}
    assert lived.costs()[new][0] == 96

    lived.server.spoil = None
    ran = lived.recall("which Go does CI need?")
    assert ran.json["hits"][0]["text"] == "CI needs Go 1.23"
    assert ran.json["hits"][0]["reasons"]["meaning"] > 0
    lived.until(lambda: lived.is_whole(new, 150))
    assert lived.best("which Go does CI need?")["reasons"]["meaning"] > 0


@pytest.mark.requirement("R02", "Z11")
def test_back_to_the_bundled_one(filled: Home) -> None:
    ran = filled.recall("which Go does CI need?", **STATIC)
    assert ran.json["hits"][0]["text"] == "CI needs Go 1.23"
    assert filled.reindex(**STATIC).code == 0
    (static,) = filled.embedders()
    assert static.startswith("memoro-static:")
    assert len(filled.vectors()[static]) == 5
    asked = len(filled.server.asked)
    ran = filled.recall("which Go does CI need?", **STATIC)
    assert (ran.err, ran.json["hits"][0]["reasons"]["meaning"] > 0) == ("", True)
    assert len(filled.server.asked) == asked
    # And there again: all of them are made anew.
    assert filled.reindex().code == 0
    assert filled.is_whole(filled.identity(384), 5)


@pytest.mark.requirement("R02", "Z11")
def test_half_made_vectors_of_an_embedder_that_is_given_up_go(lived: Home) -> None:
    lived.server.spoil = _fails_after(1)
    assert lived.memoro("memory", "reindex", "--missing").code == 1
    assert len(lived.embedders()) == 2
    ran = lived.recall("which Go does CI need?", **STATIC)
    assert (ran.err, ran.json["hits"][0]["reasons"]["meaning"] > 0) == ("", True)
    (static,) = lived.embedders()
    assert {one: len(found) for one, found in lived.vectors().items()} == {static: 150}


@pytest.mark.requirement("R02", "Z11")
def test_switched_off_nothing_is_sent_and_words_answer(filled: Home) -> None:
    asked = len(filled.server.asked)
    ran = filled.recall("which Go does CI need?", **OFF)
    assert ran.err == ""
    assert ran.json["hits"][0]["text"] == "CI needs Go 1.23"
    assert not {"meaning", "session meaning"} & set(ran.json["hits"][0]["reasons"])
    made = filled.memoro.ok("memory", "reindex", "--missing", "--json", env=OFF).json
    assert made["waiting"] == 0
    assert len(filled.server.asked) == asked
    # What was made before is still there for whoever switches it on again.
    assert filled.vectors() == {filled.identity(384): [384] * 5}
    assert filled.best("which Go does CI need?")["reasons"]["meaning"] > 0


@pytest.mark.requirement("R02")
def test_an_embedder_that_is_none_is_refused(home: Home) -> None:
    home.learn(FACTS[0])
    for env in (
        {"MEMORO_EMBED_PROVIDER": "nobody"},
        {"MEMORO_EMBED_PROVIDER": "openai", "MEMORO_EMBED_BASE_URL": ""},
        {"MEMORO_EMBED_BASE_URL": "not an address"},
    ):
        ran = home.memoro("recall", "car bakery", "--json", env=env)
        assert "Traceback" not in ran.err
        assert ran.err.startswith("memoro: ")
        if ran.code == 0:
            assert ran.json["hits"][0]["text"] == FACTS[0]
        else:
            assert (ran.code, "MEMORO_EMBED_PROVIDER" in ran.err) == (2, True)
