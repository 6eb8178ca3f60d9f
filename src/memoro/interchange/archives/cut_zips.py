"""A zip that ends in the middle, as a broken download does: its list of members stands at its end
and is missing, but each member says before its bytes what it is."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

MOST_INFLATED = 200
"""How many times as large as packed a member may be; conversations are some 4 to 10 times."""
SMALL = 1024 * 1024
"""What so few bytes swell to, does no harm."""

_HEADER = struct.Struct("<4s5H3L2H")
_SIGNATURE = b"PK\x03\x04"
_DESCRIBED_LATER = 0x08
_LOCKED = 0x01
_UTF8 = 0x800
_STORED, _DEFLATED = 0, 8
_DESCRIPTOR = b"PK\x07\x08"
_CHUNK = 64 * 1024
_LONG_SIZE = 0xFFFFFFFF


class Member(NamedTuple):
    """A member's name, and its bytes as far as they are there."""

    name: str
    stream: Inflating


class Inflating:
    """The bytes of a member, unpacked as they are read; at most so many."""

    def __init__(self, stream: IO[bytes], packed: int | None, deflated: bool, most: int) -> None:
        self._stream = stream
        self._packed = packed
        self._most = most
        self._read = 0
        self._given = 0
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS) if deflated else None

    def read(self, size: int) -> bytes:
        """So many bytes, or fewer; none at the end of the member or of the file.

        Raises:
            zlib.error: the bytes are damaged, or more than may be.
        """
        if self._inflate is None:
            return self._raw(size)
        while not self._inflate.eof:
            raw = self._inflate.unconsumed_tail or self._raw(_CHUNK)
            found = self._inflate.decompress(raw, size)
            self._given += len(found)
            if self._given > min(self._most, MOST_INFLATED * self._read + SMALL):
                raise zlib.error(f"it swells to more than {MOST_INFLATED} times its size")
            if found or not raw:
                return found
        return b""

    def finish(self) -> bool:
        """Go on to what follows after it; whether all of it was there."""
        if self._inflate is None:
            while self._raw(_CHUNK):
                pass
            return not self._packed
        if self._packed is not None:
            self._stream.seek(self._packed, 1)
            return True
        while not self._inflate.eof:
            if not self.read(_CHUNK):
                return self._inflate.eof
        self._stream.seek(-len(self._inflate.unused_data), 1)
        return True

    def _raw(self, size: int) -> bytes:
        raw = self._stream.read(size if self._packed is None else min(size, self._packed))
        self._read += len(raw)
        if self._packed is not None:
            self._packed -= len(raw)
        return raw


def members(stream: IO[bytes], most: int) -> Iterator[Member]:
    """The members one after the other, as far as there are any; each is passed over when the next
    one is asked for."""
    while (raw := stream.read(_HEADER.size)) and len(raw) == _HEADER.size:
        signature, _, flags, method, _, _, _, packed, _, name_size, extra = _HEADER.unpack(raw)
        if signature != _SIGNATURE or method not in (_STORED, _DEFLATED) or flags & _LOCKED:
            return
        name = stream.read(name_size).decode("utf-8" if flags & _UTF8 else "cp437", "replace")
        stream.seek(extra, 1)
        later = bool(flags & _DESCRIBED_LATER) or packed == _LONG_SIZE
        if later and method == _STORED:
            # Where it ends, nothing tells.
            return
        inner = Inflating(stream, None if later else packed, method == _DEFLATED, most)
        yield Member(name, inner)
        if not inner.finish():
            return
        if flags & _DESCRIBED_LATER:
            _skip_descriptor(stream)


def _skip_descriptor(stream: IO[bytes]) -> None:
    """Go past the checksum and the sizes, which may be long, with a mark before them or not."""
    start = stream.tell()
    raw = stream.read(24 + len(_SIGNATURE))
    first = len(_DESCRIPTOR) if raw.startswith(_DESCRIPTOR) else 0
    for size in (12, 20):
        if raw[first + size :].startswith((_SIGNATURE, b"PK\x01\x02")):
            stream.seek(start + first + size)
            return
    stream.seek(start + first + 12)
