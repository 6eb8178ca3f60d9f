"""What stays of texts that are together too long: the head of each, the first text cut first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_NAMES = 10


class Part(NamedTuple):
    """A text under an optional line that names where it is from; without text it has no head."""

    head: str
    body: str

    @property
    def text(self) -> str:
        return self.head + self.body if self.body else ""


def size(text: str) -> int:
    """The text's length in bytes of UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


def joined(texts: Sequence[str]) -> str:
    """The texts with a blank line between each two; empty ones are left out."""
    there = [text for text in texts if text]
    ended = [text if text.endswith("\n") else text + "\n" for text in there[:-1]]
    return "\n".join((*ended, *there[-1:]))


def shorten(text: str, room: int, long_line: int) -> str:
    """The head of the text that fits, up to the end of a line.

    Only where the line that doesn't fit has more than `long_line` bytes it is cut as well, between
    two characters.

    Args:
        text: what to cut.
        room: the most bytes to keep.
        long_line: the bytes from which a line is too long to be kept or lost as a whole.
    """
    raw = text.encode()
    if len(raw) <= room:
        return text
    room = max(room, 0)
    start = raw.rfind(b"\n", 0, room) + 1
    end = raw.find(b"\n", room)
    line_bytes = (len(raw) if end < 0 else end) - start
    kept = raw[:room] if line_bytes > long_line else raw[:start]
    # A character that the cut goes through is left out.
    return kept.decode("utf-8", "ignore")


def fit(parts: Sequence[Part], cap: int) -> list[Part]:
    """Cut the parts so that their joined texts have at most `cap` bytes; the first lose first.

    Heads and the blank lines between parts count. A part of which no text remains is left empty.
    """
    kept = list(parts)
    total = size(joined([part.text for part in kept]))
    for index, part in enumerate(kept):
        while total > cap and part.body:
            room = size(part.body) - (total - cap)
            part = part._replace(body=shorten(part.body, room, cap))
            kept[index] = part
            total = size(joined([each.text for each in kept]))
    return kept


def cut_note(cap: int, lost: Sequence[tuple[str, int]]) -> str:
    """The comment that says what was cut.

    Args:
        cap: the most bytes that were to be kept.
        lost: what was cut, by name, and how many bytes each lost.
    """
    named = [
        f"{name} lost {count:,} byte{'' if count == 1 else 's'}"
        for name, count in lost[:_MOST_NAMES]
    ]
    if len(lost) > _MOST_NAMES:
        named.append(f"{len(lost) - _MOST_NAMES} more files were cut")
    return f"<!-- cut to {cap:,} bytes: {', '.join(named)} -->"
