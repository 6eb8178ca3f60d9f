"""A legacy MEMORY.md, written by hand or by another program: a fact a line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from memoro.memory.facts.categories import category_of
from memoro.memory.facts.statement import Statement, check, one_line, record_of
from memoro.memory.folding import folded
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.plain.memory_page import is_generated
from memoro.memory.records import Trust, shown

MIN_FACT_CHARACTERS = 5

_SOURCE = "memory-md"
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_RULE = re.compile(r"[\s|:*_=-]+")
_LEAD = re.compile(r"\s*(?:[-*+•‣–—>]\s|>|\d{1,4}[.)]\s|\[[ xX]\]\s)")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
_COMMENT = re.compile(r"<!--[^>]{0,2000}-->")
_HEADINGS: Mapping[str, str] = {
    word: category
    for category, words in {
        "architecture": "architecture architectures arquitetura structure estrutura design",
        "pattern": "pattern patterns convention conventions padrao padroes convencao convencoes"
        " style estilo",
        "preference": "preference preferences preferencia preferencias",
        "gotcha": "gotcha gotchas pitfall pitfalls caveat caveats warning warnings armadilha"
        " armadilhas pegadinha pegadinhas",
        "project": "project projects projeto projetos repository",
        "personal": "personal person user about usuario pessoal pessoais profile perfil",
        "lesson": "lesson lessons learned learnings licao licoes aprendizado aprendizados",
        "general": "general geral misc miscellaneous other others outros facts fatos notes notas",
    }.items()
    for word in words.split()
}


class _Line(NamedTuple):
    """A line of content: its number, its text without marks, and the category of its heading."""

    number: int
    text: str
    category: str | None


def read_legacy(text: str, scope: str, now: datetime) -> list[ImportedRecord | LeftOut]:
    """The facts of a MEMORY.md that no store stands behind: one for each line of at least five
    characters, in the category that its heading names; where that names none, in the one that its
    words speak for. A page that we have generated has none.

    Args:
        text: the file.
        scope: of what the facts are.
        now: when it is read; the file doesn't say when anything was learned.
    """
    if is_generated(text):
        return []
    found: dict[str, ImportedRecord | LeftOut] = {}
    for line in _lines(text):
        statement = Statement(
            line.text,
            scope,
            now,
            trust=Trust.INFERRED,
            provenance="extracted",
            category=line.category or category_of(line.text),
            data={"imported": {"from": _SOURCE, "line": line.number}},
        )
        place = f"line {line.number}"
        refusal = check(statement)
        if refusal is not None:
            found[place] = LeftOut(place, f"{refusal.what}: {shown(line.text)}")
            continue
        record = record_of(statement, now)
        found.setdefault(record.id, ImportedRecord(record, place))
    return list(found.values())


def _lines(text: str) -> Iterator[_Line]:
    category: str | None = None
    above: dict[int, str | None] = {}
    content = list(_content(text))
    # A fence that is never closed is none.
    fences = sum(_FENCE.match(raw) is not None for _, raw in content) // 2 * 2
    passed = 0
    for number, raw in content:
        fenced = passed % 2 == 1
        heading = None if fenced else _HEADING.fullmatch(raw)
        if _FENCE.match(raw):
            passed += passed < fences
        elif heading is not None:
            level = len(heading[1])
            above = {depth: one for depth, one in above.items() if depth < level}
            # What stands below a heading that names nothing is of what is above that.
            category = _named(heading[2]) or next(
                (above[depth] for depth in sorted(above, reverse=True) if above[depth]), None
            )
            above[level] = category
        else:
            line = _unmarked(raw)
            if len(line) >= MIN_FACT_CHARACTERS and not _RULE.fullmatch(line):
                yield _Line(number, line, category)


def _content(text: str) -> Iterator[tuple[int, str]]:
    """The lines, numbered, without those of a header between dashes."""
    lines = text.lstrip("\ufeff").split("\n")
    start = 0
    if lines and lines[0].strip() == "---":
        start = next((n for n, line in enumerate(lines[1:], 1) if line.strip() == "---"), -1) + 1
    for number, line in enumerate(lines[start:], start + 1):
        yield number, line.rstrip("\r")


def _unmarked(raw: str) -> str:
    """A line's text without bullets, numbering, check boxes and emphasis."""
    line = _COMMENT.sub(" ", raw)
    for _ in range(8):
        lead = _LEAD.match(line)
        if lead is None:
            break
        line = line[lead.end() :]
    line = "".join(" " if _is_control(char) else char for char in line)
    return one_line(_EMPHASIS.sub("", line))


def _named(heading: str) -> str | None:
    """The category that a heading names; None where it names none."""
    words = re.findall(r"\w+", folded(heading))
    named = [_HEADINGS[word] for word in words if word in _HEADINGS]
    return min(named, key=_vagueness) if named else None


def _vagueness(category: str) -> int:
    # "Project conventions" are conventions, "User preferences" preferences.
    return _VAGUE.index(category) if category in _VAGUE else -1


_VAGUE = ("project", "personal", "general")


def _is_control(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cs")
