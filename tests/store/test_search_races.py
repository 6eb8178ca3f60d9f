"""The search index with several processes, killed ones, and stores that can't be written, are
locked, or are damaged: words answer."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from search_world import TABLES, anew, embed, found, keep, live, saying, words_indexed, words_kept
from store_world import NOW, ORIGIN, bound_by_permissions, contents, done, opened, other, places_of

from memoro import Memory, Turn
from memoro.app import App
from memoro.backends.sqlite.asking import make_ready
from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.searching.building import bring_up, is_up, rebuild
from memoro.backends.sqlite.transcripts import SqliteTranscripts
from memoro.commands.recall.seeking import seek
from memoro.commands.recall.wanted import Wanted


def say(word: object) -> None:
    """A line for whoever started this process, in one write."""
    os.write(1, f"{word}\n".encode())


def archive(home: str, prefix: str, count: str) -> None:
    """Archive that many conversations."""
    with Memory.open(home) as memory:
        for number in range(int(count)):
            name = f"{prefix}-{number}"
            turns = [Turn("user", f"zebra {name} {n}", NOW + timedelta(n)) for n in range(3)]
            memory.archive(name, turns)
            say(name)


def recall(home: str, query: str) -> None:
    """Recall as a command that only reads, and say what was found."""
    app = App({"MEMORO_HOME": home})
    for hit in seek(app.services(writes=False), Wanted(query, NOW, k=1_000, gate=0)).hits:
        say(hit.text)
    app.close()


def build(home: str) -> None:
    """Make the index, and tell of every slice."""
    with opened(Path(home)) as (store, _):
        while not bring_up(store.connection, 1):
            say("slice")


DEEDS: dict[str, Callable[..., None]] = {deed.__name__: deed for deed in (archive, recall, build)}


def started(*words: object, bound: bool = False) -> subprocess.Popen[str]:
    """This file as another process that does one of the deeds."""
    return subprocess.Popen(
        [sys.executable, __file__, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)},
        preexec_fn=bound_by_permissions if bound else None,
    )


def ended(process: subprocess.Popen[str]) -> list[str]:
    """What a process said, that has to end well."""
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert err == ""
    return out.splitlines()


def sound(home: Path) -> bool:
    """Whether the index of a home is what is made of its texts anew."""
    with opened(home) as (store, _):
        assert make_ready(store, None) == (0, 0)
        return live(store.connection) == anew(store.connection)


def forget_the_index(home: Path) -> None:
    with opened(home) as (store, _):
        for table in TABLES:
            run(store.connection, f"DELETE FROM {table}")


@pytest.mark.requirement("R01", "P19")
def test_what_is_archived_is_found_by_another_process_at_once(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        memory.archive("a", [Turn("user", "the roof is green", NOW)])
        assert ended(started("recall", tmp_path, "green roof")) == ["the roof is green"]
        ended(started("archive", tmp_path, "x", 1))
        assert len(memory.recall("zebra", now=NOW)) == 3


@pytest.mark.requirement("R01", "P16")
def test_what_was_read_for_one_question_is_not_kept_for_the_next_where_anybody_wrote(
    tmp_path: Path,
) -> None:
    with Memory.open(tmp_path) as memory, Memory.open(tmp_path) as another:
        memory.archive("a", [Turn("user", "the roof is green", NOW)])
        assert [hit.text for hit in memory.recall("green roof", now=NOW)] == ["the roof is green"]
        another.archive("b", [Turn("user", "a green roof leaks", NOW)])
        assert len(memory.recall("green roof", now=NOW)) == 2
        ended(started("archive", tmp_path, "green-roof", 1))
        memory.archive("c", [Turn("user", "no roof is as green", NOW)])
        assert len(memory.recall("green roof", now=NOW, kinds={"turn"}, gate=0)) == 6
        assert len(another.recall("green roof", now=NOW, kinds={"turn"}, gate=0)) == 6


@pytest.mark.requirement("R01", "P19")
@pytest.mark.parametrize("missing", [False, True])
def test_two_archive_and_one_recalls(tmp_path: Path, missing: bool) -> None:
    with Memory.open(tmp_path) as memory:
        memory.archive("a", [Turn("user", f"the roof {n}", NOW) for n in range(300)])
        if missing:
            forget_the_index(tmp_path)
        writers = [started("archive", tmp_path, prefix, 12) for prefix in "xy"]
        seen: list[int] = []
        while any(writer.poll() is None for writer in writers):
            seen.append(len(memory.recall("zebra", now=NOW, k=1_000, gate=0, kinds={"turn"})))
        assert [len(ended(writer)) for writer in writers] == [12, 12]
        hits = memory.recall("zebra", now=NOW, k=1_000, gate=0)
        told = {hit.text for hit in hits if "zebra" in hit.text}
        assert told == {f"zebra {p}-{c} {n}" for p in "xy" for c in range(12) for n in range(3)}
        assert memory.notices == ()
    assert seen
    assert sound(tmp_path)


@pytest.mark.requirement("R01", "P14")
def test_a_build_that_was_killed_is_gone_on_with(tmp_path: Path) -> None:
    with opened(tmp_path) as (store, _):
        keep(store, "first", *(f"the roof {number}" for number in range(1_500)))
        done(store, saying("The door is green"))
    forget_the_index(tmp_path)
    building = started("build", tmp_path)
    assert building.stdout is not None
    assert building.stdout.readline() == "slice\n"
    building.kill()
    building.communicate()
    with opened(tmp_path) as (store, _):
        assert not is_up(store.connection)
        keep(store, "second", "the roof is new")
    assert sound(tmp_path)
    with opened(tmp_path) as (store, _):
        assert len(found(store, "roof")) == 1_501


@contextmanager
def unwritable(home: Path) -> Generator[None]:
    """A home that only root could write."""
    modes = {path: path.stat().st_mode for path in [home, *home.rglob("*")]}
    for path, mode in modes.items():
        path.chmod(mode & 0o555)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


@pytest.mark.requirement("R01")
@pytest.mark.parametrize("missing", [False, True])
def test_a_home_that_can_only_be_read_recalls(tmp_path: Path, missing: bool) -> None:
    with Memory.open(tmp_path) as memory:
        memory.archive("a", [Turn("user", "the roof is green", NOW)])
        memory.learn("The door is green")
    if missing:
        forget_the_index(tmp_path)
    before = contents(tmp_path)
    with unwritable(tmp_path):
        said = ended(started("recall", tmp_path, "green", bound=True))
    assert sorted(said) == ["The door is green", "the roof is green"]
    assert contents(tmp_path) == before


@pytest.mark.requirement("R01")
def test_asking_writes_nothing_where_all_is_there(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        memory.archive("a", [Turn("user", "the roof is green", NOW)])
        memory.recall("roof", now=NOW)
        began: list[str] = []

        def note(_: object, sql: str, __: object) -> bool:
            if sql.startswith("BEGIN IMMEDIATE"):
                began.append(sql)
            return True

        memory._store.connection.set_exec_trace(note)  # pyright: ignore
        assert memory.recall("roof", now=NOW)
        assert began == []


@pytest.mark.requirement("R01", "P16")
@pytest.mark.parametrize("missing", [False, True])
def test_a_store_that_another_process_has_locked_recalls(tmp_path: Path, missing: bool) -> None:
    with Memory.open(tmp_path) as memory:
        memory.archive("a", [Turn("user", "the roof is green", NOW)])
        fact = memory.learn("The zebraword is green")
    if missing:
        with opened(tmp_path) as (store, _):
            run(store.connection, "UPDATE derived_shelves SET recipe = 0")
    memory = Memory(App({"MEMORO_HOME": str(tmp_path), "MEMORO_LOCK_SECONDS": "1"}))
    with other(tmp_path, "lock_out"):
        hits = memory.recall("green roof", now=NOW, kinds={"turn"})
        assert [hit.text for hit in hits] == ["the roof is green"]
    # What was put together for the time being is no reason to forget less.
    assert memory.forget(fact["id"]).remains == ()
    assert places_of(tmp_path, "zebraword") == []
    memory.archive("b", [Turn("user", "the giraffe is tall", NOW)])
    assert len(memory.recall("giraffe", now=NOW)) == 1
    with opened(tmp_path) as (store, _):
        assert len(found(store, "giraffe")) == 1
    memory.close()
    assert sound(tmp_path)


DAMAGES = [
    "UPDATE derived_vectors SET data = substr(data, 1, 100)",
    "UPDATE derived_vectors SET data = CAST(data || data AS BLOB)",
    "UPDATE derived_vectors SET data = substr(data, 1, 128)",
    "UPDATE derived_vectors SET data = x''",
    "DELETE FROM derived_vectors",
    "DELETE FROM derived_signs",
    "DELETE FROM derived_embedders",
    "DELETE FROM derived_vectors; DELETE FROM derived_signs; DELETE FROM derived_embedders",
    "UPDATE derived_embedders SET identity = 'other:model:384'",
    "UPDATE derived_signs SET codes = substr(codes, 1, length(codes) - 3)",
    "UPDATE derived_signs SET codes = CAST(codes || codes AS BLOB)",
    "UPDATE derived_signs SET codes = x''",
    "UPDATE derived_signs SET places = substr(places, 1, 3)",
    "UPDATE derived_signs SET places = x''",
    "UPDATE derived_signs SET places = x'', codes = x''",
]


@pytest.mark.requirement("Z11", "R01")
@pytest.mark.parametrize("damage", DAMAGES)
def test_words_answer_whatever_became_of_the_vectors(tmp_path: Path, damage: str) -> None:
    with Memory.open(tmp_path) as memory:
        memory.archive("a", [Turn("user", "CI needs Go", NOW), Turn("user", "Tom mended it", NOW)])
        fact = memory.learn("The lamp is red")
        run(memory._store.connection, damage)  # pyright: ignore
    with Memory.open(tmp_path) as memory:
        for _ in range(2):
            assert [hit.text for hit in memory.recall("Who mended it?", now=NOW)] == [
                "Tom mended it"
            ]
            assert [hit.text for hit in memory.recall("red lamp", now=NOW)] == ["The lamp is red"]
        assert memory.recall("plugh xyzzy", now=NOW) == []
        memory.archive("b", [Turn("user", "the giraffe is tall", NOW)])
        assert [hit.text for hit in memory.recall("tall giraffe", now=NOW)] == [
            "the giraffe is tall"
        ]
        assert memory.forget(fact["id"]).remains == ()
        assert memory.recall("red lamp", now=NOW) == []


@pytest.mark.requirement("R01")
@pytest.mark.parametrize("table", ["places", "fresh", "units", "sessions", "spans"])
def test_an_index_that_lost_a_table_costs_no_error_and_is_mended_by_a_reindex(
    tmp_path: Path, table: str
) -> None:
    with opened(tmp_path) as (store, _):
        keep(store, "first", *(f"the roof {number}" for number in range(100)))
        keep(store, "second", "the gate is blue")
        fact = done(store, saying("The door is green")).records[0]
        embed(store)
        run(store.connection, f"DELETE FROM derived_{table}")
    with Memory.open(tmp_path) as memory:
        memory.recall("Which roof is by the gate?", now=NOW)
        memory.archive("third", [Turn("user", "the roof is new", NOW)])
        assert memory.forget(fact.id).remains == ()
    with opened(tmp_path) as (store, _):
        transcripts = SqliteTranscripts(store)
        for one in transcripts.sessions():
            if one.title == "second":
                transcripts.delete(one.id, ORIGIN)
        with writing(store.connection):
            rebuild(store.connection)
        assert bring_up(store.connection)
        assert live(store.connection) == anew(store.connection)
        assert words_indexed(store.connection) <= words_kept(store)


if __name__ == "__main__":
    DEEDS[sys.argv[1]](*sys.argv[2:])
