"""Instruction text from bytes: what is certain is decoded, what is not is said."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_LINE_ENDS = re.compile("\r\n?|[\x85\u2028\u2029]")


class Decoded(NamedTuple):
    """The text with `\\n` as its only line end, None where the bytes are no text.

    `flaw` says which byte is why, or which was replaced by U+FFFD; None where there is none.
    """

    text: str | None
    flaw: str | None


def decode(raw: bytes, whole: bool) -> Decoded:
    """Decode UTF-8, or UTF-16 that says so by its byte order mark.

    Args:
        raw: the file's first bytes.
        whole: whether that is all of it; else a character that the end cuts in two is left out.
    """
    encoding = _UTF16.get(raw[:2])
    if encoding:
        return _decoded(raw, 2, encoding, whole)
    start = len(codecs.BOM_UTF8) if raw.startswith(codecs.BOM_UTF8) else 0
    return _decoded(raw, start, "utf-8", whole)


def _decoded(raw: bytes, start: int, encoding: str, whole: bool) -> Decoded:
    body = raw[start:]
    nul = _nul_offset(body, encoding)
    if nul is not None:
        guess = ", perhaps UTF-16 without a byte order mark" if _looks_utf16(raw) else ""
        return Decoded(None, f"NUL byte at byte offset {start + nul}{guess}")
    text = codecs.getincrementaldecoder(encoding)("replace").decode(body, whole)
    bad = _first_bad_byte(body, encoding, whole)
    flaw = None
    if bad is not None:
        replaced = text.count("\ufffd") - body.count("\ufffd".encode(encoding))
        flaw = (
            f"byte 0x{body[bad]:02x} at byte offset {start + bad} is not {_NAMES[encoding]},"
            f" shown as U+FFFD ({max(replaced, 1)} in all)"
        )
    return Decoded(_LINE_ENDS.sub("\n", text), flaw)


_NAMES = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}


def _nul_offset(body: bytes, encoding: str) -> int | None:
    if encoding == "utf-8":
        found = body.find(0)
        return found if found >= 0 else None
    # A NUL character, not a NUL byte, which half of the bytes of Latin text are.
    for match in re.finditer(rb"\0\0", body):
        aligned = match.start() + match.start() % 2
        if body[aligned : aligned + 2] == b"\0\0":
            return aligned
    return None


def _looks_utf16(raw: bytes) -> bool:
    return raw[1::2].count(0) * 2 > len(raw) // 2 or raw[::2].count(0) * 2 > len(raw) // 2


def _first_bad_byte(body: bytes, encoding: str, whole: bool) -> int | None:
    try:
        codecs.getincrementaldecoder(encoding)("strict").decode(body, whole)
    except UnicodeDecodeError as error:
        return error.start
    return None
