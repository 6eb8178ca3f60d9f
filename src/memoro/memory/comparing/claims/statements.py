"""Reading a statement: from its text to its claims."""

from __future__ import annotations

from memoro.memory.comparing.claims.building import build_claim, is_role, is_temporal
from memoro.memory.comparing.claims.claim import Claim, Statement
from memoro.memory.comparing.claims.holders import claim_about_object
from memoro.memory.comparing.claims.meaning import BE, Meaning
from memoro.memory.comparing.claims.meanings import meaning_of
from memoro.memory.comparing.claims.people import is_person
from memoro.memory.comparing.claims.wishes import understand_wishes
from memoro.memory.comparing.clauses.frame import Frame, Slot, is_content
from memoro.memory.comparing.clauses.framing import read_frame
from memoro.memory.comparing.clauses.splitting import split
from memoro.memory.comparing.lexicon.entries import HEDGE, HOW_OFTEN, NOT, RATHER_THAN
from memoro.memory.comparing.lexicon.kinds import KINDS, STATES
from memoro.memory.comparing.tokens.scanning import scan
from memoro.memory.comparing.words.reading import read_words
from memoro.memory.comparing.words.rewriting import rewritten
from memoro.memory.comparing.words.word import Word

MOST_CHARACTERS = 1_200
"""Of a longer statement only so much is read into words, and it has no claims: it is compared
sentence by sentence."""


def read(text: str) -> Statement:
    """The claims of a statement. Never fails; what isn't understood is kept as plain words."""
    is_long = len(text) > MOST_CHARACTERS
    language, words = read_words(scan(rewritten(text[:MOST_CHARACTERS])))
    content = tuple(word for word in words if is_content(word))
    texts = {word.key: word.text for word in reversed(content)}
    claims: list[Claim] = []
    before: Frame | None = None
    for clause in [] if is_long else split(words):
        frame = read_frame(clause, language)
        _inherit(frame, before)
        claims += (claim._replace(texts=texts) for claim in _claims(frame, language))
        before = frame
    colours = ("not" if word.role == NOT else word.key for word in words if word.role in _COLOURS)
    flags = tuple(dict.fromkeys(colours))
    hedged = any(word.role == HEDGE for word in words)
    return Statement(language, tuple(claims), content, flags, hedged, text, is_long)


_COLOURS = frozenset({NOT, HOW_OFTEN, RATHER_THAN})


def _inherit(frame: Frame, before: Frame | None) -> None:
    """A clause without a subject goes on about the one before."""
    if before is None or frame.subject or frame.user or frame.we:
        return
    frame.subject, frame.user, frame.we = list(before.subject), before.user, before.we
    frame.definite = before.definite


def _claims(frame: Frame, language: str) -> list[Claim]:
    if not frame.verb and not frame.subject and not any(slot.words for slot in frame.slots):
        # Half a sentence is kept as the words that it has.
        frame.subject, frame.scope = [word for _, word in frame.scope], []
        if not frame.subject:
            return []
    understand_wishes(frame)
    turned = claim_about_object(frame, language)
    if turned is not None:
        return [turned]
    person = is_person(frame)
    meaning = meaning_of(frame, language, person)
    more = _at_work(frame, meaning, language, person) or _joined_instead(frame, meaning)
    if more is None:
        return _listed(build_claim(frame, meaning, language, person), frame, meaning)
    used = (*meaning.used, *more.used)
    return [
        build_claim(frame, meaning._replace(used=used), language, person),
        build_claim(frame, more._replace(used=used), language, person),
    ]


def _at_work(frame: Frame, meaning: Meaning, language: str, person: bool) -> Meaning | None:
    """The employer that a role is said with: "is a designer at Acme"."""
    if "@role" not in meaning.about and not is_role(meaning, person):
        return None
    place = frame.slot("at", "for") or (frame.slot("in") if language == "pt" else None)
    if place is None or is_temporal(place.words):
        return None
    return Meaning(BE, ("@employer",), place.words, (place.prep,), [], frame.newer)


def _joined_instead(frame: Frame, meaning: Meaning) -> Meaning | None:
    """The new employer of "left Acme for Globex"."""
    target = frame.slot("for", "to") if frame.verb == "leave" else None
    if target is None or is_temporal(target.words):
        return None
    return Meaning(BE, ("@employer",), target.words, (target.prep,), list(meaning.value), True)


def is_quality(word: Word) -> bool:
    """Whether a word says how something is: the "long" of "long, detailed answers"."""
    return bool(STATES.intersection(KINDS.get(word.key, ())))


def _listed(claim: Claim, frame: Frame, meaning: Meaning) -> list[Claim]:
    """One claim for each item of a list: "likes tea and coffee" says two things."""
    slot = next((one for one in frame.slots if one.prep in meaning.used and one.words), None)
    if slot is None or len(slot.items) < 2 or not claim.value or not _is_list_of(claim, slot):
        return [claim]
    rest = claim.value[len(slot.words) :]
    return [claim._replace(value=(*item, *rest), head=item[-1].key) for item in slot.items]


def _is_list_of(claim: Claim, slot: Slot) -> bool:
    """Whether the slot's items are each a value of the claim, and no qualities of one thing."""
    if claim.attribute == BE and not any(key[:1] == "@" for key in claim.about):
        return False
    *others, last = slot.items
    if len(last) > 1 and all(len(item) == 1 and is_quality(item[0]) for item in others):
        return False
    words = claim.value[: len(slot.words)]
    return [word.key for word in words] == [word.key for word in slot.words]
