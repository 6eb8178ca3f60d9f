"""Secrets that are told by the words around them: `password is …`, `API_KEY=…`, `密码是…`."""

from memoro.backends.masking.named.finding import find_named
from memoro.backends.masking.named.names import KINDS

__all__ = ["KINDS", "find_named"]
