"""Ways to damage a store, and what a surface does with one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import apsw
from store_world import (
    NOW,
    adding,
    done,
    note,
    opened,
)

from memoro.backends.sqlite.header import HEADER_BYTES
from memoro.backends.sqlite.paths import StorePaths
from memoro.backends.sqlite.repair.rebuilding import rebuild
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import StoreDamagedError
from memoro.memory.records import NOTE
from memoro.memory.undo import undo
from running import Memoro

PAGE = 4_096


def cut_40(path: Path) -> None:
    """Cut 40 bytes off, as a torn write would."""
    os.truncate(path, path.stat().st_size - 40)


def cut_page(path: Path) -> None:
    """Cut a page off."""
    os.truncate(path, path.stat().st_size - PAGE)


def halve(path: Path) -> None:
    """Cut it in two."""
    os.truncate(path, path.stat().st_size // 2)


def leave_50_bytes(path: Path) -> None:
    """Leave less than a header."""
    os.truncate(path, 50)


def empty_out(path: Path) -> None:
    """Leave nothing."""
    os.truncate(path, 0)


def write_at(path: Path, offset: int, raw: bytes) -> None:
    """Write over a place in a file."""
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(raw)


def garble_header(path: Path) -> None:
    """Write garbage over the header."""
    write_at(path, 0, b"\xa5" * HEADER_BYTES)


def zero_first_page(path: Path) -> None:
    """Zero the page that leads to all others."""
    write_at(path, 0, bytes(PAGE))


def zero_all(path: Path) -> None:
    """Zero everything."""
    path.write_bytes(bytes(path.stat().st_size))


def forget_application(path: Path) -> None:
    """Zero the mark of the program."""
    write_at(path, 68, b"\0\0\0\0")


def forget_mode(path: Path) -> None:
    """Make it a mode that there is not."""
    write_at(path, 18, b"\3")


def drop_table(path: Path) -> None:
    """Take a table out."""
    connection = apsw.Connection(str(path))
    connection.execute("DROP TABLE erasures").fetchall()
    connection.close()


def break_schema(path: Path) -> None:
    """Misspell a table."""
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"CREATE TABLE records", b"CREATE TABLE recorts"))


def zero_tables(path: Path, *names: str) -> None:
    """Zero the page that leads to all rows of a table."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
    pages = [int(str(connection.execute(sql, (name,)).fetchall()[0][0])) for name in names]
    connection.close()
    for page in pages:
        write_at(path, (page - 1) * PAGE, bytes(PAGE))


Damage = Callable[[Path], None]


DAMAGES = [
    cut_40,
    cut_page,
    halve,
    leave_50_bytes,
    empty_out,
    garble_header,
    zero_first_page,
    zero_all,
    forget_application,
    break_schema,
    forget_mode,
    drop_table,
]


READABLE = [
    cut_40,
    garble_header,
    forget_application,
    break_schema,
    forget_mode,
    drop_table,
]


def three_facts(memoro: Memoro) -> Path:
    """Save three facts by command; the day's backup has the first alone. Gives the database."""
    for key in ("one", "two", "three"):
        memoro.ok("memory", "remember", key, f"value {key}")
    return memoro.home / "memory.db"


def kept_aside(home: Path) -> list[bytes]:
    """The bytes of the databases that were set aside."""
    return [path.read_bytes() for path in home.glob("memory.db.corrupt-*[!l]")]


def page_of(path: Path, needle: str) -> int:
    """The page on which a text stands first."""
    return path.read_bytes().index(needle.encode()) // PAGE


def many_notes(home: Path) -> list[str]:
    """Write 120 notes, and a backup; gives their IDs."""
    ids = [f"n{number:03}" for number in range(120)]
    with opened(home, daily=True) as (store, _):
        for note_id in ids:
            done(store, adding(note(note_id, f"<{note_id}> " * 60)))
    return ids


def read_or_mend(store: SqliteStore, home: Path, probe: str = "probe") -> bool:
    """What a surface does with a store that turns out to be damaged while it is in use; whether
    that was before anything was written.

    It makes a note of the ID `probe` and takes it back; where the damage is met in between, the
    note stands, since it was acknowledged."""

    wrote = False
    try:
        store.select(NOTE.name)
        store.changes()
        wrote = True
        done(store, adding(note(probe)))
        done(store, undo(None, NOW))
        damage = "found by nobody"
    except StoreDamagedError as error:
        damage = error.what
    store.close()
    rebuild(StorePaths(str(home)), NOW, 5, damage)
    return not wrote
