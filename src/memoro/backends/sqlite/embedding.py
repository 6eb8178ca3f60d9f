"""Making the vectors that units wait for, a batch at a time, outside of any transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.database import run, writing
from memoro.backends.sqlite.rows import COLUMNS, to_record
from memoro.backends.sqlite.searching.vectors import (
    Embedded,
    Waiting,
    await_embedder,
    count_waiting,
    embedder_of,
    go_live,
    live_embedder,
    put_in_vectors,
    waiting,
)
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import ModelRefusedError
from memoro.memory.recall.embedding import Embedder
from memoro.memory.recall.searchable import searchable

_BATCH = 96
"""How many texts are sent at once, as many as providers take."""


def register(store: SqliteStore, identity: str) -> None:
    """See to it that the vectors of this embedder are made, and of no other. Those of the one
    before are kept until all of these are there."""
    with store.guarded():
        rows = run(store.connection, "SELECT identity, live FROM derived_embedders")
    if rows == [(identity, 1)]:
        return
    with store.guarded(), writing(store.connection):
        known = live_embedder(store.connection)
        if known is not None and known[1] == identity:
            _forget_others(store.connection)
        elif embedder_of(store.connection, identity) is None:
            await_embedder(store.connection, identity)


def how_many_wait(store: SqliteStore, identity: str) -> int:
    """How many units have no vector of this embedder yet."""
    with store.guarded():
        number = embedder_of(store.connection, identity)
        return 0 if number is None else count_waiting(store.connection, number)


def how_many_wait_live(store: SqliteStore) -> int:
    """The same of the embedder whose vectors answer."""
    known = live(store)
    return 0 if known is None else how_many_wait(store, known[1])


def how_many_wait_for_any(store: SqliteStore) -> int:
    """How many units wait for a vector of an embedder that answers, or will."""
    with store.guarded():
        rows = run(store.connection, "SELECT count(DISTINCT unit) FROM derived_unembedded")
    return int(str(rows[0][0]))


def live(store: SqliteStore) -> tuple[int, str] | None:
    """The embedder whose vectors answer: its number and identity."""
    with store.guarded():
        return live_embedder(store.connection)


def embed_waiting(
    store: SqliteStore, embedder: Embedder, most: int | None, day: Callable[[], datetime]
) -> int:
    """Make vectors that are waited for, at most so many; gives how many still are.

    Raises:
        ModelError: the embedder gave none; what it gave before is kept.
    """
    done = 0
    identity = embedder.identity
    while True:
        with store.guarded():
            number = embedder_of(store.connection, identity)
            if number is None:
                return 0
            if most is not None and done >= most:
                return count_waiting(store.connection, number)
            batch = waiting(store.connection, number, _BATCH)
            if not batch:
                return 0
            texts = [_parts(store.connection, one) for one in batch]
        made, spent = _embedded(embedder, batch, texts)
        with store.guarded(), writing(store.connection):
            if embedder.identity == identity:
                put_in_vectors(store.connection, number, made)
                _go_live_when_whole(store.connection, number)
            if not embedder.is_local:
                _note(store.connection, day(), identity, sum(map(len, texts)), spent)
        done += len(batch)


def _embedded(
    embedder: Embedder, batch: Sequence[Waiting], texts: Sequence[Sequence[str]]
) -> tuple[list[Embedded], int]:
    before = getattr(embedder, "spent", 0)
    rows = iter(_rows(embedder, [part for parts in texts for part in parts]))
    made = [
        Embedded(one.unit, one.owner, [next(rows) for _ in parts])
        for one, parts in zip(batch, texts, strict=True)
    ]
    return made, getattr(embedder, "spent", 0) - before


def _rows(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """The rows of texts. One that is refused gets none, lest it block all others for good."""
    try:
        return embedder.embed(texts, "passage")
    except ModelRefusedError:
        rows: list[bytes] = []
        refused: ModelRefusedError | None = None
        for text in texts:
            try:
                rows += embedder.embed([text], "passage")
            except ModelRefusedError as error:
                if refused is not None and len(rows) == 1:
                    # The first two alike: it is not the texts that are refused.
                    raise
                refused = error
                rows.append(b"")
        return rows


def _parts(connection: apsw.Connection, one: Waiting) -> list[str]:
    """The text of a unit, cut into its parts."""
    if one.is_turn:
        rows = run(connection, "SELECT text FROM messages WHERE id = ?", [one.owner])
        text = str(rows[0][0]) if rows else ""
    else:
        rows = run(connection, f"SELECT {COLUMNS} FROM records WHERE id = ?", [one.owner])
        text = searchable(to_record(rows[0])) if rows else ""
    return _cut(text, one.parts)


def _cut(text: str, number: int) -> list[str]:
    if number <= 1:
        return [text] if number else []
    words = text.split()
    # Where there are no spaces, characters are as good.
    pieces, joint = (words, " ") if len(words) >= number else (list(text), "")
    size = -(-len(pieces) // number)
    return [joint.join(pieces[at * size : (at + 1) * size]) for at in range(number)]


def _go_live_when_whole(connection: apsw.Connection, embedder: int) -> None:
    known = live_embedder(connection)
    if (known is None or known[0] != embedder) and not count_waiting(connection, embedder):
        go_live(connection, embedder)


def _forget_others(connection: apsw.Connection) -> None:
    live_one = live_embedder(connection)
    rows = run(connection, "SELECT 1 FROM derived_embedders WHERE live = 0 LIMIT 1")
    if live_one is not None and rows:
        go_live(connection, live_one[0])


class Cost(NamedTuple):
    """What an embedder was given so far, and the tokens that it counted."""

    embedder: str
    texts: int
    tokens: int


def costs(store: SqliteStore) -> list[Cost]:
    """What embeddings of providers cost so far, by embedder."""
    with store.guarded():
        rows = run(
            store.connection,
            "SELECT embedder, sum(texts), sum(tokens) FROM embedding_costs GROUP BY embedder",
        )
    return [Cost(str(name), int(str(texts)), int(str(tokens))) for name, texts, tokens in rows]


def note_cost(store: SqliteStore, at: datetime, identity: str, tokens: int) -> None:
    """Keep what the vector of a question cost."""
    with store.guarded(), writing(store.connection):
        _note(store.connection, at, identity, 1, tokens)


def _note(
    connection: apsw.Connection, at: datetime, identity: str, texts: int, tokens: int
) -> None:
    if texts:
        run(
            connection,
            "INSERT INTO embedding_costs VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " texts = texts + excluded.texts, tokens = tokens + excluded.tokens",
            [at.date().isoformat(), identity, texts, tokens],
        )
