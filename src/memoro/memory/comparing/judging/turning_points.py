"""How people say that something has ended, changed, or is the other way round."""

from __future__ import annotations

import re

from memoro.memory.comparing.claims.claim import Statement
from memoro.memory.comparing.judging.side_by_side import (
    IN_SOMETHING,
    bare,
    difference,
    said_words,
)
from memoro.memory.comparing.judging.values import shown
from memoro.memory.comparing.tokens.folding import folded
from memoro.memory.comparing.tokens.token import TIME
from memoro.memory.comparing.verdict import Relation, Verdict
from memoro.memory.comparing.words.word import NAME, Word

_SOMETIMES = re.compile(
    r"\b(?:always|never|sometimes|usually|rarely|often|seldom|occasionally|hardly ever|sempre|nunca"
    r"|jamais|as vezes|raramente|geralmente|normalmente|de vez em quando|quase nunca)\b"
    r"|总是|从不|从来不|有时|偶尔|经常|通常|很少"
)


_OFTEN_WORDS = frozenset({"vez", "as", "de", "em"})


_CEASE = re.compile(
    r"\b(?:stopped|quit|broke off|called off|no longer|gave up|given up|ceased|abandoned"
    r"|got rid of|broke up|broken up"
    r"|resigned|any ?more|parou de|deixou de|largou|abandonou|desistiu|pediu demissao|terminou com"
    r"|terminaram|nao \w+ mais|ja nao)\b|不再|停止|戒了|戒掉|放弃|分手|辞职|离职"
)


_CHANGE = re.compile(
    r"\b(?:now|nowadays|these days|as of|from now on|moved|switched|migrated|ported|relocated"
    r"|handed|passed|promoted|became|become|changed|replaced|swapped|instead|gave up|extended"
    r"|postponed|converted|went from|currently|by now|took over|taken over|turned|agora|passou"
    r"|passaram|mudou|mudaram|trocou|trocaram|migrou|virou|promovid[oa]|prorrogad[oa]|adiad[oa]"
    r"|substituiu|substituid[oa]|entrou|atualmente|ja|hoje em dia|tornou-se|transferid[oa])\b"
    r"|现在|改成|改为|改用|改|换成|换|搬到|搬|转到|转为|转|升为|升|目前|如今|已经"
)


_CHANGING = frozenset(
    [
        "now",
        "move",
        "switch",
        "migrate",
        "port",
        "relocat",
        "relocate",
        "hand",
        "pass",
        "promot",
        "promote",
        "becom",
        "become",
        "chang",
        "change",
        "replac",
        "replace",
        "swap",
        "instead",
        "give",
        "extend",
        "postpon",
        "convert",
        "go",
        "currently",
        "take",
        "turn",
        "agora",
        "passar",
        "mudar",
        "trocar",
        "migrar",
        "virar",
        "promover",
        "prorrogar",
        "adiar",
        "substituir",
        "entrar",
        "tornar",
        "stop",
        "quit",
        "day",
        "week",
        "new",
        "already",
    ]
)


_MOVED_DATE = re.compile(
    r"\b(?:extended|postponed|moved|pushed|delayed|brought forward|rescheduled|prorrogad[oa]"
    r"|adiad[oa]|antecipad[oa]|remarcad[oa]|passou)\b|延期|推迟|提前|改到|改为|延长"
)


_ORDERS = (
    re.compile(r"^(.*?)\bfirst\b(.*?)[,;]?\s*(?:and )?\bthen\b(.*)$"),
    re.compile(r"^(.*?)\brather\b(.*?)\bthan\b(.*)$"),
    re.compile(r"^(.*?)\bprimeiro\b(.*?)[,;]?\s*(?:e )?\bdepois\b(.*)$"),
    re.compile(r"^(.*?)先(.*?)[，,]?(?:再|然后|后)(.*)$"),
)


_RATHER_HAN = re.compile(r"^(.*?)比起(.*?)[，,].*?更(?:喜欢|偏好|倾向于?)(.*)$")


_ALL = re.compile(r"^(?:every|all|any|each|todos?|todas?|qualquer|cada)\b|^(?:所有|全部|每个)")


_ONLY = re.compile(r"^(?:only|no|just|so|somente|apenas|nenhum|nenhuma)\b|^(?:只有|仅|没有)")


_UNS = ("un", "in", "im", "non", "non-", "dis", "des", "nao-")


def reordered(known: str, new: str) -> Verdict | None:
    """The same two things have changed places in "first … then", "rather … than"."""
    for order in _ORDERS:
        one, other = order.match(known), order.match(new)
        if one is None or other is None:
            continue
        first, second = _bag(one[2]), _bag(one[3])
        if first != second and (first, second) == (_bag(other[3]), _bag(other[2])):
            return Verdict(Relation.UPDATED, "the other way round")
    one, other = _RATHER_HAN.match(known), _RATHER_HAN.match(new)
    if one and other and one[2] != other[2] and one[2] in other[3] and other[2] in one[3]:
        return Verdict(Relation.UPDATED, "the other way round")
    return _closes_first(known, new)


_SUBJECTS_IN_TURN = re.compile(r"^(.*?)\s+first\s*,?\s*(?:and )?then\s+(.*)$")


def _closes_first(known: str, new: str) -> Verdict | None:
    one, other = _SUBJECTS_IN_TURN.match(known), _SUBJECTS_IN_TURN.match(new)
    if one is None or other is None or _bag(one[1]) == _bag(one[2]):
        return None
    turned = (_bag(one[1]), _bag(one[2])) == (_bag(other[2]), _bag(other[1]))
    return Verdict(Relation.UPDATED, "the other way round") if turned else None


def _bag(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", text)) - {"the", "a", "o", "an", "e", "and"}


_DENIAL = re.compile(r"\b(?:not|cannot|never|nao|nunca|jamais)\b|n't\b|不|没|别|勿")


_LACK = re.compile(r"\b(?:without|no|none|free of|sem|nenhum|nenhuma)\b|无|免")


def denied(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """The same words, of which one says that it isn't so."""
    denied = [_DENIAL.search(text) for text in texts]
    if bool(denied[0]) == bool(denied[1]) or any(_LACK.search(text) for text in texts):
        return None
    one, other = ([w.key for w in said_words(each)] for each in (known, new))
    if one == other and len(one) >= 2 and set(known.flags) ^ set(new.flags) == {"not"}:
        return Verdict(Relation.CONTRADICTED, "the opposite")
    return None


_TAKES_OVER = re.compile(
    r"\b(?:took over|takes over|taken over|inherited|assumiu|ficou com|herdou)\b|接手|接管"
)


def taken_over(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """Somebody else has it now."""
    if not _TAKES_OVER.search(texts[1]) or _TAKES_OVER.search(texts[0]):
        return None
    gone, came, shared = difference(known, new)
    if shared < 2 or len([w for w in gone if w.role[0] != "V"]) > 1 or not came:
        return None
    return Verdict(Relation.UPDATED, "somebody else has it now")


_STATUS = re.compile(
    r"\b(?:is|are|was|has|have|been|got|went|e|esta|foi|entrou|fica)\b"
    r"(?:\s(?:now|already|currently|still|just|been|be|agora|ja|ainda))*\s(?:in (?:the )?\w+"
    r" (?:phase|stage)|in (?:alpha|beta|progress|review|testing|production|development|planning)"
    r"|(?:a )?draft|planned|paused|shipped|launched|released|completed|finished|done|cancel+ed"
    r"|archived|shelved|deprecated|live|on hold|blocked|frozen|approved|rejected|merged|closed|open"
    r"|em (?:testes|producao|desenvolvimento|revisao|andamento|espera|beta)|lancad[oa]|concluid[oa]"
    r"|cancelad[oa]|pausad[oa]|arquivad[oa]|aprovad[oa]|suspens[oa]|encerrad[oa])\b"
    r"|(?:已经?)?(?:上线|完成|取消|暂停|发布|归档|搁置)|(?:开发|测试|设计|规划|试运行)(?:中|阶段)"
)


def other_status(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """The same thing has another status."""
    found = [_STATUS.search(text) for text in texts]
    if not found[0] or not found[1] or known.flags != new.flags:
        return None
    heads = [bare(text[: each.start()]) for text, each in zip(texts, found, strict=True) if each]
    if not heads[0] or heads[0] != heads[1] or found[0][0] == found[1][0]:
        return None
    return Verdict(Relation.UPDATED, f"{found[0][0].strip()} → {found[1][0].strip()}")


_MOVED_FROM = re.compile(
    r"\bfrom (?P<en>.+?) to (?P<to>.+)$|\bd[oae]s? (?P<pt>.+?) para (?:o |a )?(?P<para>.+)$"
    r"|从(?P<zh>.+?)(?:换|搬|转|迁移?|改)[到成为用](?P<dao>.+)$"
)


def moved_from(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """From what is known to something else."""
    found = _MOVED_FROM.search(texts[1])
    if found is None or not _CHANGE.search(texts[1]) or _MOVED_FROM.search(texts[0]):
        return None
    source = found["en"] or found["pt"] or found["zh"]
    target = found["to"] or found["para"] or found["dao"]
    _, _, shared = difference(known, new)
    there = bool(_bag(source)) and (_bag(source) <= _bag(texts[0]) or source in texts[0])
    if not there or shared < 2 or _bag(target) <= _bag(texts[0]):
        return None
    return Verdict(Relation.UPDATED, f"{source} → {target}")


_ONE_PLACE = re.compile(
    r"\b(work|stud|live|trabalh|estud|mor)\w*\s+(?:at|for|in|na|no|nas|nos|em|para)\b"
)
"""Where a person is one place at a time, once "now" is said."""

_NOT_BUT = re.compile(
    r"\b(?:not|n't|isn't|wasn't)\b.*\bbut\b|\bnao\b.*\b(?:mas sim|mas|e sim)\b|不是.*而是"
    r"|, (?:and )?not\b|, (?:e )?nao\b|而不是|，不是"
)


def not_but(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """Not what is known, but something else."""
    if not _NOT_BUT.search(texts[1]) or _NOT_BUT.search(texts[0]):
        return None
    gone, came, shared = difference(known, new)
    if gone or not came or shared < 2:
        return None
    return Verdict(Relation.UPDATED, "not that, but something else")


def ceased(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """The new one says that what is known is over."""
    if not _CEASE.search(texts[1]) or _CEASE.search(texts[0]):
        return None
    said, later = said_words(known), {word.key for word in said_words(new)}
    missing = [word for word in said if word.key not in later]
    shared = len(said) - len(missing)
    if not missing and shared == 1:
        rest = [w for w in said_words(new) if w.key != said[0].key and w.kind != TIME]
        return _over(said) if all(_says_change(w) for w in rest) else None
    if shared < 2 or len(missing) > 1:
        return None
    place = texts[0].find(folded(missing[0].text)) if missing else 0
    # What is over in one place may go on in another.
    return (
        None
        if missing and IN_SOMETHING.search(texts[0][max(0, place - 12) : place])
        else _over(said)
    )


def _says_change(word: Word) -> bool:
    return word.key in _CHANGING or folded(word.text) in _CHANGING


def _over(said: list[Word]) -> Verdict:
    return Verdict(Relation.CONTRADICTED, f"no longer: {shown(tuple(said[-1:]))}")


def otherwise_often(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """The same, but always, sometimes or never."""
    often = [_SOMETIMES.search(text) for text in texts]
    if not all(often) or len({one[0] for one in often if one}) < 2:
        return None
    one, other = (
        sorted(w.key for w in each.content if w.key not in _OFTEN_WORDS) for each in (known, new)
    )
    if one == other:
        return Verdict(Relation.CONTRADICTED, "always, sometimes or never is another")
    return None


def negated_word(known: Statement, new: Statement) -> Verdict | None:
    """A word and its opposite by a syllable: encrypted, unencrypted."""
    gone, came, shared = difference(known, new)
    if len(gone) != 1 or len(came) != 1 or shared < 2 or known.flags != new.flags:
        return None
    one, other = folded(gone[0].text), folded(came[0].text)
    if any(other == prefix + one or one == prefix + other for prefix in _UNS):
        return Verdict(Relation.CONTRADICTED, f"{one} → {other}")
    return None


def narrowed(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """All, or only some."""
    sides = (bool(_ALL.match(texts[0])), bool(_ONLY.match(texts[0])))
    turned = (bool(_ONLY.match(texts[1])), bool(_ALL.match(texts[1])))
    if sides != turned or not any(sides):
        return None
    one, other = [w.key for w in known.content], [w.key for w in new.content]
    shared = 0
    while shared < min(len(one), len(other)) and one[-1 - shared] == other[-1 - shared]:
        shared += 1
    if shared >= 2 or (shared and known.language == "zh"):
        return Verdict(Relation.UPDATED, "all → only some, or the other way round")
    return None


def rescheduled(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """The same thing at another time, and moved there."""
    times = [[w for w in one.content if w.kind == TIME] for one in (known, new)]
    if len(times[0]) != 1 or len(times[1]) != 1 or times[0][0].key == times[1][0].key:
        return None
    names = {w.key for w in said_words(known) if w.kind != TIME and w.role[0] != "V"}
    shared = names & {w.key for w in said_words(new)}
    if not _MOVED_DATE.search(texts[1]) or not shared or len(names - shared) > 1:
        return None
    return Verdict(Relation.UPDATED, f"{times[0][0].text} → {times[1][0].text}")


def changed(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """The new one says that something has changed, and keeps most of what was said."""
    if not _CHANGE.search(texts[1]) or _CHANGE.search(texts[0]):
        return None
    gone, came, shared = difference(known, new)
    gone_values = [word for word in gone if word.role[0] != "V"]
    came_values = [word for word in came if word.role[0] != "V" and word.key not in _CHANGING]
    places = [_ONE_PLACE.search(text) for text in texts]
    one_verb = len({place[1] for place in places if place}) == 1 and all(places)
    if shared == 1 and came_values and one_verb:
        return Verdict(Relation.UPDATED, f"{shown(tuple(gone))} → {shown(tuple(came_values))}")
    if shared < 2 or not came_values or len(came_values) > 3 or len(gone) > 2:
        return None
    one, other = said_words(known), [w for w in said_words(new) if w.key not in _CHANGING]
    if one[0].key != other[0].key:
        turned = len(gone_values) == len(came_values) == 1
        names = all(word.kind == NAME for word in (*gone_values, *came_values))
        if not (turned and names and gone_values[0] == one[0] and came_values[0] != other[0]):
            return None
    why = f"{shown(tuple(gone_values))} → {shown(tuple(came_values))}" if gone_values else "changed"
    return Verdict(Relation.UPDATED, why)
