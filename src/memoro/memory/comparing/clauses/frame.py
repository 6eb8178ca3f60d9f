"""Frames: who does what in a clause, before it is known what the verb means."""

from __future__ import annotations

from memoro.memory.comparing.lexicon.english import ENGLISH
from memoro.memory.comparing.lexicon.entries import (
    CONTENT,
    HOW_OFTEN,
    NAMED_VALUE,
    NOT,
    NOW,
    ONCE,
    OUGHT,
    PLANNED,
)
from memoro.memory.comparing.lexicon.portuguese import PORTUGUESE
from memoro.memory.comparing.lexicon.stems import english_stem
from memoro.memory.comparing.tokens.token import WORD
from memoro.memory.comparing.words.reading import stem
from memoro.memory.comparing.words.word import Word

DIRECT = ""
"""The slot of what stands right after the verb."""
LIGHT = frozenset({"use", "have", "get", "be", "do", "make", "see", "take", "come", "go", "give",
                   "last", "receive", "eat", "drink"})  # fmt: skip
"""Verbs that say little of their own in a chain: "likes to use", "wants to have"."""


class Slot:
    """The words after one preposition, item by item where they are a list.

    `words` are those of all items, once the clause is read to its end. `named` is False where the
    preposition comes without an article in a language that has one with it: "em Lisboa", "na Acme";
    `negative` says that its words are denied: "without approval".
    """

    __slots__ = ("items", "named", "negative", "prep", "words")

    def __init__(self, prep: str, named: bool = True) -> None:
        self.prep: str = prep
        self.named: bool = named
        self.negative: bool = False
        self.items: list[list[Word]] = [[]]
        self.words: list[Word] = []

    @property
    def filled(self) -> bool:
        """Whether it has words while it is being read."""
        return any(self.items)

    def next_item(self) -> None:
        """Go on with another item of the list, if the last one has words."""
        if not self.items or self.items[-1]:
            self.items.append([])

    def settle(self, items: list[list[Word]]) -> None:
        """Take these items as all there are."""
        self.items = [item for item in items if item] or [[]]
        if self.negative:
            self.items = [[_denied(word) for word in item] for item in self.items]
        self.words = [word for item in self.items for word in item]


DENIED = "no:"
"""What stands before the key of a word that is denied by itself."""


def _denied(word: Word) -> Word:
    return word if word.key.startswith(DENIED) else word._replace(key=f"{DENIED}{word.key}")


class Frame:
    """A clause, taken apart, while it is read and understood.

    The subject is in words, or the user, or the project ("we"). `definite` says that the subject is
    "the …", `object_definite` that the object is; `possessed` that the object is somebody's, and
    `users_own` that it is the user's.
    """

    __slots__ = (
        *("deed", "definite", "negative", "newer", "object_definite", "often", "ought", "over"),
        *("passive", "possessed", "scope", "slots", "subject", "tense", "user", "users_own"),
        *("verb", "verb_text", "we"),
    )

    def __init__(self, subject: list[Word] | None = None, verb: str = "", user: bool = False):
        self.subject: list[Word] = subject or []
        self.user: bool = user
        self.we: bool = False
        self.verb: str = verb
        self.verb_text: str = verb
        self.deed: str = ""
        self.often: str = ""
        self.tense: str = ""
        self.passive: bool = False
        self.negative: bool = False
        self.newer: bool = False
        self.ought: bool = False
        self.definite: bool = False
        self.object_definite: bool = False
        self.possessed: bool = False
        self.users_own: bool = False
        self.slots: list[Slot] = []
        self.over: list[Word] = []
        self.scope: list[tuple[str, Word]] = []

    def slot(self, *preps: str) -> Slot | None:
        """The first slot with one of these prepositions, if it has words."""
        for slot in self.slots:
            if slot.words and slot.prep in preps:
                return slot
        return None


def note_flag(word: Word, frame: Frame) -> None:
    """Note what colours the whole clause."""
    role = word.role
    if role == NOT:
        # "Não … nunca" denies once, and so does "don't ever".
        frame.negative = True
    elif role == HOW_OFTEN:
        frame.often = word.key if not frame.often or word.key != "all" else frame.often
    elif role == NOW:
        frame.newer = True
    elif role == ONCE:
        frame.tense = "past"
    elif role == PLANNED:
        frame.tense = "plan"
    elif role == OUGHT:
        frame.ought = True


def is_content(word: Word) -> bool:
    """Whether a word says something of its own."""
    return word.role in (CONTENT, NAMED_VALUE) or word.role[0] == "V"


def as_noun(word: Word) -> Word:
    """A verb's word used as a noun, without the other verbs of its sense: a build is no code."""
    if word.role[0] != "V" or word.kind != WORD:
        return word
    text = word.text.lower()
    base = ENGLISH.bases.get(text)
    if base is not None:
        root = stem(base, "en")
        return word if root == english_stem(word.key) else word._replace(key=root)
    if text in PORTUGUESE.also_nouns:
        return word._replace(key=stem(text, "pt"))
    return word


MEANT = frozenset({"before", "after", "except", "until", "under", "above", "-with", "unless"})


def scope_prefix(word: Word) -> str:
    """The preposition or conjunction where it tells two scopes apart; "in" and "when" don't."""
    return word.key if word.key in MEANT or word.key == "because" else ""
