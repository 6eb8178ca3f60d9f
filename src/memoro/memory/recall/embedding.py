"""The port to an embedder: text in, rows of small integers out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

Purpose = Literal["query", "passage"]


class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how near their meanings are.

    A vector is a row of int8, one byte a dimension, as `memoro.memory.recall.vectors.quantised`
    makes it: of unit length before rounding. An empty row means that a text has no vector.
    """

    @property
    def identity(self) -> str:
        """The provider, the model and the width; rows of two identities are never compared."""
        ...

    @property
    def is_local(self) -> bool:
        """Whether it works on this machine alone, within microseconds, for nothing."""
        ...

    @property
    def reads_all_scripts(self) -> bool:
        """Whether it is of use for scripts without spaces too."""
        ...

    def embed(self, texts: Sequence[str], purpose: Purpose) -> list[bytes]:
        """The rows of these texts, in their order.

        Raises:
            ModelError: no answer came, or not one of the promised width.
        """
        ...
