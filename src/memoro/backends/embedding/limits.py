"""How much goes into one request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MOST_TEXTS = 96
MOST_BYTES = 200_000
LONGEST_TEXT = 8_000
"""Bytes of one text. A token is at least a byte, so this many fit the 8,191 tokens that models of
embeddings commonly read."""


def shortened(text: str) -> str:
    """The start of a text that every model can read, whole characters only, with whatever is no
    UTF-8 as question marks."""
    encoded = text.encode("utf-8", "replace")
    return encoded[:LONGEST_TEXT].decode("utf-8", "ignore")


def batches(texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    """The texts that have any words, shortened, each with its place, in groups that one request
    can take."""
    batch: list[tuple[int, str]] = []
    size = 0
    for place, text in enumerate(texts):
        text = shortened(text)
        if not text.strip():
            # Providers refuse the whole request for one empty text.
            continue
        length = len(text.encode())
        if batch and (len(batch) == MOST_TEXTS or size + length > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append((place, text))
        size += length
    if batch:
        yield batch
