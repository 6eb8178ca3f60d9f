"""A question as recall looks at it: what it asks for, and which dates it names."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from memoro.memory.dates.window import Calendar
from memoro.memory.folding import folded
from memoro.memory.recall.asking.assistant import asks_for_what_was_said
from memoro.memory.recall.asking.dating import dates_asked
from memoro.memory.recall.asking.kinds import asks_for_number, asks_for_time
from memoro.memory.recall.asking.reach import DateAsked, fit_of

_LONGEST = 4000
"""More characters than a question has; what is longer is material that was pasted."""


class Question(NamedTuple):
    """What a question asks for.

    `asked`: what the assistant said; `when`: a time; `how_many`: a number; `dates`: the days that
    it names.
    """

    asked: bool
    when: bool
    how_many: bool
    dates: tuple[DateAsked, ...] = ()


def read_question(text: str, now: datetime, calendar: Calendar) -> Question:
    """What a question asks for, in English, Portuguese, Spanish or Chinese; relative dates are
    counted from the user's day at `now`. Of a long text its beginning and its end count."""
    text = _without_middle(text)
    plain = " ".join(folded(text).replace("’", "'").split())
    return Question(
        asks_for_what_was_said(plain),
        asks_for_time(plain, text),
        asks_for_number(plain),
        dates_asked(text, calendar.day(now)),
    )


def date_fit(question: Question, at: datetime, calendar: Calendar) -> float:
    """How well the user's day of a turn fits the dates that a question names: 1 for the very day,
    0 where it names none, or none that is near."""
    if not question.dates:
        return 0.0
    day = calendar.day(at).toordinal()
    return max(fit_of(asked, day) for asked in question.dates)


def _without_middle(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]}\n{text[-half:]}"
