"""What an import reaches the outside through.

Each function is one field of `memoro.commands.ports.Importing`, by its name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from memoro.backends.sqlite.store import SqliteStore
from memoro.commands.ports import Kept
from memoro.errors import MemoroError, Reason, Refusal
from memoro.interchange.detecting import format_named, format_of
from memoro.interchange.formats import Clock, Format
from memoro.interchange.readers import FORMATS
from memoro.interchange.reading.glimpse import glimpse
from memoro.memory.imported import ImportedConversation, ImportedRecord, LeftOut

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.backends.sqlite.incoming import Incoming
    from memoro.memory.importing.outcome import ImportPlan, Rules
    from memoro.memory.store import MemoryStore, Origin


def kinds(app: App) -> Sequence[tuple[str, str]]:
    """What can be read, with a word on each."""
    return [(one.name, one.what) for one in FORMATS]


def kind_of(app: App, path: str, named: str | None) -> str | Refusal:
    """The kind of a path: the one that is named, or what it looks like."""
    if named is None:
        found = format_of(path)
        return found if isinstance(found, Refusal) else found.name
    wanted = format_named(named)
    if isinstance(wanted, Refusal):
        return wanted
    seen = glimpse(path)
    return seen if isinstance(seen, Refusal) else wanted.name


def read(
    app: App, kind: str, path: str
) -> Iterator[ImportedRecord | ImportedConversation | LeftOut]:
    """What is in a path, piece by piece."""
    from memoro.app.learning import SystemCalendar

    return _format(kind).read(path, Clock(app.now(), SystemCalendar()))


def is_own(app: App, kind: str) -> bool:
    """Whether a kind is our own export."""
    return _format(kind).own


def _format(kind: str) -> Format:
    return next(one for one in FORMATS if one.name == kind)


def project_of(app: App, known: Sequence[tuple[str, Mapping[str, Any]]], folder: str) -> str | None:
    """The registered project that a folder lies in."""
    from memoro.app.locating import match

    return match(app, known, folder).name


def place_of(app: App, folder: str) -> Mapping[str, Any] | None:
    """What a folder is known by, also one that is not here; None where it is no place of its own:
    the user's home, the root, or what is no whole path."""
    from memoro.bootstrap.workspace import find_root, has_marker, identify

    settings = app.settings
    if not os.path.isabs(folder):
        return None
    root = find_root(folder, settings.home) if os.path.isdir(folder) else os.path.normpath(folder)
    if not has_marker(root, settings.home) and root in ("/", settings.user_home):
        return None
    identity = identify(root, settings.environ)
    return {**identity._asdict(), "roots": list(identity.roots)}


def peek(app: App) -> MemoryStore:
    """The store as it is; where there is none, an empty one that is not kept."""
    return app.services(writes=False).store


def keep(
    app: App,
    store: MemoryStore,
    plan: ImportPlan,
    rules: Rules,
    conversations: Iterator[ImportedConversation],
    origin: Origin,
    rehearsal: bool,
) -> Kept | Refusal:
    """Store what an import brings, as one change."""
    from memoro.backends.sqlite.incoming import Incoming

    assert isinstance(store, SqliteStore), "there is one kind of store"
    told = partial(progress, app)
    incoming = Incoming(store, origin, rehearsal=rehearsal, told=told)
    try:
        incoming.keep(conversations)
        planned = incoming.finish(plan, rules)
    except KeyboardInterrupt:
        if incoming.change is None:
            raise
        return Refusal(Reason.CANCELLED, f"stopped; {_so_far(incoming)}", _GO_ON)
    except MemoroError as error:
        if incoming.change is not None and not incoming.entry.is_undone:
            error.kept = f"{_so_far(incoming)}; {_GO_ON}"
        raise
    found = _findable(app, store) if incoming.turns and not rehearsal else ""
    return Kept(
        planned,
        incoming.change,
        incoming.brought,
        incoming.known,
        incoming.turns,
        tuple(incoming.left_out),
        (found,) if found else (),
    )


_GO_ON = "to go on, import it again"


def _so_far(incoming: Incoming) -> str:
    counts = ((incoming.brought, "conversations"), (incoming.records, "records"))
    kept = " and ".join(f"{count:,} {word}" for count, word in counts if count)
    return f"{kept} are kept, which can be taken back: memoro memory undo {incoming.change}"


def _findable(app: App, store: SqliteStore) -> str:
    """Put what came in into the index, as far as a question would wait for; says what it lacks."""
    from memoro.app.recalling import ready

    return ready(app, store)


def progress(app: App, line: str) -> None:
    """Tell a person who waits how far it is, on a line that goes again."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
