"""Goals that are something else: finished ones, certifications, and requests to edit memory."""

from __future__ import annotations

import re
from typing import NamedTuple

from memoro.errors import Refusal
from memoro.memory.profile.fields import CERTIFICATIONS, GOALS, LISTS, MILESTONES, Op, target
from memoro.memory.profile.vocabulary import words
from memoro.memory.profile.wording import fold, one_line, read

_CERTIFIES = re.compile(r"\b(?:certif(?:ication|icate|ied|icac\w*|icad\w*|icar)s?|cert)\b")
_GETS = re.compile(
    r"(?:to )?(?:get|obtain|earn|pass|achieve|take|finish|acquire|receive|become|completed?|passed"
    r"|earned|obtained|got|received|tirar|obter|conseguir|passar|fazer|concluir|alcancar|virar|ser"
    r"|me tornar)(?: (?:the|an?|my|o|as?|os|um|uma|na|no|em|minha|meu))? "
)
_MINE = "(?:my|your|the user's|user's|meus?|minhas?|seus?|suas?)"
_LIST = "(?:list of |lista de )?(?:goals?|metas?|objetivos?)(?: list)?"
_STORE = "(?:user )?(?:profile|perfil|memory|memories|memoria)(?: data)?"
_OUT_OF = "(?:from|in|of|on|out of|d[aeo]s?|n[ao]s?|em)"
_EDIT = (
    "(?:remove|delete|erase|drop|clear|update|edit|change|correct|fix|clean up|rename|reset"
    "|remov[ae]r?|apag(?:ue|ar)|exclu(?:a|ir)|delet(?:e|ar)|limp(?:e|ar)|atualiz(?:e|ar)"
    "|edit(?:e|ar)|corrig(?:a|ir)|alter(?:e|ar)|tir(?:e|ar))"
)
_KEEP = "(?:add|save|store|put|adicion(?:e|ar)|guard(?:e|ar)|salv(?:e|ar))"
_DONE = r"(?:done|completed?|finished|conclu\w+|feit[oa]|finalizad[oa])"
_PLEASE = "(?:(?:please|por favor),? )?"
_REQUESTS = tuple(
    re.compile(_PLEASE + pattern)
    for pattern in (
        rf"{_EDIT} (?:.* )?{_OUT_OF} (?:{_MINE} |the |[oa]s? )?{_LIST}",
        rf"{_EDIT} (?:{_MINE} |the |[oa]s? )?{_LIST}",
        rf"{_EDIT} (?:.* )?(?:{_MINE}|d[oa] (?:{_MINE})?) ?{_STORE}",
        rf"{_KEEP} .* {_MINE} (?:{_LIST}|memory|memories|memoria)",
        rf"(?:mark|marc(?:ar|que)) .+ (?:as|como) {_DONE}",
        r"(?:forget (?:that|about|what|my|everything)"
        r"|esquec(?:a|er) (?:que|de|do|da|meu|minha|tudo)"
        r"|stop remembering|do not remember|don't remember|nao lembr(?:e|ar)) .+",
    )
)
_REMOVAL = re.compile(
    rf"{_PLEASE}(?:remove|delete|erase|drop|tir(?:e|ar)|remov[ae]r?|apag(?:ue|ar)|exclu(?:a|ir))"
    rf" (?P<item>.+) (?:from|out of|d[aeo]s?) (?P<mine>{_MINE} )?(?:the )?(?P<field>\w+)(?: list)?",
    re.IGNORECASE,
)
_FINISHING = re.compile(
    rf"{_PLEASE}(?:mark|marc(?:ar|que)) (?P<item>.+) (?:as|como) {_DONE}", re.IGNORECASE
)
_SAME_CERTIFICATE = words(
    "certification certificate certified certificacao certificado exam exame prova the a an o de da"
    " do em in"
)


class Asked(NamedTuple):
    """A request for what could have been said with a key: an operation on an item of a list."""

    field: str
    op: Op
    item: str


def is_request(text: str) -> bool:
    """Whether a text asks for a change of what is remembered; "remove memory leaks" does not."""
    told = fold(text).rstrip(" .!?")
    return any(pattern.fullmatch(told) for pattern in _REQUESTS)


def asked(text: str) -> Asked | None:
    """What a request asks for in so many words: "remove X from my goals", "mark X as done"."""
    told = one_line(text).rstrip(" .!?")
    found = _FINISHING.fullmatch(told)
    if found is not None:
        return Asked(GOALS, "done", _unquoted(found["item"]))
    found = _REMOVAL.fullmatch(told)
    wanted = target(found["field"]) if found is not None else None
    if found is None or wanted is None or isinstance(wanted, Refusal):
        return None
    if wanted.field not in LISTS or wanted.name or wanted.op != "put":
        return None
    if wanted.field != GOALS and not found["mine"]:
        return None
    return Asked(wanted.field, "remove", _unquoted(found["item"]))


def _unquoted(text: str) -> str:
    return text.strip(" '\"“”«»`")


def achieved(text: str) -> tuple[str, str]:
    """The field that a finished goal goes to, and the words that stand for it there."""
    event = read(text).event
    if not _CERTIFIES.search(fold(event)):
        return MILESTONES, event
    words, start = event.split(" "), _GETS.match(fold(event))
    rest = words[len(start[0].split()) :] if start else words
    return CERTIFICATIONS, " ".join(rest) or event


def certificate(text: str) -> frozenset[str]:
    """What tells certifications apart, whatever words they are called with."""
    words = frozenset(re.findall(r"[^\W_]+", fold(read(text).bare)))
    return words - _SAME_CERTIFICATE or words
