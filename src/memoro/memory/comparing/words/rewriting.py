"""Ways of saying one thing that differ in their build: brought into one before they are read."""

from __future__ import annotations

import re

_REWRITINGS = (
    # "prefere que as respostas sejam curtas", "quer respostas curtas"
    (r"\bque (?:(?:o|a|os|as) )?(\w+(?: d[aeo]s? \w+)?) sejam?\b", r"\1"),
    (
        r"\b(likes?|prefers?|wants?) (?:that )?(?:the |his |her |their )?"
        r"((?:\w+ )?\w+) (?:to be|are|be) (\w+)(?= *$|[.,;])",
        r"\1 \3 \2",
    ),
    (r"\b(?:vers[a\u00e3]o|version) (?=\d)", ""),
    (r"\b(?:has|have) (?:an? )?(\w+) allerg(?:y|ies)\b", r"is allergic to \1"),
    (r"\btem alergia (?:a|ao|\u00e0|aos|\u00e0s) ", "\u00e9 al\u00e9rgico a "),
    (r"\bmemory\b(?= *$|[.,;])", "RAM"),
)
_PATTERNS = tuple((re.compile(one, re.IGNORECASE), other) for one, other in _REWRITINGS)


def rewritten(text: str) -> str:
    """A statement with what is built in another way built in the usual one."""
    for pattern, usual in _PATTERNS:
        text = pattern.sub(usual, text)
    return text
