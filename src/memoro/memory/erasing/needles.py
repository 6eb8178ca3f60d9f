"""From what was erased to the bytes that would betray it.

A long text may lie in a file in pieces, and one of common words stands elsewhere by right. So each
text is looked for by a few runs of it, none longer than a page of a database is cut by chance, and
by what is like no ordinary word in it: names with digits, codes, addresses.
"""

from __future__ import annotations

import base64
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote, quote_plus

from memoro.memory.folding import UNSPACED

_RUN = 40
"""Characters of a run: rarely said twice by chance, and rarely cut by the end of a page."""

_RUNS = 8
SHORTEST = 6
"""Shorter ones stand in any file by chance."""

UNSPACED_LETTERS = 2.5
"""How many letters of an alphabet one character of these scripts stands for."""

_SAFE_IN_ADDRESSES = bytes.maketrans(b"+/", b"-_")
_IN_UNSPACED = re.compile(f"[{UNSPACED}]")
_PIECE = re.compile(r"[^\s\"'<>()\[\]{},;]{6,}")
_ENDS = ".:!?*_`-/\\|=&#~"
_ADDRESS = re.compile(r"[^@]+@[^@]+\.[^@]+")
# As telephones, accounts and cards are written; not a day and its hour.
_NUMBER = re.compile(r"(?!\d{4}-\d\d-\d\d)(?<![\d-])\+?\d(?:[ ./()-]{0,2}\d){8,}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?")


def needles_of(texts: Iterable[str], most: int) -> tuple[list[str], int]:
    """The runs to look for, and how many texts are looked for by none of them: those that are too
    short, and those beyond `most` runs."""
    found: dict[str, None] = {}
    missed = 0
    for text in dict.fromkeys(one.strip() for one in texts):
        if not text:
            continue
        runs = _runs(text)
        if not runs or len(found) >= most:
            missed += 1
            continue
        found |= dict.fromkeys(runs)
    return list(found)[:most], missed


def _runs(text: str) -> list[str]:
    # Within a line: a file may write its end in its own way.
    runs = [
        run
        for line in text.splitlines()
        for at in range(0, len(line), _RUN)
        if is_long_enough(run := line[at : at + _RUN].strip())
    ]
    spread = runs[:: max(1, -(-len(runs) // _RUNS))]
    return [*spread, *codes_of(text)]


def is_long_enough(text: str) -> bool:
    """Whether a text may be looked for: a shorter one stands elsewhere by chance."""
    return (
        len(text) >= SHORTEST
        or len(text) + len(_IN_UNSPACED.findall(text)) * (UNSPACED_LETTERS - 1) >= SHORTEST
    )


def codes_of(text: str) -> list[str]:
    """What is in a text that is like no ordinary word: names with digits, codes, addresses, long
    numbers; no times."""
    pieces = [piece.strip(_ENDS) for piece in _PIECE.findall(text)]
    codes = [piece for piece in pieces if len(piece) >= SHORTEST and _is_code(piece)]
    return list(dict.fromkeys([*codes, *_NUMBER.findall(text)]))


def _is_code(piece: str) -> bool:
    if _ADDRESS.fullmatch(piece):
        return True
    has_both = any(map(str.isdigit, piece)) and any(map(str.isalpha, piece))
    return has_both and not _TIME.fullmatch(piece)


def forms_of(needle: str) -> Sequence[bytes]:
    """The byte forms in which a run may stand in a file: of texts in the usual encodings and
    normal forms, of JSON, of addresses, and of what carries bytes as text."""
    texts = {unicodedata.normalize(form, needle) for form in ("NFC", "NFD")} | {needle}
    forms = {
        form.encode("utf-8", "surrogatepass")
        for text in texts
        for form in (text, *(json.dumps(text, ensure_ascii=ascii)[1:-1] for ascii in (True, False)))
    }
    plain = needle.encode("utf-8", "surrogatepass")
    forms |= {needle.encode(code, "surrogatepass") for code in ("utf-16-le", "utf-16-be")}
    forms |= {quote(plain, safe="").encode(), quote(plain).encode(), quote_plus(plain).encode()}
    forms |= {plain.hex().encode(), *_in_base64(plain)}
    return sorted(forms)


def _in_base64(plain: bytes) -> Iterator[bytes]:
    """The characters that stand for these bytes alone, wherever they begin in what is encoded."""
    for before in range(3):
        coded = base64.b64encode(bytes(before) + plain)
        # The first ones, and the last, share bits with what stands beside it.
        shared = (0, 2, 3)[before]
        whole = coded[shared : (before + len(plain)) * 8 // 6]
        yield whole
        yield whole.translate(_SAFE_IN_ADDRESSES)
