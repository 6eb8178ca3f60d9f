"""What was last written into the folder, as the store remembers it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

import apsw

from memoro.backends.mirror.folder import Seen
from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.rows import to_text, to_time

FORM = 1
"""Of the files; those of another one are all written anew."""

NOT_READ = -1
"""`upto` where the files are of another store: all are written anew, none is merged."""


class State(NamedTuple):
    """How far the folder is. `form` is that of its files."""

    form: int
    upto: int
    used: datetime | None


class Known(NamedTuple):
    """A file that was written: how it was seen then, the digest of its bytes, and that of what was
    about to replace it."""

    seen: Seen
    digest: str
    coming: str | None = None


class Line(NamedTuple):
    """Where a record's line stands, its digest, and the page of a day that has it too."""

    file: str
    digest: str
    page: str | None = None


_NEVER = Seen(-1, -1, -1)
_UNKNOWN = "?"
"""What is about to replace a page, as long as that is not made yet."""


def digest_of_bytes(data: bytes) -> str:
    """The digest of a file."""
    return sha256(data).hexdigest()[:32]


def state(connection: apsw.Connection) -> State | None:
    """How far the folder is; None where none was ever written."""
    rows = run(connection, "SELECT form, upto, used FROM derived_mirror")
    if not rows:
        return None
    form, upto, used = rows[0]
    return State(int(str(form)), int(str(upto)), None if used is None else to_time(str(used)))


def set_state(
    connection: apsw.Connection, upto: int, used: datetime | None, form: int = FORM
) -> None:
    """Say how far it is."""
    run(connection, "DELETE FROM derived_mirror")
    told = None if used is None else to_text(used)
    run(connection, "INSERT INTO derived_mirror VALUES (?, ?, ?)", [form, upto, told])


def last_change(connection: apsw.Connection) -> int:
    """The last change in the log."""
    return int(str(run(connection, "SELECT coalesce(max(id), 0) FROM change_sets")[0][0]))


def changes_in(connection: apsw.Connection, after: int, upto: int) -> int:
    """How many changes of records these entries of the log have. An entry may be added to when
    younger ones have been begun; none loses any."""
    rows = run(
        connection,
        "SELECT count(*) FROM changes WHERE change_set > ? AND change_set <= ?",
        [after, upto],
    )
    return int(str(rows[0][0]))


def known_files(connection: apsw.Connection) -> dict[str, Known]:
    """Every file that was written."""
    rows = run(
        connection, "SELECT name, size, mtime, inode, digest, coming FROM derived_mirror_files"
    )
    return {
        str(name): Known(
            Seen(int(str(size)), int(str(mtime)), int(str(inode))),
            str(digest),
            None if coming is None else str(coming),
        )
        for name, size, mtime, inode, digest, coming in rows
    }


def announce(connection: apsw.Connection, digests: Mapping[str, str]) -> None:
    """Say which bytes are about to take the place of these files."""
    for name, digest in digests.items():
        run(
            connection,
            "INSERT INTO derived_mirror_files VALUES (?1, ?2, ?3, ?4, '', ?5)"
            " ON CONFLICT (name) DO UPDATE SET coming = ?5",
            [name, *_NEVER, digest],
        )


def mark_pages(connection: apsw.Connection, names: Collection[str]) -> None:
    """Say that these pages have to be written, whenever we may be killed before they are."""
    for name in names:
        run(
            connection,
            "UPDATE derived_mirror_files SET coming = coalesce(coming, ?) WHERE name = ?",
            [_UNKNOWN, name],
        )


def keep_file(connection: apsw.Connection, name: str, seen: Seen, digest: str) -> None:
    """Say how a file was written."""
    run(
        connection,
        "INSERT OR REPLACE INTO derived_mirror_files VALUES (?, ?, ?, ?, ?, NULL)",
        [name, *seen, digest],
    )


def drop_file(connection: apsw.Connection, name: str) -> None:
    """Say that a file is no more. Its lines keep their place, should it come back."""
    run(connection, "DELETE FROM derived_mirror_files WHERE name = ?", [name])


def lines_in(connection: apsw.Connection, file: str) -> dict[str, Line]:
    """The lines of a file, by their records."""
    rows = run(
        connection,
        "SELECT record, file, digest, page FROM derived_mirror_lines WHERE file = ?",
        [file],
    )
    return {str(record): _line(*rest) for record, *rest in rows}


def lines_of(connection: apsw.Connection, records: Collection[str]) -> dict[str, Line]:
    """The lines of these records."""
    found: dict[str, Line] = {}
    for record in records:
        rows = run(
            connection,
            "SELECT file, digest, page FROM derived_mirror_lines WHERE record = ?",
            [record],
        )
        if rows:
            found[record] = _line(*rows[0])
    return found


def keep_lines(connection: apsw.Connection, lines: Iterable[tuple[str, Line]]) -> None:
    """Say where lines stand now."""
    for record, line in lines:
        run(
            connection,
            "INSERT OR REPLACE INTO derived_mirror_lines VALUES (?, ?, ?, ?)",
            [record, *line],
        )


def drop_lines(connection: apsw.Connection, records: Iterable[str]) -> None:
    """Say that records stand in no file any more."""
    for record in records:
        run(connection, "DELETE FROM derived_mirror_lines WHERE record = ?", [record])


def forget_all(connection: apsw.Connection) -> None:
    """Say that nothing is known of the folder."""
    for table in ("derived_mirror", "derived_mirror_files", "derived_mirror_lines"):
        run(connection, f"DELETE FROM {table}")


def _line(file: object, digest: object, page: object) -> Line:
    return Line(str(file), str(digest), None if page is None else str(page))
