"""From what was erased to the bytes that would betray it.

A long text may lie in a file in pieces, and one of common words stands elsewhere by right. So each
text is looked for by a few runs of it, none longer than a page of a database is cut by chance, and
by what is like no ordinary word in it: names with digits, codes, addresses.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence

_RUN = 40
"""Characters of a run: rarely said twice by chance, and rarely cut by the end of a page."""

_RUNS = 8
_SHORTEST = 6
"""Shorter ones stand in any file by chance."""

_CODE = re.compile(r"[^\s\"'<>()\[\]{},;]{6,}")


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
        if len(run := line[at : at + _RUN].strip()) >= _SHORTEST
    ]
    spread = runs[:: max(1, -(-len(runs) // _RUNS))]
    return [*spread, *filter(_is_code, _CODE.findall(text))]


def _is_code(word: str) -> bool:
    """Whether a word is like no ordinary one."""
    return any(char.isdigit() for char in word) and any(char.isalpha() for char in word)


def forms_of(needle: str) -> Sequence[bytes]:
    """The byte forms in which a run may stand in a file."""
    texts = {unicodedata.normalize(form, needle) for form in ("NFC", "NFD")} | {needle}
    texts |= {
        json.dumps(text, ensure_ascii=ascii)[1:-1] for text in texts for ascii in (True, False)
    }
    forms = {text.encode("utf-8", "surrogatepass") for text in texts}
    forms |= {needle.encode(code, "surrogatepass") for code in ("utf-16-le", "utf-16-be")}
    return sorted(forms)
