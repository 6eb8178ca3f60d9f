"""What recall reaches the outside through.

Each function is one field of `memoro.commands.ports.Recalling`, by its name.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memoro.backends.sqlite.asking import finding, made, make_anew, make_ready, what_is_missing
from memoro.backends.sqlite.background import alone
from memoro.backends.sqlite.embedding import (
    costs,
    embed_waiting,
    how_many_wait_for_any,
    how_many_wait_live,
    live,
    note_cost,
    register,
)
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import MemoroError, ModelError, StoreDamagedError, StoreError
from memoro.memory.recall.asked import TELLING_MEANING, WEIGHTS, Weights
from memoro.memory.recall.words import is_latin

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.commands.ports import Reindexed
    from memoro.memory.recall.embedding import Embedder
    from memoro.memory.recall.finding import Finder
    from memoro.memory.store import MemoryStore

BUNDLED = "memoro-static:"
"""How the identities of the bundled embedder begin."""

_MOST_AT_ONCE = 4_000
"""How many texts a question waits for where the index is behind: some seconds."""

_VECTORS_AT_ONCE = 500
"""How many vectors of the bundled embedder a question waits for: a fifth of a second."""


def ready(app: App, store: MemoryStore) -> str:
    """Bring the index up, and the vectors as far as that takes no time."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    lacks = make_ready(store, _MOST_AT_ONCE)
    keep_embedding(app, store, _VECTORS_AT_ONCE)
    missing = lacks.turns + lacks.records
    if not missing:
        return ""
    app.work_behind("memory", "reindex", "--missing")
    return f"{missing:,} texts are not in the search index yet; they are being put in"


def keep_embedding(app: App, store: MemoryStore, most: int | None) -> None:
    """Make vectors that are waited for: here what takes no time, else in the background."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    try:
        embedder = app.embedder()
        if embedder is None:
            return
        if embedder.is_local:
            register(store, embedder.identity)
            left = embed_waiting(store, embedder, most, app.now)
        else:
            left = 1 if live(store) is None else how_many_wait_live(store)
    except StoreDamagedError:
        raise
    except MemoroError:
        # Words answer without them, and the next one will try again.
        return
    if left:
        app.work_behind("memory", "reindex", "--missing")


def by_meaning(app: App, store: MemoryStore) -> bool:
    """Whether the vectors that answer tell meanings apart well: those of the bundled embedder just
    help the words."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    known = live(store)
    return known is not None and not known[1].startswith(BUNDLED)


def weights(app: App, store: MemoryStore) -> Weights:
    """What each signal is worth: more for meaning where a model tells it."""
    return TELLING_MEANING if by_meaning(app, store) else WEIGHTS


def row(app: App, store: MemoryStore, text: str) -> tuple[bytes, str]:
    """The vector of a question, by the embedder whose vectors answer."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    try:
        embedder, known = app.embedder(), live(store)
        if embedder is None:
            return b"", ""
        if known is None:
            # None of its vectors are here yet; asking for one tells whether it can be reached.
            return b"", "" if embedder.is_local else _reached(embedder, text)
        if known[1].startswith(BUNDLED):
            if not embedder.is_local:
                # Its vectors answer until all of the new one's are there.
                app.work_behind("memory", "reindex", "--missing")
                provider = app.settings.text("embed_provider")
                told = f"vectors of {provider} are not there yet, and the bundled ones answer"
                bundled = app.bundled_embedder()
                made = bundled.embed([text], "query")[0] if is_latin(text) else b""
                return made, f"{told}; to see how far it is: memoro memory reindex --missing"
            return (embedder.embed([text], "query")[0] if is_latin(text) else b""), ""
        return _row_of(app, store, embedder, known[1], text)
    except ModelError as error:
        return b"", f"recalled by words alone: {error.what}"
    except StoreDamagedError:
        raise
    except StoreError:
        # What it cost could not be kept; the next one will try again.
        return b"", ""


def _reached(embedder: Embedder, text: str) -> str:
    embedder.embed([text], "query")
    return ""


def _row_of(
    app: App, store: SqliteStore, embedder: Embedder, live_identity: str, text: str
) -> tuple[bytes, str]:
    """The vector of a question by an embedder that may not be the one whose vectors are here."""
    before = getattr(embedder, "spent", 0)
    (made,) = embedder.embed([text], "query")
    if not embedder.is_local:
        note_cost(store, app.now(), embedder.identity, getattr(embedder, "spent", 0) - before)
    if embedder.identity == live_identity:
        return made, ""
    app.work_behind("memory", "reindex", "--missing")
    return b"", (
        f"recalled by words alone: vectors of {embedder.identity} are being made in the place of"
        f" those of {live_identity}"
    )


def finder(app: App, store: MemoryStore) -> AbstractContextManager[Finder]:
    """The index."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    known = live(store)
    return finding(store, None if known is None else (known[0], width_of(known[1])))


def reindex(app: App, store: MemoryStore, missing: bool) -> Reindexed:
    """Make the index anew, or put in just what is missing, and all vectors that are waited for."""
    from memoro.commands.ports import Reindexed

    assert isinstance(store, SqliteStore), "there is one kind of store"
    with alone(app.settings.home) as first:
        if missing and not first:
            left = how_many_wait_for_any(store)
            return Reindexed(*made(store), left, "another process is putting in what is missing")
        return _reindexed(app, store, missing)


def _reindexed(app: App, store: SqliteStore, missing: bool) -> Reindexed:
    from memoro.commands.ports import Reindexed

    counts = make_anew(store, missing)
    told, left = "", 0
    try:
        embedder = app.embedder()
        if embedder is not None:
            register(store, embedder.identity)
            left = embed_waiting(store, embedder, None, app.now)
    except ModelError as error:
        told = f"some vectors could not be made, and words answer meanwhile: {error.what}"
        left = how_many_wait_for_any(store)
    return Reindexed(*counts, left, told, failed=bool(told))


def imagined(app: App, store: MemoryStore, text: str) -> tuple[str, str]:
    """An answer as a model imagines it (HyDE), where the setting asks for that, and a line on what
    went wrong."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    if app.settings.text("recall_hyde") != "on":
        return "", ""
    import asyncio

    from memoro.app.models import connect
    from memoro.prompts import prompt
    from memoro.session.model import Message, SystemPrompt

    async def ask() -> str:
        model = connect(app)
        try:
            system = SystemPrompt(prompt("imagine"), "")
            reply = await model.respond(system, [Message("user", text)], (), _unheard)
            tokens = reply.usage.input_tokens + reply.usage.output_tokens
            note_cost(store, app.now(), f"{model.name} (imagined answers)", tokens)
            return reply.text
        finally:
            await model.aclose()

    try:
        return asyncio.run(ask()), ""
    except MemoroError as error:
        return "", f"no answer was imagined: {error.what}"


def _unheard(piece: str) -> None:
    """Nobody reads an imagined answer as it comes."""


def page_characters(app: App) -> int:
    """How much of what was learned a prompt may have."""
    settings = app.settings
    return 0 if settings.text("memory_mode") == "off" else settings.number("memory_characters")


def embedding_costs(app: App, store: MemoryStore) -> list[tuple[str, int, int]]:
    """What embeddings of providers cost so far: embedder, texts, tokens."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    return [(one.embedder, one.texts, one.tokens) for one in costs(store)]


def state_of_search(app: App) -> tuple[str, str]:
    """What the search index has, and the line that puts in what it lacks; nothing where there is no
    store yet.

    Raises:
        MemoroError: the store or the embedder can't be used.
    """
    store = app.services(writes=False).store
    assert isinstance(store, SqliteStore), "there is one kind of store"
    if store.paths is None:
        return "", ""
    turns, records = made(store)
    known = live(store)
    vectors = f"vectors by {known[1]}" if known is not None else "no vectors yet"
    lacks = what_is_missing(store)
    waiting = 0 if app.embedder() is None else how_many_wait_live(store)
    missing = lacks.turns + lacks.records + waiting
    told = f"{turns:,} turns, {records:,} records, {vectors}"
    if not missing:
        return told, ""
    return f"{told}; {missing:,} are still to be put in", "memoro memory reindex --missing"


def width_of(identity: str) -> int:
    """The numbers of a vector, which every identity names; 0 where somebody's hand took it out."""
    width = identity.partition("@")[0].rpartition(":")[2]
    return int(width) if width.isdecimal() else 0
