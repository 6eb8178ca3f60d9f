"""What all embedders of providers share: width, identity, batches, and leaving a failing one alone.

An embedder's identity is `provider:model:width`, with `@host` behind it where the host is not the
provider's own. Whoever keeps vectors keeps the identity with them, and compares it before they are
used: with another one they are not comparable and have to be made anew.

The width is what the model answers with, and nothing else, for a server can change its model behind
the same name. So the identity is known after the first answer. Asking for it before then sends one
word to find out, so it is cheapest to embed first and to compare then. Once the width is known,
an answer of another width is refused with `ModelBrokenError`, and from then on the embedder has the
identity of the new width: vectors of two widths never come from one identity.

An embedder is for one thread at a time. Another one costs nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from memoro.backends.embedding.failures import Failure
from memoro.backends.embedding.limits import batches
from memoro.errors import ModelBrokenError, ModelError
from memoro.memory.recall.embedding import Purpose
from memoro.memory.recall.vectors import quantised

QUERY_SECONDS = 5.0
"""The longest wait for a query's vector: words answer meanwhile, and a person waits."""


class Answer(NamedTuple):
    """What a provider answered: `vectors` as they came, unchecked, and the tokens it counted."""

    vectors: Sequence[Any]
    tokens: int = 0


Ask = Callable[[Sequence[str], Purpose, float], Answer | Failure]
"""One request: the texts, what they are for, and the seconds that it may take."""


class ProvidedEmbedder:
    """An `Embedder` over whatever answers one request.

    Texts are sent in groups of at most 96 and 200,000 bytes, one request after the other. Of a
    longer text its first 8,000 bytes count, cut between characters. A text without words has no
    vector, an empty row; so has one that the model answers with zeros.

    Nothing is asked twice. A provider that can't be reached or is busy is left alone for 30
    seconds, or as long as it asks for; until then the same error is raised at once.

    `spent` is the tokens that the provider has counted so far; some count none.
    """

    is_local = False

    def __init__(
        self,
        name: str,
        ask: Ask,
        *,
        place: str = "",
        seconds: float,
        reads_all_scripts: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.spent: int = 0
        self._name = name
        self._place = f"@{place}" if place else ""
        self._ask = ask
        self._seconds = seconds
        self._reads_all_scripts = reads_all_scripts
        self._clock = clock
        self._width = 0
        self._resting: ModelError | None = None
        self._rested_at = 0.0

    @property
    def identity(self) -> str:
        """See `Embedder.identity`. Sends a word where nothing was embedded before.

        Raises:
            ModelError: no usable answer came.
        """
        if not self._width:
            self.embed(["width"], "query")
        return f"{self._name}:{self._width}{self._place}"

    @property
    def reads_all_scripts(self) -> bool:
        """See `Embedder.reads_all_scripts`."""
        return self._reads_all_scripts()

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[bytes]:
        """See `Embedder.embed`. One request waits 5 s at most for a query, and as long as was
        configured for passages."""
        rows = [b""] * len(texts)
        for batch in batches(texts):
            made = self._rows([text for _, text in batch], purpose)
            for (place, _), row in zip(batch, made, strict=True):
                rows[place] = row
        return rows

    def _rows(self, texts: Sequence[str], purpose: Purpose) -> list[bytes]:
        if self._resting is not None and self._clock() < self._rested_at:
            raise type(self._resting)(self._resting.what, self._resting.fix)
        seconds = min(self._seconds, QUERY_SECONDS) if purpose == "query" else self._seconds
        answer = self._ask(texts, purpose, seconds)
        if isinstance(answer, Failure):
            self._resting = answer.error if answer.rest else None
            self._rested_at = self._clock() + answer.rest
            raise answer.error
        self._resting = None
        self.spent += answer.tokens
        vectors = [self._checked(vector) for vector in answer.vectors]
        if len(vectors) != len(texts):
            raise self._broken(f"{len(vectors)} vectors came for {len(texts)} texts")
        self._check_width({len(vector) for vector in vectors})
        return [quantised(vector) for vector in vectors]

    def _checked(self, vector: object) -> list[float]:
        if not isinstance(vector, list) or not vector:
            raise self._broken("a vector is not a list of numbers")
        numbers = cast("list[object]", vector)
        if not set(map(type, numbers)) <= {int, float}:
            raise self._broken("a vector is not a list of numbers")
        try:
            floats = list(map(float, cast("list[float]", numbers)))
        except OverflowError:
            floats = [math.inf]
        if not all(map(math.isfinite, floats)):
            raise self._broken("a vector has a number that is not finite")
        return floats

    def _check_width(self, widths: set[int]) -> None:
        if len(widths) != 1:
            raise self._broken(f"vectors of {_listed(widths)} numbers came in one answer")
        (width,) = widths
        before, self._width = self._width, width
        if before and before != width:
            raise self._broken(f"vectors have {width} numbers now, and had {before}")

    def _broken(self, reason: str) -> ModelBrokenError:
        what = f"{self._name}{self._place} gave no usable vectors: {reason}"
        return ModelBrokenError(what, "try again later, or check the setting embed_model")


def _listed(widths: set[int]) -> str:
    return " and ".join(map(str, sorted(widths)[:4]))
