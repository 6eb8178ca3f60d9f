"""Finding the window that a text speaks of, and reading a text that is nothing but one.

What is counted here:

- Weeks run from Monday to Sunday. "Last week", "3 weeks ago", "this month", "last quarter", "2
  years ago" are whole units of the calendar, "3 days ago" is that day.
- "The last 3 weeks" ends today: N days with today as the last, 7N days, and N months from the day
  after the same day N months back. So do "the past week" and "the past year".
- "A few" is three, "a couple" two. Numbers go up to 999 in figures and 99 in words.
- A month, day or quarter without a year that lies ahead of today is last year's; a weekday is the
  latest strictly before today; "this Friday" lies in this week, "this March" in this year.
- "The weekend" is last week's, "the first week of March" its first seven days, "the week of March
  3" the ISO week around that day. "The end of March" is all of March in a question; its last day
  behind "since", "before", "until" and the like, and where it is all that is read.
- "Until A" includes A; "before A" and "after A" don't. "From A to B" runs from the first day of A
  to the last of B, and what has no year in it takes the other one's.
- A month or weekday that describes a thing ("the May release", "Friday deploys") is no date, save
  behind a preposition of time ("on Friday deploys stop").
- The future is no window: "tomorrow", "next week", "in 3 days" are none; nor is a year of its own
  more than ten years ahead.
- `DD/MM/YYYY` counts in a question where it can't be `MM/DD/YYYY`, or the word before it is
  Portuguese. A timestamp counts for its day unless it names a zone: then it is an instant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from memoro.memory.dates.expressions import Expression, expressions
from memoro.memory.dates.grammar.figures import read_compact, read_day_first
from memoro.memory.dates.grammar.lexicon import ENGLISH, PORTUGUESE, word_set
from memoro.memory.dates.grammar.patterns import reading
from memoro.memory.dates.grammar.words import Word, read_words
from memoro.memory.dates.window import Window

_PREPOSITIONS_EN = word_set(
    "in on at during over for from of since within throughout around through back early mid late"
    " earlier the"
)
_PREPOSITIONS_PT = word_set(
    "em no na nos nas de do da dos das durante desde ao o a os as pelo pela"
)
_ENGLISH_TOO = word_set("no do a as")
"""Portuguese prepositions and articles that are English words as well."""
_OPENERS = word_set(
    "since between from before after until till starting desde entre antes depois ate apos"
)
_PARTS = word_set(
    "end beginning start middle fim final inicio comeco meados month year week mes ano dia longo"
    " decorrer"
)
_LEADING = (_PREPOSITIONS_EN | _PREPOSITIONS_PT) - {"a"}
_ANCHORS = word_set("<unit> <month> <weekday> <quarter> <year> <nth>")
_DEICTIC = word_set(
    "today hoje tonight yesterday ontem anteontem trasanteontem morning afternoon evening night"
    " nights manha tarde noite noites weekend hour hours hora horas now agora present"
)
"""Every expression has a word of one of these classes, or one of these words."""
_MOST_BEFORE_ANCHOR = 16
"""More words than any expression has before the first of them."""
_LONGEST = 200
"""More characters than any expression has."""
_MOST_LEADING = 2
_MOST_DANGLING = 6
_POSSESSIVE = re.compile("['’]s\\b", re.IGNORECASE)
_SPACE_BEFORE_SIGN = re.compile(r"\s+(?=[?!.,;:)])")


def find_window(text: str, today: date) -> Window | None:
    """The window that a text in natural language speaks of, counted from `today`: the first that
    is certain. None where there is none."""
    words = read_words(text)
    for index in _starts(words):
        for one in expressions(words, index, today):
            return _window(text, words, one)
    return None


def _starts(words: Sequence[Word]) -> Iterator[int]:
    """Where an expression can start, in order: near a word that one must have."""
    looked = 0
    for place, word in enumerate(words):
        if word.period or word.value in _DEICTIC or not _ANCHORS.isdisjoint(reading(word.value)):
            yield from range(max(looked, place - _MOST_BEFORE_ANCHOR), place + 1)
            looked = place + 1


def read_window(text: str, today: date) -> Window | None:
    """The window that a whole text means; also `YYYYMMDD` and `DD/MM/YYYY`. None where a part of
    it is no expression of time."""
    stripped = text.strip()
    if len(stripped) > _LONGEST:
        return None
    if period := read_compact(stripped) or read_day_first(stripped):
        return Window(*period, stripped, text.index(stripped))
    words = read_words(stripped)
    for index in range(min(_MOST_LEADING + 1, len(words))):
        for one in expressions(words, index, today, whole=True):
            if one.stop == len(words) and words[-1].end == len(stripped) and not words[0].start:
                return _window(text, words, one, text.index(stripped))
        if words[index].value not in _LEADING:
            break
    # What is found in a text means the same where it stands alone.
    found = find_window(stripped, today)
    if found is None or found.text != stripped:
        return None
    return found._replace(at=text.index(stripped))


def without(text: str, window: Window) -> str:
    """A text's other words: without the window's expression, the preposition and article right
    before it, and the gap that they leave."""
    end = window.at + len(window.text)
    words = [word for word in read_words(text) if word.end <= end]
    own = [word for word in words if word.start >= window.at]
    before = words[: len(words) - len(own)]
    dangling = _dangling(before, [word.value for word in own])
    cut = before[-dangling].start if dangling else window.at
    rest = text[end:]
    if possessive := _POSSESSIVE.match(rest):
        rest = rest[possessive.end() :]
    left = " ".join(f"{text[:cut]} {rest}".split())
    left = _SPACE_BEFORE_SIGN.sub("", left).lstrip(",;:.–—- ")
    return left if any(character.isalnum() for character in left) else ""


def _dangling(before: list[Word], own: list[str]) -> int:
    """How many words right before an expression belong to it."""
    if not own or own[0] in _OPENERS:
        return 0
    portuguese, english = PORTUGUESE.intersection(own), ENGLISH.intersection(own)
    known = _PREPOSITIONS_EN if english or not portuguese else frozenset[str]()
    if portuguese:
        known |= _PREPOSITIONS_PT
    elif not english:
        known |= _PREPOSITIONS_PT - _ENGLISH_TOO
    after = own[0]
    count = 0
    for word in reversed(before[-_MOST_DANGLING:]):
        named = word.value in _PARTS and (after in ("of", "de", "do", "da") or not count)
        if word.value not in known and not named:
            break
        after = word.value
        count += 1
    return count


def _window(text: str, words: list[Word], one: Expression, shift: int = 0) -> Window:
    start, end = shift + words[one.first].start, shift + words[one.stop - 1].end
    return Window(one.start, one.end, text[start:end], start)
