"""Claims about what stands in the object: "Alice owns the API", "Ana is the user's sister"."""

from __future__ import annotations

from memoro.memory.comparing.claims.building import build_claim
from memoro.memory.comparing.claims.claim import Claim
from memoro.memory.comparing.claims.meaning import BE, Meaning
from memoro.memory.comparing.claims.people import are_names
from memoro.memory.comparing.claims.wishes import has_figures
from memoro.memory.comparing.clauses.frame import DIRECT, Frame, Slot
from memoro.memory.comparing.lexicon.entries import CONTENT, NAMED_VALUE
from memoro.memory.comparing.lexicon.marks import SINGLE_NOUNS
from memoro.memory.comparing.tokens.token import WORD
from memoro.memory.comparing.words.word import Word

_OWNERS = {"own": "@owner", "manage": "@manager", "lead": "@lead", "responsible": "@owner"}
_USER_WORD = Word("user", CONTENT, WORD, "the user")


def claim_about_object(frame: Frame, language: str) -> Claim | None:
    """Claims about what stands in the object: "Alice owns the API", "Ana is the user's sister"."""
    direct = frame.slots[0].words
    agent = frame.slot("by")
    holder = frame.subject or ([_USER_WORD] if frame.user else [])
    mark = _OWNERS.get(frame.verb)
    if mark is not None:
        if frame.passive and agent is not None:
            return _held(frame, frame.subject, agent.words, mark, ("by",), language)
        about = direct or _words(frame.slot("for", "by", "to"))
        if not frame.passive and about and holder and _is_definite(frame, mark):
            return _held(frame, about, holder, mark, (DIRECT, "for", "by", "to"), language)
        if frame.verb == "own":
            frame.verb = "have"
        return None
    if frame.verb == BE and direct and frame.subject and not frame.user:
        return _inverse(frame, direct, language)
    return None


def _words(slot: Slot | None) -> list[Word]:
    return slot.words if slot is not None else []


def _is_definite(frame: Frame, mark: str) -> bool:
    direct = frame.slots[0].words
    return (
        mark != "@owner"
        or frame.object_definite
        or frame.verb == "responsible"
        or are_names(direct)
    )


def _held(
    frame: Frame,
    about: list[Word],
    value: list[Word],
    mark: str,
    used: tuple[str, ...],
    language: str,
) -> Claim:
    turned = Frame(subject=list(about), verb=BE)
    _copy_colours(frame, turned)
    turned.slots = [Slot(DIRECT), *(slot for slot in frame.slots if slot.prep not in used)]
    turned.scope = frame.scope
    meaning = Meaning(BE, (mark,), value, (DIRECT,), [], frame.newer)
    return build_claim(turned, meaning, language, False)


def _copy_colours(frame: Frame, turned: Frame) -> None:
    turned.negative, turned.often, turned.tense = frame.negative, frame.often, frame.tense
    turned.newer, turned.over = frame.newer, frame.over


def _inverse(frame: Frame, direct: list[Word], language: str) -> Claim | None:
    """ "Joana is the user's sister", "Alice is the tech lead": the object names an attribute."""
    marked = [word for word in direct if word.role == NAMED_VALUE]
    names = are_names(frame.subject) or (bool(marked) and marked[0].key == "@owner")
    names = names or (not frame.definite and any(word.key in SINGLE_NOUNS for word in direct))
    owner = bool(marked) and marked[0].key == "@owner"
    known = frame.possessed or frame.object_definite or owner or (language == "zh" and bool(marked))
    if not names or not known or has_figures(direct) or are_names(direct):
        return None
    if not (frame.possessed or marked or frame.object_definite):
        return None
    turned = Frame(subject=list(direct), verb=BE, user=frame.users_own)
    _copy_colours(frame, turned)
    turned.slots = [Slot(DIRECT), *frame.slots[1:]]
    turned.scope = frame.scope
    return build_claim(
        turned, Meaning(BE, (), list(frame.subject), (DIRECT,), [], frame.newer), language, False
    )
