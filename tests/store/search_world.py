"""What the search index's tests share: texts put in, and what the shelves hold of them."""

from __future__ import annotations

import struct
from array import array
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

import apsw
from store_world import NOW

from memoro.backends.sqlite.asking import finding
from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.embedding import embed_waiting, register
from memoro.backends.sqlite.searching.adding import read_stems
from memoro.backends.sqlite.searching.building import bring_up
from memoro.backends.sqlite.store import SqliteStore
from memoro.backends.sqlite.transcripts import SqliteTranscripts
from memoro.memory.facts.learn import Limits, learn
from memoro.memory.facts.statement import Statement
from memoro.memory.recall.embedding import Purpose
from memoro.memory.recall.postings import block_of, decoded, unit_at
from memoro.memory.recall.searchable import searchable
from memoro.memory.recall.vectors import quantised
from memoro.memory.recall.words import tokens
from memoro.memory.records import GLOBAL, SEARCHED
from memoro.memory.store import Plan
from memoro.session.transcript import NewRun, Session, StoredMessage, Turn

TABLES = (
    *("derived_shelves", "derived_units", "derived_sessions", "derived_spans", "derived_places"),
    *("derived_fresh", "derived_embedders", "derived_vectors", "derived_signs"),
    "derived_unembedded",
)


class Hashing:
    """An embedder that needs no model: each word of a text points somewhere."""

    identity = "test:hashing:16"
    is_local = True
    reads_all_scripts = True

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[bytes]:
        return [self._row(text) for text in texts]

    def _row(self, text: str) -> bytes:
        sums = [0.0] * 16
        for word in text.split():
            for at, value in enumerate(struct.unpack("16b", sha256(word.encode()).digest()[:16])):
                sums[at] += value
        return quantised(sums)


class Picture(NamedTuple):
    """What a shelf holds, by the texts that it was made from."""

    counts: tuple[object, ...]
    units: dict[str, tuple[object, ...]]
    places: dict[str, dict[tuple[str, int], int]]
    sessions: dict[str, tuple[object, list[str]]]


def saying(text: str, **fields: Any) -> Plan:
    given: dict[str, Any] = {"scope": GLOBAL, "at": NOW, **fields}
    return learn(Statement(text, **given), Limits(NOW))


def turns(*texts: str, at: datetime = NOW) -> list[Turn]:
    return [Turn("user", text, at + timedelta(minutes=n)) for n, text in enumerate(texts)]


def keep(store: SqliteStore, name: str, *texts: str) -> str:
    """Archive a conversation; gives its ID."""
    return SqliteTranscripts(store).archive(name, turns(*texts), GLOBAL).session


def say(store: SqliteStore, session: str, number: int, text: str) -> None:
    """A message of a chat that is held with us."""
    message = StoredMessage(f"m_{number}", session, f"r_{number}", "user", text, NOW)
    whole = Session(session, "title", GLOBAL, NOW, NOW)
    run_of = NewRun(f"r_{number}", whole, "chat", "test:model", message, {}, NOW)
    SqliteTranscripts(store).start(run_of)


def embed(store: SqliteStore, most: int | None = None) -> None:
    embedder = Hashing()
    register(store, embedder.identity)
    embed_waiting(store, embedder, most, lambda: NOW)


def found(store: SqliteStore, word: str) -> set[str]:
    """The IDs of the messages and records that have a word, as the index answers."""
    owners: set[str] = set()
    with finding(store, None) as finder:
        for shelf in ("turn", "record"):
            if finder.shelf(shelf) is not None:
                places = finder.places(shelf, tokens(word)[:1])[0].items()
                ids = {unit_at(block, at) for block, one in places for at in one.offsets}
                owners |= {unit.owner for unit in finder.units(ids).values()}
    return owners


def _places(connection: apsw.Connection, shelf: object) -> dict[int, dict[tuple[str, int], int]]:
    places: dict[int, dict[tuple[str, int], int]] = defaultdict(dict)
    sql = "SELECT stem, block, data FROM derived_places WHERE shelf = ?"
    for stem, block, data in connection.execute(sql, [shelf]):  # pyright: ignore[reportArgumentType]
        for offset, code in zip(*decoded(data), strict=True):
            places[unit_at(block, offset)][stem, offset & 15] = code
    sql = "SELECT unit, stems FROM derived_fresh WHERE shelf = ?"
    for unit, text in connection.execute(sql, [shelf]):  # pyright: ignore[reportArgumentType]
        assert unit not in places, "a unit waits, or is in its place"
        for part, stems in enumerate(read_stems(text)):
            places[unit] |= {(stem, part): code for stem, code in stems.items()}
    return places


def picture(connection: apsw.Connection, shelf: object) -> Picture:
    counts = run(
        connection, "SELECT units, parts, tokens, groups FROM derived_shelves WHERE id = ?", [shelf]
    )
    sessions = run(connection, "SELECT id, name FROM derived_sessions WHERE shelf = ?", [shelf])
    names = {number: str(name) for number, name in sessions}
    units: dict[str, tuple[object, ...]] = {}
    said: dict[str, list[str]] = defaultdict(list)
    owners: dict[int, str] = {}
    sql = (
        "SELECT id, owner, session, kind, scope, at, role, speaker, flags, tokens, parts,"
        " first, size FROM derived_units WHERE shelf = ? ORDER BY id"
    )
    for number, owner, session, *rest, first, size in run(connection, sql, [shelf]):
        assert isinstance(number, int) and isinstance(first, int) and isinstance(size, int)
        assert first <= number < first + size and block_of(first) == block_of(first + size - 1)
        owners[number] = str(owner)
        units[str(owner)] = (names.get(session), *rest)
        if session is not None:
            said[names[session]].append(str(owner))
    places = _places(connection, shelf)
    assert places.keys() <= owners.keys()
    lengths = run(connection, "SELECT name, tokens FROM derived_sessions WHERE shelf = ?", [shelf])
    return Picture(
        counts[0],
        units,
        {owners[unit]: stems for unit, stems in places.items()},
        {str(name): (length, said[str(name)]) for name, length in lengths},
    )


def live(connection: apsw.Connection) -> dict[object, Picture]:
    rows = run(connection, "SELECT name, id FROM derived_shelves WHERE live = 1")
    return {name: picture(connection, shelf) for name, shelf in rows}


def anew(connection: apsw.Connection) -> dict[object, Picture]:
    """The shelves, made from nothing in a copy of the store."""
    copy = apsw.Connection(":memory:")
    with copy.backup("main", connection, "main") as backup:
        backup.step()
    for table in TABLES:
        run(copy, f"DELETE FROM {table}")
    assert bring_up(copy)
    made = live(copy)
    copy.close()
    return made


def signed(connection: apsw.Connection) -> set[int]:
    """The units whose vectors have signs."""
    units: set[int] = set()
    for block, places in run(connection, "SELECT block, places FROM derived_signs"):
        assert isinstance(block, int) and isinstance(places, bytes)
        units |= {unit_at(block, offset) for offset in array("H", places)}
    return units


def words_kept(store: SqliteStore) -> set[str]:
    """Every token of every text that is to be found."""
    texts = [str(text) for (text,) in run(store.connection, "SELECT text FROM messages")]
    texts += [searchable(one) for kind in SEARCHED for one in store.select(kind)]
    return {word for text in texts for word in tokens(text)}


def words_indexed(connection: apsw.Connection) -> set[str]:
    stems = {str(stem) for (stem,) in run(connection, "SELECT stem FROM derived_places")}
    for (text,) in run(connection, "SELECT stems FROM derived_fresh"):
        stems |= {stem for part in read_stems(str(text)) for stem in part}
    return stems
