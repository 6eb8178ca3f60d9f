"""Asking: what a question asks for, the dates that it names, and what a turn holds for it."""

from memoro.memory.recall.asking.naming import participants_named
from memoro.memory.recall.asking.question import Question, date_fit, read_question
from memoro.memory.recall.asking.reach import DateAsked
from memoro.memory.recall.asking.turns import ends_in_question, has_number, has_time_word

__all__ = [
    "DateAsked",
    "Question",
    "date_fit",
    "ends_in_question",
    "has_number",
    "has_time_word",
    "participants_named",
    "read_question",
]
