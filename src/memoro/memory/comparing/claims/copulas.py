"""The copula: what something is, where, since when, how old."""

from __future__ import annotations

from memoro.memory.comparing.claims.changes import in_years, is_marked, is_time
from memoro.memory.comparing.claims.meaning import BE, Meaning
from memoro.memory.comparing.clauses.frame import DIRECT, Frame, Slot
from memoro.memory.comparing.lexicon.kinds import KINDS, STATES
from memoro.memory.comparing.tokens.token import FIGURES, QUANTITY, VERSION
from memoro.memory.comparing.words.word import NAME, Word

_PLACED = ("in", "on", "at", "from", "under", "near", "to", "with")
_STATES = STATES | {"marital"}


def read_copula(frame: Frame, person: bool) -> Meaning:
    """What something is, or where it is."""
    direct = frame.slots[0].words
    if direct:
        return _what_it_is(frame, direct, person)
    slot = frame.slot(*_PLACED)
    if slot is None:
        return Meaning(BE, (), [], (DIRECT,), [], frame.newer)
    return Meaning(BE, _where_it_is(frame, slot), slot.words, (slot.prep,), [], frame.newer)


def _what_it_is(frame: Frame, direct: list[Word], person: bool) -> Meaning:
    years = [word for word in direct if word.kind == QUANTITY and word.key.endswith(" months")]
    if (measure := _measured(direct)) is not None:
        return Meaning(BE, (measure,), direct[:1], (DIRECT,), [], frame.newer)
    alone = len(direct) == 1 and direct[0].kind in FIGURES
    if person and not frame.subject and (years or alone):
        value = [in_years(word) for word in years or direct]
        return Meaning(BE, ("@age",), value, (DIRECT,), [], frame.newer)
    about = _when(frame, direct)
    if frame.user and not frame.subject and len(direct) > 1 and _are_capital(direct):
        about = ("@name",)
    return Meaning(BE, about, direct, (DIRECT,), [], frame.newer)


def _where_it_is(frame: Frame, slot: Slot) -> tuple[str, ...]:
    """The attribute that a preposition speaks of: "in review" is no place."""
    if any(_STATES.intersection(KINDS.get(word.key, ())) for word in slot.words):
        return ()
    if slot.words[0].kind == VERSION:
        return ("@version",)
    if is_time(slot.words):
        return _when(frame, slot.words)
    if slot.prep in ("in", "on", "at", "under", "near"):
        return ("@location",)
    return ("@origin",) if slot.prep == "from" else ()


def _are_capital(words: list[Word]) -> bool:
    return all(word.kind == NAME and word.text[:1].isupper() for word in words)


_MEASURES = {
    **{"tall": "@height", "high": "@height", "wide": "width", "long": "length"},
    **{"deep": "depth", "heavy": "@weight", "altura": "@height"},
}


def _measured(words: list[Word]) -> str | None:
    """ "is 180 cm tall" says how tall."""
    if len(words) != 2 or words[0].kind != QUANTITY:
        return None
    return _MEASURES.get(words[1].text.lower())


def _when(frame: Frame, value: list[Word]) -> tuple[str, ...]:
    """ "The retro is on Friday" says when it is; "the birthday is 3 May" says it by itself."""
    if not is_time(value) or (frame.user and not frame.subject) or is_marked(frame.subject):
        return ()
    return ("@when",)
