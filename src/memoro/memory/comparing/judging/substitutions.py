"""One span of two otherwise equal sentences differs, at a place where a value stands."""

from __future__ import annotations

import re
from typing import NamedTuple

from memoro.memory.comparing.claims.claim import Statement
from memoro.memory.comparing.judging.side_by_side import (
    IN_SOMETHING,
    are_figures,
    common,
    difference,
)
from memoro.memory.comparing.judging.values import shown
from memoro.memory.comparing.judging.wording import LONG
from memoro.memory.comparing.lexicon.kinds import KINDS
from memoro.memory.comparing.tokens.token import QUANTITY, TIME, VERSION
from memoro.memory.comparing.verdict import Relation, Verdict
from memoro.memory.comparing.words.word import Word

_LABELLED = re.compile(r"^\W*([^:：=\n]{2,60}?)\s*[:：=]\s*(\S.{0,80})$")


_NO_LABELS = frozenset(
    [
        "note",
        "notes",
        "gotcha",
        "lesson",
        "tip",
        "todo",
        "fact",
        "warning",
        "caution",
        "hint",
        "remember",
        "preference",
        "preferences",
        "likes",
        "skills",
        "languages",
        "tools",
        "nota",
        "notas",
        "dica",
        "licao",
        "atencao",
        "cuidado",
        "lembrete",
        "aviso",
        "注意",
        "备注",
        "教训",
        "user",
        "usuario",
        "用户",
    ]
)


_SINGLE = re.compile(
    r"\b(?:is|are|be|been|gets?|e|sao|esta|estao|fica|ser|foi|foram)\b[^,;]*?\b"
    r"(?P<participle>\w+(?:ed|en|wn|pt|ilt|nt|ado|ada|ados|adas|ido|ida|idos|idas|ito|ita))\s+"
    r"(?:in|on|at|to|with|by|from|as|em|no|na|por|com|pelo|pela|para)\s+(?:the |an? |o |a )?\S+$"
)


_MANY = frozenset(
    [
        "used",
        "known",
        "liked",
        "supported",
        "needed",
        "required",
        "tested",
        "affected",
        "shared",
        "read",
        "consumed",
        "loved",
        "spoken",
        "interested",
        "involved",
        "usado",
        "usada",
        "conhecido",
        "conhecida",
        "lido",
        "lida",
        "testado",
        "testada",
    ]
)


_FROM = re.compile(
    r"\b(?:(?:from|until|via|ate|sob)\s+(?:the |an? |o |a )?\S+"
    r"|(?:under|sob)\s+(?:the |an? |o |a )?\S.*licen[cs]\w+)$"
)


_RUNS = re.compile(r"\b(?:runs(?: on)?|roda|usa|executa)\s+\S+(?:\s\S+)?$")


def relabelled(known: str, new: str) -> Verdict | None:
    """The same label with another value."""
    one, other = _LABELLED.match(known), _LABELLED.match(new)
    if one is None or other is None or one[1] != other[1] or one[2] == other[2]:
        return None
    if one[1].split()[-1] in _NO_LABELS or "," in one[2] + other[2] or one[2][:2] == "//":
        return None
    return Verdict(Relation.UPDATED, f"{one[2]} → {other[2]}")


_HAN_COUNT = re.compile(
    r"(?<![第周期拜月日年点])(?:[一二两三四五六七八九十百千]+|\d+)"
    r"(?=[个片次杯台条份只张间家位名岁元块秒度倍页遍斤公]|小时|分钟|毫秒|%|％)"
)


def counted(known: str, new: str) -> Verdict | None:
    """The same Chinese words with another count."""
    one, other = _HAN_COUNT.findall(known), _HAN_COUNT.findall(new)
    if len(one) != len(other) or not re.search("[\u4e00-\u9fff]", known):
        return None
    changed = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    if len(changed) == 1 and _HAN_COUNT.sub("#", known) == _HAN_COUNT.sub("#", new):
        return Verdict(Relation.UPDATED, f"{changed[0][0]} → {changed[0][1]}")
    return None


def measured(known: Statement, new: Statement) -> Verdict | None:
    """The same but for one measure of one unit, whatever the verb."""
    gone, came, shared = difference(known, new)
    gone = [w for w in gone if w.role[0] not in "VA"]
    came = [w for w in came if w.role[0] not in "VA"]
    if len(gone) != 1 or len(came) != 1 or shared < 2 or known.flags != new.flags:
        return None
    units = {w.key.partition(" ")[2] for w in (gone[0], came[0])}
    if gone[0].kind == came[0].kind == QUANTITY and len(units) == 1 and "" not in units:
        return Verdict(Relation.UPDATED, f"{gone[0].text} → {came[0].text}")
    return None


class _Span(NamedTuple):
    """What is gone and what came in its place, after how many words in common, before how many."""

    gone: list[Word]
    came: list[Word]
    start: int
    end: int


def substituted(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """One span of both differs, at a place where a value stands."""
    if known.flags != new.flags:
        return None
    span = _span(known, new)
    if span is None or not _is_of_a_value(known, span, texts):
        return None
    return Verdict(Relation.UPDATED, f"{shown(tuple(span.gone))} → {shown(tuple(span.came))}")


def _span(known: Statement, new: Statement) -> _Span | None:
    one, other = list(known.content), list(new.content)
    while other and other[-1].kind == TIME and not any(word.kind == TIME for word in one):
        other.pop()
    start = common(one, other)
    end = min(common(one[::-1], other[::-1]), min(len(one), len(other)) - start)
    gone, came = one[start : len(one) - end], other[start : len(other) - end]
    if not 1 <= len(gone) <= 2 or not 1 <= len(came) <= 2 or not start or start + end < 2:
        return None
    return _Span(gone, came, start, end)


def _is_of_a_value(known: Statement, span: _Span, texts: tuple[str, str]) -> bool:
    if known.content[span.start - 1].key.endswith("="):
        return True
    if are_figures(span.gone) and are_figures(span.came):
        before = known.content[span.start - 1]
        if not span.end:
            return _one_unit(span.gone[-1], span.came[-1]) or (
                span.start > 2 and _is_a_product(before)
            )
        counted = known.content[-span.end]
        many = span.start > 1 and counted.role[0] != "V" and not _is_a_product(before)
        return many or _one_unit(span.gone[-1], span.came[-1])
    if span.start < 2:
        return False
    return all(_FROM.search(text) for text in texts) or (not span.end and _is_last(span, texts))


_NUMBERED = frozenset(
    """pr issue ticket bug task room floor page chapter phase step line sprint build run job case
    rfc error http iso channel gate bus unit lesson week day level team group season episode part
    volume track platform flight order invoice version sala andar pagina capitulo fase
    etapa linha caso erro canal portao onibus aula semana dia nivel equipe grupo temporada parte
    voo pedido fatura""".split()  # noqa: SIM905
)


def _is_a_product(word: Word) -> bool:
    """Whether a number after that name is its version, and not one of many that have numbers."""
    return word.text[:1].isupper() and word.key not in _NUMBERED


def _one_unit(one: Word, other: Word) -> bool:
    """Whether both are measures of one unit, or versions; a bare number may be a name."""
    units = {word.key.partition(" ")[2] for word in (one, other)}
    return (len(units) == 1 and "" not in units) or one.kind == other.kind == VERSION


def _is_last(span: _Span, texts: tuple[str, str]) -> bool:
    """Whether what stands last is what the sentence says."""
    if all(_RUNS.search(text) for text in texts) and _one_kind(span.gone, span.came):
        return True
    if span.start >= LONG and len(span.gone) == len(span.came) == 1:
        return True
    found = [_SINGLE.search(text) for text in texts]
    participles = {one["participle"] for one in found if one}
    return all(found) and len(participles) == 1 and not participles & _MANY


def _one_kind(gone: list[Word], came: list[Word]) -> bool:
    """Whether both name an operating system: of those a machine runs one."""
    return all(
        any("operating-system" in KINDS.get(word.key, ()) for word in words)
        for words in (gone, came)
    )


_GOES_ON = re.compile(
    r"(?:called|named|who|which|that|whose|and|but|chamad[oa]s?|que|e|mas|cuj[oa]s?)\b|名叫|叫|并且|而且|但"
)


def continued(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """The new one is the known one, and goes on."""
    one, other = [w.key for w in known.content], [w.key for w in new.content]
    if not texts[1].startswith(f"{texts[0]} ") and not texts[1].startswith(f"{texts[0]},"):
        return None
    more = texts[1][len(texts[0]) :].strip(" ,;")
    says_more = Verdict(Relation.UPDATED, "says more")
    if _GOES_ON.match(more):
        return says_more
    longer = len(one) >= 3 and 0 < len(other) - len(one) <= 5 and other[: len(one)] == one
    return (
        says_more if longer and known.flags == new.flags and not IN_SOMETHING.match(more) else None
    )
