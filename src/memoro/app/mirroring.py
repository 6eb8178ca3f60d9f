"""The plain files beside the store: followed at the start and the end of a process, and what the
commands for them reach the outside through.

The functions that have the names of the fields of `memoro.commands.ports.Mirroring` are these.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.backends.mirror.folder import Folder
from memoro.backends.mirror.reading.merging import Door, Taken
from memoro.backends.mirror.reading.telling import counted, tell_change, tell_waiting
from memoro.backends.mirror.state import state
from memoro.backends.mirror.syncing import How, Synced, path_of, sync
from memoro.backends.mirror.watching import how_far_behind, is_edited, owes
from memoro.backends.mirror.writing.updating import Around, is_usage_due
from memoro.backends.sqlite.store import SqliteStore
from memoro.commands.ports import MergedFiles, Mirrored, Unreadable
from memoro.errors import MemoroError, StoreDamagedError, StoreLockedError
from memoro.memory.plain.listing import Broken

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.backends.mirror.state import Known
    from memoro.memory.records import Record
    from memoro.memory.store import MemoryStore

_START_SECONDS = 2.0
"""How long a start waits for another process that writes the files."""

_MOST_AT_EXIT = 3_000
"""Records that are written when a command ends; what is more is left to a process behind."""


def start(app: App, store: SqliteStore, *, is_new: bool) -> None:
    """Merge what a person changed in the files since they were written; of a store that was just
    made, take what is older than it."""
    try:
        if is_new:
            from memoro.backends.mirror.reading.legacy import migrate

            app.notices += migrate(store, app.settings.home, _door(app), app.now())
        edited = is_edited(store.connection, path_of(app.settings.home))
        if edited and app.mirrors() and not app.merges_itself:
            _told(app, _sync(app, store, How(wait_seconds=_START_SECONDS)))
    except StoreDamagedError:
        raise
    except MemoroError as error:
        app.notices.append(_failed(error))


def finish(app: App, store: SqliteStore) -> None:
    """Bring the files up to the last change; never in the way of what was done."""
    try:
        with store.guarded():
            connection = store.connection
            behind = how_far_behind(connection)
            # A page that is an hour old, or what was forgotten, may be all that is due.
            known = state(connection)
            due = behind or (known is not None and is_usage_due(known, app.now()))
            due = due or owes(connection)
        if behind > _MOST_AT_EXIT:
            app.work_behind("memory", "mirror")
        elif due:
            _told(app, _sync(app, store, How()))
    except MemoroError as error:
        told = _failed(error)
        app.notices += [] if told in app.notices else [told]


def cleaned(app: App, store: SqliteStore) -> tuple[str, ...]:
    """Take what was just forgotten out of the files; gives those that may still have it."""
    home = app.settings.home
    folder = path_of(home)
    if not os.path.lexists(folder):
        return tuple(_pages_aside(home))
    try:
        synced = _sync(app, store, How(usage=True, wait_seconds=_lock_seconds(app)))
    except MemoroError:
        return (folder, *_pages_aside(home))
    if synced.is_busy:
        return (folder, *_pages_aside(home))
    app.notices += _lines(app, synced)
    stuck = [os.path.join(folder, name) for name in synced.stuck]
    return tuple(dict.fromkeys([*stuck, *aside(home)]))


def write(app: App, store: MemoryStore, everything: bool) -> Mirrored:
    """Write what has changed, or all of it."""
    how = How(everything=everything, usage=True, wait_seconds=_lock_seconds(app), asked=True)
    synced = _sync(app, _ours(store), how)
    _not_busy(app, synced)
    return Mirrored(
        path_of(app.settings.home),
        synced.files,
        tuple(_lines(app, synced)),
        not (synced.errors or synced.stuck or synced.unread),
    )


def merge(app: App, store: MemoryStore, allowed: Sequence[str] | None) -> MergedFiles:
    """Merge what a person changed in the folder; of the files in `allowed` (None: of all) deletions
    are meant."""
    how = How(
        allowed=None if allowed is None else frozenset(allowed),
        wait_seconds=_lock_seconds(app),
        asked=True,
    )
    synced = _sync(app, _ours(store), how)
    _not_busy(app, synced)
    told = [*synced.told, *_errors(synced)]
    merged = _merged(synced.taken, told)
    return merged._replace(ok=merged.ok and not (synced.errors or synced.stuck or synced.unread))


def merge_copies(app: App, store: MemoryStore, paths: Sequence[str]) -> MergedFiles:
    """Merge files that lie anywhere."""
    from memoro.backends.mirror.reading import copies

    done = copies.merge_copies(_ours(store), paths, _door(app), app.now())
    return _merged(done.taken, done.told)


def merge_text(
    app: App, store: MemoryStore, shown: Sequence[Record], text: str, file: str, allowed: bool
) -> MergedFiles | Unreadable:
    """Merge what a person made of the lines of these records."""
    from memoro.backends.mirror.reading import copies

    done = copies.merge_text(_ours(store), shown, text, file, _door(app), app.now(), allowed)
    if isinstance(done, Broken):
        return Unreadable(done.line, done.column, done.what)
    return _merged(done.taken, done.told)


def kinds(app: App) -> dict[str, tuple[str, ...]]:
    """The kinds of the files, by their names without the ending."""
    from memoro.backends.mirror.names import GROUPS

    return {group.stem: group.kinds for group in GROUPS}


def aside(home: str) -> list[str]:
    """The copies of what people wrote that were kept, which no forgetting can clean."""
    found = _pages_aside(home)
    try:
        folder = Folder.open(path_of(home), make=False)
        if folder is not None:
            with folder:
                found += [folder.full(name) for name in folder.copies()]
    except MemoroError:
        # Told by whoever wants to write there.
        return found
    return found


def _pages_aside(home: str) -> list[str]:
    from memoro.backends.mirror.names import PAGE, is_aside

    try:
        names = sorted(os.listdir(home))
    except OSError:
        return []
    return [os.path.join(home, name) for name in names if name.startswith(PAGE) and is_aside(name)]


def _sync(app: App, store: SqliteStore, how: How) -> Synced:
    around = Around(app.now, app.settings.user_home or "", lambda: _usage(app, store))
    return sync(store, app.settings.home, how, _door(app), around)


def _door(app: App) -> Door:
    from memoro.app.learning import max_facts

    def mask(text: str) -> tuple[str, tuple[str, ...]]:
        from memoro.backends.masking import mask_secrets

        masked, found = mask_secrets(text)
        return masked, tuple(found)

    return Door(mask, lambda: max_facts(app))


def _usage(app: App, store: SqliteStore) -> dict[str, Any]:
    from memoro.app.learning import usage
    from memoro.app.recalling import embedding_costs

    used = usage(app, store)
    return {
        **used._asdict(),
        "average_seconds": round(used.average_seconds, 3),
        "messages_per_session": round(used.messages_per_session, 3),
        "features": [
            {"name": one.name, "count": one.times, "parts": dict(one.parts)}
            for one in used.features
        ],
        "commands": [{"command": one.command, "count": one.times} for one in used.commands],
        "errors": [one._asdict() for one in used.errors],
        "embeddings": [
            {"embedder": name, "texts": texts, "tokens": tokens}
            for name, texts, tokens in embedding_costs(app, store)
        ],
    }


def _merged(taken: Taken, told: Sequence[str]) -> MergedFiles:
    merged = taken.merged
    return MergedFiles(
        taken.change,
        tuple(one.id for one in merged.added),
        tuple(one.id for one in merged.changed),
        tuple(one.id for one in merged.deleted),
        tuple((one.file, one.deleted, one.of) for one in taken.waiting),
        tuple(told),
        not (taken.bad or taken.refused or merged.problems),
    )


def _told(app: App, synced: Synced) -> None:
    # What a start has told need not be told again at the end.
    app.notices += [line for line in _lines(app, synced) if line not in app.notices]


def _lines(app: App, synced: Synced) -> list[str]:
    folder = path_of(app.settings.home)
    taken = synced.taken
    changed = [] if taken.change is None else [tell_change(taken.merged, taken.change)]
    waiting = [tell_waiting(one, folder) for one in synced.waiting]
    return [*changed, *synced.told, *waiting, *_errors(synced)]


def _errors(synced: Synced) -> list[str]:
    """Of many errors, which are mostly one, the first."""
    return [_failed(error) for error in synced.errors[:1]]


def _failed(error: MemoroError) -> str:
    fix = f"; {error.fix}" if error.fix else ""
    return (
        f"the plain files could not be brought up to date: {error.what}{fix}. Nothing is lost: it"
        " is tried again by the next command that changes something"
    )


def _not_busy(app: App, synced: Synced) -> None:
    if synced.is_busy:
        raise StoreLockedError(
            f"another process is at work on {path_of(app.settings.home)}", "try again in a moment"
        )


def _lock_seconds(app: App) -> float:
    return float(app.settings.number("lock_seconds"))


def _ours(store: MemoryStore) -> SqliteStore:
    assert isinstance(store, SqliteStore), "there is one kind of store"
    return store


def state_of_mirror(app: App, store: SqliteStore) -> tuple[bool, str, str]:
    """How the files are, for the doctor: whether all is well, how it is, what to do."""
    path = path_of(app.settings.home)
    if not app.mirrors():
        return True, "plain files are switched off", ""
    with store.guarded():
        behind = how_far_behind(store.connection)
        edited = is_edited(store.connection, path)
    if edited:
        return True, f"{path} has edits that are not merged yet", "memoro memory merge"
    if behind:
        told = f"{path} lacks {counted(behind, 'record')} changed since it was written"
        return True, told, "memoro memory mirror"
    return True, f"{path} is up to date", ""


def take_back(app: App) -> None:
    """Take what a store that was just rebuilt lacks from the plain files, and write them anew."""
    from memoro.backends.mirror.state import forget_all
    from memoro.backends.sqlite.database import writing

    app.merges_itself = True
    store = _ours(app.services(writes=True).store)
    with store.guarded(), writing(store.connection):
        forget_all(store.connection)
    if app.mirrors():
        _told(app, _sync(app, store, How(wait_seconds=_lock_seconds(app))))


def known_of(app: App) -> Mapping[str, Known]:
    """The plain files as the store that stands there knows them, whatever has become of it."""
    import apsw

    from memoro.backends.mirror.state import known_files
    from memoro.backends.sqlite.paths import StorePaths

    try:
        path = StorePaths(app.settings.home).database
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
        try:
            return known_files(connection)
        finally:
            connection.close()
    except (apsw.Error, UnicodeDecodeError, ValueError):
        return {}


def part_from_files(app: App, known: Mapping[str, Known]) -> None:
    """Write all plain files anew: those that are there are of the store that was replaced. What a
    person has edited in them is kept under another name."""
    from memoro.backends.mirror.state import NOT_READ, drop_file, keep_file, known_files, set_state
    from memoro.backends.sqlite.database import writing

    if not app.mirrors():
        return
    app.merges_itself = True
    store = _ours(app.services(writes=True).store)
    connection = store.connection
    with store.guarded(), writing(connection):
        for name in known_files(connection):
            drop_file(connection, name)
        for name, one in known.items():
            keep_file(connection, name, one.seen, one.digest)
        set_state(connection, NOT_READ, None)
    _told(app, _sync(app, store, How(wait_seconds=_lock_seconds(app))))
