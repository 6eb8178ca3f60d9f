"""What recall reaches the outside through.

Each function is one field of `memoro.commands.ports.Recalling`, by its name.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memoro.backends.sqlite.asking import finding, make_anew, make_ready
from memoro.backends.sqlite.embedding import (
    costs,
    embed_waiting,
    how_many_wait,
    live,
    note_cost,
    register,
)
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import MemoroError, ModelError, StoreError
from memoro.memory.recall.ranking import TELLING_MEANING, WEIGHTS, Weights
from memoro.memory.recall.words import is_latin

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.commands.ports import Reindexed
    from memoro.memory.recall.finding import Finder
    from memoro.memory.store import MemoryStore

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
            known = live(store)
            left = 1 if known is None else how_many_wait(store, known[1])
    except MemoroError:
        # Words answer without them, and the next one will try again.
        return
    if left:
        app.work_behind("memory", "reindex", "--missing")


def by_meaning(app: App) -> bool:
    """Whether the embedder tells meanings apart well: the bundled one just helps the words."""
    try:
        embedder = app.embedder()
    except MemoroError:
        return False
    return embedder is not None and embedder.reads_all_scripts


def weights(app: App) -> Weights:
    """What each signal is worth: more for meaning where a model tells it."""
    return TELLING_MEANING if by_meaning(app) else WEIGHTS


def row(app: App, store: MemoryStore, text: str) -> tuple[bytes, str]:
    """The vector of a question, if vectors of its embedder are there to compare it with."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    try:
        embedder = app.embedder()
        if embedder is None or not (embedder.reads_all_scripts or is_latin(text)):
            return b"", ""
        before = getattr(embedder, "spent", 0)
        (made,) = embedder.embed([text], "query")
        if not embedder.is_local:
            spent = getattr(embedder, "spent", 0) - before
            note_cost(store, app.now(), embedder.identity, spent)
        known = live(store)
        if known is not None and known[1] == embedder.identity:
            return made, ""
        if known is None:
            return b"", ""
        app.work_behind("memory", "reindex", "--missing")
        return b"", (
            f"recalled by words alone: vectors of {embedder.identity} are being made in the place"
            f" of those of {known[1]}"
        )
    except ModelError as error:
        return b"", f"recalled by words alone: {error.what}"
    except StoreError:
        # Its cost could not be kept; the next one will try again.
        return b"", ""


def finder(app: App, store: MemoryStore) -> AbstractContextManager[Finder]:
    """The index."""
    assert isinstance(store, SqliteStore), "there is one kind of store"
    known = live(store)
    return finding(store, None if known is None else (known[0], width_of(known[1])))


def reindex(app: App, store: MemoryStore, missing: bool) -> Reindexed:
    """Make the index anew, or put in just what is missing, and all vectors that are waited for."""
    from memoro.commands.ports import Reindexed

    assert isinstance(store, SqliteStore), "there is one kind of store"
    counts = make_anew(store, missing)
    told, left = "", 0
    try:
        embedder = app.embedder()
        if embedder is not None:
            register(store, embedder.identity)
            left = embed_waiting(store, embedder, None, app.now)
    except ModelError as error:
        told = f"some vectors could not be made, and words answer meanwhile: {error.what}"
        known = live(store)
        left = 0 if known is None else how_many_wait(store, known[1])
    return Reindexed(*counts, left, told)


def imagined(app: App, text: str) -> tuple[str, str]:
    """An answer as a model imagines it (HyDE), where the setting asks for that, and a line on what
    went wrong."""
    if app.settings.text("recall_hyde") != "on":
        return "", ""
    import asyncio

    from memoro.prompts import prompt
    from memoro.session.model import Message, SystemPrompt

    async def ask() -> str:
        model = app.connect()
        try:
            system = SystemPrompt(prompt("imagine"), "")
            reply = await model.respond(system, [Message("user", text)], (), _unheard)
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


def width_of(identity: str) -> int:
    """The numbers of a vector, which every identity names; 0 where somebody's hand took it out."""
    width = identity.partition("@")[0].rpartition(":")[2]
    return int(width) if width.isdecimal() else 0
