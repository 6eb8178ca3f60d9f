"""Attributes that are named in the object, and when something is."""

from __future__ import annotations

from memoro.memory.comparing.claims.changes import in_years, is_time
from memoro.memory.comparing.claims.meaning import BE, Meaning
from memoro.memory.comparing.clauses.frame import DIRECT, Frame
from memoro.memory.comparing.lexicon.entries import NAMED_VALUE
from memoro.memory.comparing.lexicon.kinds import KINDS, STATES
from memoro.memory.comparing.tokens.token import CODE, FIGURES, QUANTITY, TIME, WORD
from memoro.memory.comparing.words.word import Word

_TIMED = frozenset(
    {"deliver", "schedule", "happen", "meet", "ship", "due", "plan", "reschedule", "intend"}
)
_ONE_VALUE = frozenset(
    {"have", "use", "run", "be", "listen", "expose", "need", "take", "join", "last"}
)
_SPAN = frozenset({"time", "months"})


def _is_span(word: Word) -> bool:
    return word.kind == QUANTITY and word.key.rpartition(" ")[2] in _SPAN


def read_timed(frame: Frame) -> Meaning | None:
    """ "ships in March", "is planned for June", "meets on Mondays", "starts on 4 May"."""
    if frame.verb in _TIMED or frame.verb in ("start", "end", "open", "close"):
        slots = [slot for slot in frame.slots if is_time(slot.words)]
        if slots:
            mark = f"@{frame.verb}" if frame.verb in ("start", "end", "open", "close") else "@when"
            value = [word for slot in slots for word in slot.words]
            return Meaning(BE, (mark,), value, tuple(slot.prep for slot in slots), [], frame.newer)
    return None


def read_named_value(frame: Frame) -> Meaning | None:
    """ "listens on port 5432", "has a timeout of 30 s", "is on version 3"."""
    if frame.verb not in _ONE_VALUE:
        return None
    for slot in frame.slots:
        names = [word for word in slot.words if word.role == NAMED_VALUE]
        if not names or (frame.verb == "be" and slot.prep == DIRECT and frame.subject == []):
            continue
        value = [w for w in slot.words if w.kind in FIGURES or w.kind in (CODE, TIME)]
        others = [w for w in slot.words if w not in value and w not in names]
        if not value and slot.prep in ("on", "at") and others:
            value, others = others, []
        if value and (slot.prep == DIRECT or frame.slots[0].words == []):
            about = tuple(word.key for word in (*names, *others))
            return Meaning(BE, about, value, (slot.prep,), [], frame.newer)
    if frame.verb == "listen" and (slot := frame.slot("on", "at", "to", DIRECT)) is not None:
        return Meaning(BE, ("@port",), slot.words, (slot.prep,), [], frame.newer)
    if frame.verb == "last" and any(_is_span(word) for word in frame.slots[0].words):
        return Meaning(BE, ("@duration",), frame.slots[0].words, (DIRECT,), [], frame.newer)
    return None


def read_use_as(frame: Frame) -> Meaning | None:
    """ "uses vim as main editor" is "main editor: vim"."""
    purpose, direct = frame.slot("as"), frame.slot(DIRECT)
    if frame.verb not in ("use", "have") or purpose is None or direct is None:
        return None
    about = tuple(word.key for word in purpose.words)
    return Meaning(BE, about, direct.words, ("as", DIRECT), [], frame.newer)


_EVENTS = frozenset({"deploy", "ship", "release"})


def read_special(frame: Frame, person: bool) -> Meaning | None:
    """Verbs of which only some uses speak of an attribute."""
    if frame.verb in _EVENTS and not frame.subject and not frame.negative:
        times = [word for slot in frame.slots for word in slot.words]
        if times and all(word.kind == TIME for word in times):
            used = tuple(slot.prep for slot in frame.slots if slot.words)
            return Meaning(BE, (frame.verb, "@when"), times, used, [], frame.newer)
    if frame.verb == "run" and set(_kinds(frame.slots[0].words)) - STATES:
        return Meaning("use", (), frame.slots[0].words, (DIRECT,), [], frame.newer)
    if frame.verb == "marry":
        slot = frame.slot("to", DIRECT, "with")
        value = [*(slot.words if slot is not None else []), *frame.subject[:1]]
        engaged = frame.verb_text.lower().startswith(("engag", "noiv"))
        state = Word("engaged" if engaged else "married", ".", WORD, frame.verb_text)
        frame.subject = []
        return Meaning(BE, ("@partner",), [state, *value], ("to", DIRECT, "with"), [], True)
    if frame.verb in ("have", "do", "age", "turn") and person and len(frame.slots[0].words) == 1:
        word = frame.slots[0].words[0]
        if word.kind == QUANTITY and word.key.endswith(" months"):
            return Meaning(BE, ("@age",), [in_years(word)], (DIRECT,), [], frame.newer)
    return None


def _kinds(words: list[Word]) -> list[str]:
    return [kind for word in words for kind in KINDS.get(word.key, ())]
