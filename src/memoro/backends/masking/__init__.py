"""Secrets at the door of memory: each is replaced by a placeholder before anything is stored.

Keys and tokens are told by their shape, passwords by the words around them, others by what
carries them. Nothing leaves the process, and little is loaded before the first text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memoro.backends.masking.spans import Span

# One pass finds what there is; the others see to it that nothing is laid bare by the first.
_MOST_PASSES = 4


class Masked(NamedTuple):
    """A text without its secrets, and of which kinds these were, in the order of the text."""

    text: str
    kinds: tuple[str, ...]


class _Placed(NamedTuple):
    start: int
    kind: str


def mask_secrets(text: str) -> Masked:
    """Replace each secret in a text by `[secret: KIND]`; everything else stays as it is.

    A second time finds nothing and changes nothing. A secret that looks like words and is not
    called one is not found, nor is one whose name stands in another sentence.
    """
    from memoro.backends.masking.search import find_secrets

    placed: list[_Placed] = []
    for _ in range(_MOST_PASSES):
        spans = find_secrets(text)
        if not spans:
            break
        text, placed = _replaced(text, spans, placed)
    return Masked(text, tuple(each.kind for each in placed))


def _replaced(
    text: str, spans: Iterable[Span], placed: Iterable[_Placed]
) -> tuple[str, list[_Placed]]:
    """The text with placeholders for the spans, and where each placeholder of ours now stands."""
    earlier = list(placed)
    pieces: list[str] = []
    now: list[_Placed] = []
    length = last = 0
    for start, end, kind in spans:
        while earlier and earlier[0].start < end:
            passed = earlier.pop(0)
            if passed.start < start:
                now.append(_Placed(passed.start - last + length, passed.kind))
        shown = f"[secret: {kind}]"
        now.append(_Placed(length + start - last, kind))
        pieces += text[last:start], shown
        length += start - last + len(shown)
        last = end
    now += [_Placed(each.start - last + length, each.kind) for each in earlier]
    pieces.append(text[last:])
    return "".join(pieces), now
