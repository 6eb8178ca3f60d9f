"""Where words stand that could be an expression of time, and what the words around them say."""

from __future__ import annotations

from typing import NamedTuple

from memoro.memory.dates.grammar.lexicon import PORTUGUESE, word_set
from memoro.memory.dates.grammar.matches import Match
from memoro.memory.dates.grammar.patterns import Words, at
from memoro.memory.dates.grammar.words import NTH, OPAQUE

ARTICLES = word_set("the a an o os as um uma num numa")
DETERMINERS = ARTICLES | word_set(
    "my our your his her its their this that these those no another"
    " meu minha nosso nossa seu sua este esta esse essa outro outra"
)
HOLDERS_EN = word_set(
    "in during since before after until till through throughout from of for around between early"
    " late mid on over"
)
HOLDERS_PT = word_set(
    "em desde de ate durante apos entre na no nas nos da do inicio comeco fim final meados"
)
HOLDERS = HOLDERS_EN | HOLDERS_PT
"""Words that ask for a time, or can."""
_FOLLOWERS_EN = word_set(
    "about with on in at for and or but to from by as when where what which who why how that"
    " because if so then we i you they he she it us is was were are did do does had has have will"
    " would could can should the a an my our your their his her its this these after before during"
    " since until till regarding concerning without into over under only please morning afternoon"
    " evening night too also around via while though versus vs onwards onward through"
)
_FOLLOWERS_PT = word_set(
    "sobre com em no na nos nas para pra por pelo pela e ou mas o os a as ao quando onde que qual"
    " quem porque se entao eu voce ele ela eles foi era estava fui fiz fez teve houve disse tem"
    " temos tinha um uma meu minha nosso nossa seu sua nao antes depois ate desde sem tambem so ja"
    " cedo"
)
_FOLLOWERS = _FOLLOWERS_EN | _FOLLOWERS_PT
"""Words that can't be what a month or weekday before them describes."""
_JOINTS = word_set(
    "about with in at on for and or regarding concerning sobre com em no na e ou para"
)
"""The followers that can't be those of a verb either."""
NO_MONTH_AFTER = word_set("on over no na nos nas do da")
"""The holders that ask for a day, not for a month or year."""
PLACES = word_set(
    "rua avenida av ponte praca largo travessa escola colegio hospital estadio rodovia estacao"
    " bairro editora grupo revista rio street bridge"
)
"""What is named after a day or month."""
VERB_ENDINGS = ("mos", "ou", "ei", "aram", "eram", "iram")
"""What a feminine singular noun does not end with, "lei" set aside."""
PARTS_OF_DAY_PT = word_set("manha tarde noite madrugada")
_COUNTED = word_set("ms kb mb gb tb px km kg people percent pessoas rpm hz dpi")


class Place(NamedTuple):
    """Where a match stands; `held` is whether what stands before it asks for a time."""

    words: Words
    match: Match
    held: bool

    def before(self, distance: int = 1) -> str:
        """A word before the match."""
        return at(self.words, self.match.first - distance)

    def after(self, distance: int = 0) -> str:
        """A word after the match."""
        return at(self.words, self.match.stop + distance)

    @property
    def own(self) -> list[str]:
        """The match's words."""
        return [word.value for word in self.words[self.match.first : self.match.stop]]

    @property
    def is_plain(self) -> bool:
        """Whether the match's first word was written in ASCII."""
        return self.words[self.match.first].plain

    @property
    def has_year(self) -> bool:
        """Whether a year was named."""
        return self.match.values[-1] is not None

    @property
    def is_owner(self) -> bool:
        """Whether a possessive stands at its end."""
        return self.words[self.match.stop - 1].owner

    @property
    def is_all(self) -> bool:
        """Whether the text has nothing else, but for a sign before and after."""
        first, stop = self.match.first, self.match.stop
        around = self.words[: min(first, 2)], self.words[stop : stop + 2]
        return all(len(one) < 2 and all(is_end(word.value) for word in one) for one in around)

    @property
    def is_free(self) -> bool:
        """Whether what follows can't be the thing that the match would describe."""
        after = self.after()
        if after == "de":
            return self.after(1) in PARTS_OF_DAY_PT
        if after == "the" and self.after(1).endswith(NTH):
            return False
        followers = _FOLLOWERS if PORTUGUESE.isdisjoint(self.own) else _FOLLOWERS_PT
        return is_end(after) or self.is_owner or after in followers or after == OPAQUE

    @property
    def is_strictly_free(self) -> bool:
        """Whether what follows is no object of a verb, either."""
        return is_end(self.after()) or self.is_owner or self.after() in _JOINTS


def is_end(word: str) -> bool:
    """Whether a clause ends where this "word" stands: a sign, or nothing."""
    return not word or (len(word) == 1 and not word.isalnum() and word not in (OPAQUE, "-"))


def is_number(word: str) -> bool:
    """Whether a word is a number in figures, or an ordinal."""
    figures = word.removesuffix(NTH)
    return figures.isascii() and figures.isdigit()


def is_counted(word: str) -> bool:
    """Whether a word looks like what a number before it counts: a plural, or a unit."""
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("mos", "ss"))
    return word in _COUNTED or (plural and word not in _FOLLOWERS)


def is_plural_noun(word: str) -> bool:
    """Whether a word can be the subject of "last" as a verb."""
    return word.endswith("s") and word not in _FOLLOWERS and word != "across"
