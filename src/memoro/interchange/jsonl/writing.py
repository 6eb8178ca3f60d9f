"""Writing an export as a file: all of it, or none."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Iterable
from typing import BinaryIO

from memoro.errors import Reason, Refusal
from memoro.memory.records import shown

_LEVEL = 6


def write_whole(path: str, texts: Iterable[str], replace: bool) -> Refusal | int:
    """Write a file that its owner alone can read, packed where its name ends in ".gz"; gives its
    bytes. It takes the place of another only with `replace`."""
    if not replace and os.path.lexists(path):
        return Refusal(
            Reason.CONFLICT, f"{path} is there already; nothing was written", "add --force"
        )
    if os.path.lexists(path) and not os.path.isfile(path):
        return Refusal(Reason.USAGE, f"{path} is no regular file; nothing was written")
    try:
        descriptor, partial = tempfile.mkstemp(prefix=".memoro-", dir=os.path.dirname(path))
        try:
            with os.fdopen(descriptor, "wb") as file:
                _fill(file, texts, path.lower().endswith(".gz"))
                file.flush()
                os.fsync(file.fileno())
                size = os.fstat(file.fileno()).st_size
            os.replace(partial, path)
        except BaseException:
            os.remove(partial)
            raise
    except OSError as error:
        return Refusal(
            Reason.FAILED,
            f"{shown(path, 200)} can't be written: {error.strerror or error};"
            " there is no half of it",
            "choose another place with --out",
        )
    return size


def _fill(file: BinaryIO, texts: Iterable[str], packed: bool) -> None:
    if not packed:
        file.writelines(one.encode() for one in texts)
        return
    # Without a name and a time in it the same lines give the same bytes.
    with gzip.GzipFile("", "wb", _LEVEL, file, mtime=0) as packing:
        packing.writelines(one.encode() for one in texts)
