"""All that is secret in a text: what each of the finders finds, the surest first."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from memoro.backends.masking import cards, carriers, formats, keys, named, shapes
from memoro.backends.masking.plain import plain, unwrapped
from memoro.backends.masking.spans import Span, is_scrambled, merged

if TYPE_CHECKING:
    from collections.abc import Iterator

# A wrapped token of these kinds can't be told from a whole one with a line of its own below.
_OPEN_ENDED = frozenset({"JWT"})


def find_secrets(text: str) -> list[Span]:
    """The secrets in a text, in its order, none within another."""
    view = plain(text, _kinds())
    found = merged(
        (
            *keys.find_keys(view.text),
            *shapes.find_shapes(view.text),
            *cards.find_cards(view.text),
            *carriers.find_carried(view.text),
            *named.find_named(view.text),
            *formats.find_formats(view.text),
            *_find_wrapped(view.text),
        )
    )
    return [Span(*view.origin(span.start, span.end), span.kind) for span in found]


def _find_wrapped(text: str) -> Iterator[Span]:
    """Tokens that a line break cuts in two, or several."""
    for joined in unwrapped(text):
        if not is_scrambled(joined.text):
            continue
        for is_exact, find in ((False, shapes.find_shapes), (True, formats.find_formats)):
            for span in find(joined.text):
                start, end = joined.origin(span.start, span.end)
                lines = text[start:end].split("\n")
                if not is_exact or span.kind in _OPEN_ENDED:
                    lines = [] if any(shapes.find_shapes(lines[0])) else lines
                while len(lines) > 1 and not is_scrambled(lines[-1]):
                    lines.pop()
                if len(lines) > 1:
                    yield Span(start, start + len("\n".join(lines)), span.kind)


@cache
def _kinds() -> frozenset[str]:
    ours = (keys.KINDS, shapes.KINDS, cards.KINDS, carriers.KINDS, named.KINDS)
    return frozenset[str]().union(*ours, formats.kinds())
