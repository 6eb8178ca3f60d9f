"""Whether there is anything to do, found out without reading a file: asked at every start."""

from __future__ import annotations

import os
import stat

import apsw

from memoro.backends.sqlite.database import run

FOLDER = "memory"
"""The folder's name in Memoro's home."""


def is_edited(connection: apsw.Connection, path: str) -> bool:
    """Whether a file of records is another than was written, was added, or is gone."""
    known = {
        str(name): seen
        for name, *seen in run(
            connection, "SELECT name, size, mtime, inode FROM derived_mirror_files"
        )
        if str(name).endswith(".json") and name != "usage.json"
    }
    try:
        with os.scandir(path) as entries:
            found = {one.name: one for one in entries if one.name.endswith(".json")}
    except FileNotFoundError:
        return bool(known)
    except OSError:
        # Told where it is to be written.
        return False
    found.pop("usage.json", None)
    if known.keys() - found.keys():
        return True
    for name, entry in found.items():
        if name not in known:
            # Loaded only here: most folders hold nothing that we don't know.
            from memoro.backends.mirror.names import group_of

            if group_of(name) is not None:
                return True
        elif _seen(entry) != known[name]:
            return True
    return False


def owes(connection: apsw.Connection) -> bool:
    """Whether something that was forgotten may still stand in a file: whoever forgot it was killed
    before the files were written."""
    rows = run(
        connection,
        "SELECT 1 FROM derived_mirror m JOIN change_sets s ON s.id > m.upto WHERE s.final LIMIT 1",
    )
    return bool(rows)


def how_far_behind(connection: apsw.Connection) -> int:
    """How many records have changed since the files were written; where they never were, all."""
    from memoro.backends.mirror.names import BY_KIND

    kinds = f"kind IN ({', '.join('?' * len(BY_KIND))})"
    rows = run(connection, "SELECT upto FROM derived_mirror")
    if not rows or int(str(rows[0][0])) < 0:
        sql, values = f"SELECT count(*) FROM records WHERE {kinds}", [*BY_KIND]
    else:
        # What the log says of conversations, which stand in no file, are no records.
        sql = f"SELECT count(DISTINCT record_id) FROM changes WHERE change_set > ? AND {kinds}"
        values = [rows[0][0], *BY_KIND]
    return int(str(run(connection, sql, values)[0][0]))


def has_files(home: str) -> bool:
    """Whether a home without a store has files of records, or a page of facts."""
    from memoro.backends.mirror.names import PAGE, group_of

    if os.path.lexists(os.path.join(home, PAGE)):
        return True
    try:
        names = os.listdir(os.path.join(home, FOLDER))
    except OSError:
        return False
    return any(name == PAGE or group_of(name) is not None for name in names)


def _seen(entry: os.DirEntry[str]) -> list[object]:
    found = entry.stat(follow_symlinks=False)
    if not stat.S_ISREG(found.st_mode):
        return []
    return [found.st_size, found.st_mtime_ns, found.st_ino & (2**63 - 1)]
