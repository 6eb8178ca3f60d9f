"""Terms: the words of a statement that an index keeps."""

from __future__ import annotations

from hashlib import blake2b

from memoro.memory.comparing.claims.claim import Statement
from memoro.memory.comparing.lexicon.kinds import KINDS
from memoro.memory.comparing.normal import casefolded

MOST_TERMS = 32


def terms_of(statement: Statement, normal: str) -> frozenset[str]:
    """The terms of a statement that was read: at most 32.

    The first stands for its normal form, so that the same text in another case has it too. Then
    come the marks of attributes and of kinds ("@home", "@editor"), which "lives in Berlin" and
    "moved to Lisbon" share, and the words themselves.
    """
    found = {f"={blake2b(normal.encode(errors='replace'), digest_size=6).hexdigest()}": None}
    for claim in statement.claims:
        for key in sorted(claim.about | claim.old | claim.over):
            found[casefolded(key)] = None
        for word in claim.value:
            for kind in KINDS.get(word.key, ()):
                found[f"@{kind}"] = None
    for word in statement.content:
        found[casefolded(word.key.lstrip("-") or word.key)] = None
    return frozenset(list(found)[:MOST_TERMS])
