"""Reading what can still be read of a damaged database."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import apsw

from memoro.backends.sqlite.database import connect, is_sound, run, writing
from memoro.backends.sqlite.header import HEADER_BYTES
from memoro.backends.sqlite.rows import from_json, loaded, to_time

_MOST_MISSES = 50_000
"""Rows that are looked for one by one and in vain until it is taken that there are no more: more
than the largest page that leads to others can hide."""

_LAST_ROWID = 2**63 - 1
_UNTYPED_TEXT = frozenset({"arguments", "detail", "error"})

_Row = tuple[Any, ...]


class Salvaged(NamedTuple):
    """How many rows were read, and which tables may have lost some."""

    rows: int
    damaged: tuple[str, ...]


def tables(connection: apsw.Connection) -> list[str]:
    """The names of a database's tables, in the order in which they were made; without those that
    are made anew from the others."""
    rows = run(
        connection,
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        " AND name NOT LIKE 'derived_%' ORDER BY rowid",
    )
    return [str(name) for (name,) in rows]


def differs(connection: apsw.Connection, template: apsw.Connection) -> bool:
    """Whether the damage shows in the schema, or in rows that no longer make sense."""
    sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
    try:
        if set(run(connection, sql)) != set(run(template, sql)):
            return True
        for table in tables(template):
            names = _columns(connection, table)
            rows = run(connection, f"SELECT {', '.join(names)} FROM {table}")
            if not all(_makes_sense(table, names, row) for row in rows):
                return True
    except (apsw.Error, UnicodeDecodeError):
        return True
    return False


def open_damaged(copy: str, first_pages: Sequence[bytes]) -> apsw.Connection | None:
    """Open a copy of a damaged database as leniently as can be.

    Where its first page is not to be understood, the header of another database of ours, and then
    all of that one's first page, is tried in its place.
    """
    size = os.path.getsize(copy)
    connection = _lenient(copy) if size else None
    if connection is not None and "change_sets" in _tables_of(connection):
        return connection
    for page in (*(page[:HEADER_BYTES] for page in first_pages), *first_pages):
        if connection is not None:
            connection.close()
        _write_over(copy, page, size)
        connection = _lenient(copy)
        if connection is not None and _has_sense(connection):
            return connection
    if connection is not None:
        connection.close()
    return None


def salvage(source: apsw.Connection, target: apsw.Connection) -> Salvaged:
    """Copy every row that can still be read; rows that are there already stay as they are."""
    read = 0
    damaged: list[str] = []
    for table in tables(target):
        names = [name for name in _columns(source, table) if name in _columns(target, table)]
        if not names:
            damaged.append(table)
            continue
        places = ", ".join("?" * len(names))
        insert = f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({places})"
        dropped = 0
        with writing(target):
            for row in _rows(source, table, names):
                if row and _makes_sense(table, names, row) and _put(target, insert, row):
                    read += 1
                else:
                    dropped += 1
        if dropped or not is_sound(source, table):
            damaged.append(table)
    return Salvaged(read, tuple(damaged))


def fill(source: apsw.Connection, target: apsw.Connection, names: Sequence[str]) -> None:
    """Add the rows of these tables that a backup has and the target lacks."""
    for table in names:
        shared = [name for name in _columns(source, table) if name in _columns(target, table)]
        if shared:
            places = ", ".join("?" * len(shared))
            insert = f"INSERT OR IGNORE INTO {table} ({', '.join(shared)}) VALUES ({places})"
            with writing(target):
                for row in run(source, f"SELECT {', '.join(shared)} FROM {table}"):
                    run(target, insert, row)


def _lenient(copy: str) -> apsw.Connection | None:
    try:
        connection = connect(copy, 0)
    except apsw.Error:
        return None
    # A file that is shorter than it says, and pages with one bad cell, are read all the same.
    connection.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
    run(connection, "PRAGMA cell_size_check = OFF")
    return connection


def _tables_of(connection: apsw.Connection) -> list[str]:
    try:
        return tables(connection)
    except (apsw.Error, UnicodeDecodeError):
        return []


def _has_sense(connection: apsw.Connection) -> bool:
    """Whether any row can be read with these tables' places in the file."""
    for table in _tables_of(connection):
        names = _columns(connection, table)
        try:
            rows = run(connection, f"SELECT {', '.join(names)} FROM {table} LIMIT 1")
        except (apsw.Error, UnicodeDecodeError):
            continue
        if rows and any(rows[0]) and _makes_sense(table, names, rows[0]):
            return True
    return False


def _write_over(copy: str, page: bytes, size: int) -> None:
    page_size = int.from_bytes(page[16:18], "big")
    pages = max(1, size // page_size)
    logged = b"\2\2" if os.path.exists(copy + "-wal") else b"\1\1"
    # Its own length, no list of free pages, and the log is read where there is one.
    page = page[:18] + logged + page[20:28] + pages.to_bytes(4, "big") + bytes(8) + page[40:]
    with open(copy, "r+b") as file:
        file.write(page)


def _columns(connection: apsw.Connection, table: str) -> list[str]:
    try:
        return [str(row[1]) for row in run(connection, f"PRAGMA table_info({table})")]
    except (apsw.Error, UnicodeDecodeError):
        return []


def _rows(source: apsw.Connection, table: str, names: Sequence[str]) -> Iterator[_Row | None]:
    """The rows of a table, from both ends up to the damage, then one by one in between; None where
    some can't be read."""
    what = f"SELECT rowid, {', '.join(names)} FROM {table}"
    first, last = 0, _LAST_ROWID
    try:
        for row in source.execute(f"{what} ORDER BY rowid"):
            first = _rowid(row)
            yield row[1:]
        return
    except apsw.SQLError:
        # A table without row IDs.
        yield from _plain_rows(source, table, names)
        return
    except (apsw.Error, UnicodeDecodeError):
        yield None
    try:
        for row in source.execute(f"{what} WHERE rowid > ? ORDER BY rowid DESC", (first,)):
            last = _rowid(row)
            yield row[1:]
    except (apsw.Error, UnicodeDecodeError):
        pass
    misses, rowid = 0, first + 1
    while rowid < last and misses < _MOST_MISSES:
        try:
            found = [row[1:] for row in run(source, f"{what} WHERE rowid = ?", [rowid])]
        except (apsw.Error, UnicodeDecodeError):
            found = []
        yield from found
        misses, rowid = 0 if found else misses + 1, rowid + 1


def _plain_rows(source: apsw.Connection, table: str, names: Sequence[str]) -> Iterator[_Row | None]:
    try:
        yield from source.execute(f"SELECT {', '.join(names)} FROM {table}")
    except (apsw.Error, UnicodeDecodeError):
        yield None


def _rowid(row: Sequence[Any]) -> int:
    assert isinstance(row[0], int)
    return row[0]


def _put(target: apsw.Connection, insert: str, row: _Row) -> bool:
    try:
        run(target, insert, row)
    except (apsw.ConstraintError, apsw.MismatchError):
        return False
    return bool(target.changes())


def _makes_sense(table: str, names: Sequence[str], row: Sequence[Any]) -> bool:
    """Whether the fields of a row can be what their names say."""
    try:
        for name, value in zip(names, row, strict=True):
            if not isinstance(value, str) or name in _UNTYPED_TEXT:
                continue
            if name in ("before", "after"):
                from_json(value)
            elif table == "records":
                loaded(name, value)
                if "\0" in value:
                    # What was cut off is read as zeros; no record holds any.
                    return False
            elif name == "blocks":
                dict(json.loads(value))
            elif name == "at" or name.endswith("_at"):
                to_time(value)
    except (ValueError, TypeError):
        return False
    return True
