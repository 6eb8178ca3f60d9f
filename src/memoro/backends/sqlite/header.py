"""What the first bytes of a database file say, before SQLite may touch it."""

import os
from typing import NamedTuple

import apsw

from memoro.backends.sqlite.paths import is_there
from memoro.backends.sqlite.raw import opened_raw
from memoro.errors import StoreForeignError, StoreTooNewError

APPLICATION_ID = 0x4D656D6F
"""The ASCII of "Memo", in the file's header."""

MAGIC = b"SQLite format 3\0"
HEADER_BYTES = 100

_OUR_TABLE = b"change_sets"
_MODES = (b"\1\1", b"\2\2")
_FRACTIONS = b"\0\x40\x20\x20"
_PAGE_SIZES = frozenset(1 << power for power in range(9, 17))


class Doubt(NamedTuple):
    """A reason to take a file for damaged; not `sure` where a write-ahead log may explain it."""

    told: str
    sure: bool


def look(path: str, latest: int, known_here: bool) -> Doubt | None:
    """Look at a database file without opening it as one; None where nothing speaks against it.

    A file that was cut off is found here: SQLite would read the missing end of its last page as
    zeros, and write over it. `known_here` says that there was a store of ours in that place.

    What is seen of a file that others write to may be half of their step: ask again, or with the
    lock held alone.

    Raises:
        StoreForeignError, StoreTooNewError: it is not ours to touch.
    """
    if not is_there(path):
        return Doubt(f"{path} is missing", sure=False)
    header = _start_of(path)
    # The size after the header: a file that grows is never seen as too short.
    size = os.stat(path).st_size
    if size == 0:
        return Doubt(f"{path} is empty", sure=True)
    if not header.startswith(MAGIC):
        if known_here or _mentions_us(path):
            return Doubt(f"{path} is damaged: its header is not a database's", sure=True)
        raise _foreign(path)
    if len(header) < HEADER_BYTES:
        return Doubt(f"{path} is cut off: {size:,} bytes are left", sure=True)
    return _identity_doubt(path, header, latest) or _size_doubt(path, header, size)


def _start_of(path: str) -> bytes:
    try:
        with opened_raw(path) as read:
            return read(HEADER_BYTES)
    except OSError:
        # Then no connection of this process has it open; and this error says more.
        with open(path, "rb") as file:
            return file.read(HEADER_BYTES)


def check_version(path: str, version: int, latest: int) -> None:
    """Refuse a schema that we don't know.

    Raises:
        StoreTooNewError: as it says.
    """
    if version > latest:
        raise StoreTooNewError(
            f"{path} was written by a newer Memoro (schema {version}; this one knows {latest});"
            " it was left alone",
            "upgrade Memoro: pip install --upgrade memoro",
        )


def number(header: bytes, offset: int) -> int:
    """A field of four bytes."""
    return int.from_bytes(header[offset : offset + 4], "big")


def _identity_doubt(path: str, header: bytes, latest: int) -> Doubt | None:
    if number(header, 68) != APPLICATION_ID:
        if _has_our_tables(path):
            return Doubt(f"{path} is damaged: its header has another program's mark", sure=True)
        raise _foreign(path)
    check_version(path, number(header, 60), latest)
    return None


def _size_doubt(path: str, header: bytes, size: int) -> Doubt | None:
    page = int.from_bytes(header[16:18], "big")
    page = 65_536 if page == 1 else page
    if page not in _PAGE_SIZES or header[18:20] not in _MODES or header[20:24] != _FRACTIONS:
        return Doubt(f"{path} is damaged: its header makes no sense", sure=True)
    whole = number(header, 28) * page
    if size % page:
        return Doubt(f"{path} is cut off: {size:,} of {whole:,} bytes are left", sure=True)
    if size < whole:
        # The first page is the first that a checkpoint writes, the last ones follow; one that was
        # killed in between is finished by the next opening.
        told = f"{path} is cut off: {size:,} of {whole:,} bytes are left"
        return Doubt(told, sure=not _has_bytes(path + "-wal"))
    return None


def _has_bytes(path: str) -> bool:
    try:
        return os.stat(path).st_size > 0
    except OSError:
        return False


def _mentions_us(path: str) -> bool:
    import mmap

    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as view:
        return view.find(_OUR_TABLE) >= 0


def _has_our_tables(path: str) -> bool:
    from urllib.parse import quote

    # Immutable: SQLite plays no log back and leaves no file beside one that may not be ours.
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        connection = apsw.Connection(f"file:{quote(path)}?immutable=1", flags=flags)
    except apsw.Error:
        return False
    try:
        sql = "SELECT 1 FROM sqlite_schema WHERE name = ?"
        return bool(connection.execute(sql, (_OUR_TABLE.decode(),)).fetchall())
    except apsw.Error:
        return _mentions_us(path)
    finally:
        connection.close()


def _foreign(path: str) -> StoreForeignError:
    return StoreForeignError(
        f"{path} belongs to another program; it was left alone",
        "move it away, or set MEMORO_HOME to another folder",
    )
