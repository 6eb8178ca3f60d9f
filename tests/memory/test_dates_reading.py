"""Reading a text that is nothing but a date, and what is left of a text without one."""

from __future__ import annotations

from datetime import date

import pytest

from memoro.memory.dates.finding import find_window, read_window, without
from memoro.memory.dates.window import Window

TODAY = date(2026, 5, 20)
"""A Wednesday."""

pytestmark = pytest.mark.requirement("E04")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("today", "2026-05-20", "2026-05-20"),
        ("  Yesterday ", "2026-05-19", "2026-05-19"),
        ("now", "2026-05-20", "2026-05-20"),
        ("2026-05-02", "2026-05-02", "2026-05-02"),
        ("20260502", "2026-05-02", "2026-05-02"),
        ("02/05/2026", "2026-05-02", "2026-05-02"),
        ("2/5/2026", "2026-05-02", "2026-05-02"),
        ("2026-05", "2026-05-01", "2026-05-31"),
        ("2026-W20", "2026-05-11", "2026-05-17"),
        ("0001-01-01", "0001-01-01", "0001-01-01"),
        ("9999-12-31", "9999-12-31", "9999-12-31"),
        ("2025", "2025-01-01", "2025-12-31"),
        ("Q3", "2025-07-01", "2025-09-30"),
        ("march", "2026-03-01", "2026-03-31"),
        ("may", "2026-05-01", "2026-05-31"),
        ("Mar", "2026-03-01", "2026-03-31"),
        ("set", "2025-09-01", "2025-09-30"),
        ("in March", "2026-03-01", "2026-03-31"),
        ("end of March", "2026-03-31", "2026-03-31"),
        ("the end of last month", "2026-04-30", "2026-04-30"),
        ("início de março", "2026-03-01", "2026-03-01"),
        ("Friday", "2026-05-15", "2026-05-15"),
        ("sat", "2026-05-16", "2026-05-16"),
        ("segunda", "2026-05-18", "2026-05-18"),
        ("na segunda", "2026-05-18", "2026-05-18"),
        ("no dia 15", "2026-05-15", "2026-05-15"),
        ("the 15th", "2026-05-15", "2026-05-15"),
        ("3 days ago", "2026-05-17", "2026-05-17"),
        ("há 3 dias", "2026-05-17", "2026-05-17"),
        ("nos últimos 7 dias", "2026-05-14", "2026-05-20"),
        ("the last 7 days", "2026-05-14", "2026-05-20"),
        ("Monday to Friday", "2026-05-11", "2026-05-15"),
        ("since March", "2026-03-01", None),
        ("until yesterday", None, "2026-05-19"),
        ("between March and May", "2026-03-01", "2026-05-31"),
    ],
)
def test_a_whole_text_is_read(text: str, start: str | None, end: str | None) -> None:
    window = read_window(text, TODAY)
    assert window is not None
    days = tuple(None if day is None else str(day) for day in (window.start, window.end))
    assert days == (start, end)
    assert text[window.at : window.at + len(window.text)] == window.text


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "a", "um", "15", "2 weeks", "today we met", "we met today", "yesterday.",
        "(today)", "yesterday's", "last", "week 20", "tomorrow", "next week", "31/02/2026",
        "05/13/2026",
        "20260231", "99999999", "2026-02-30", "2026-5-2", "0000-01-01", "2026-W54", "February 30",
        "in the in March", "1000 days ago", "last week\0", "today " * 100,
    ],
)  # fmt: skip
def test_what_is_no_date_as_a_whole_is_refused(text: str) -> None:
    assert read_window(text, TODAY) is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("what did we do last week about DNS?", "what did we do about DNS?"),
        ("what changed in the last 7 days?", "what changed?"),
        ("what did Ana say on Friday about DNS", "what did Ana say about DNS"),
        ("what did we ship since March?", "what did we ship?"),
        ("notes between March and May on DNS", "notes on DNS"),
        ("Last week, what did we do?", "what did we do?"),
        ("what's yesterday's plan", "what's plan"),
        ("Friday’s deploy", "deploy"),
        ("decisions  from  2024   about auth", "decisions about auth"),
        ("in the month of March", ""),
        ("DNS in mid-March", "DNS"),
        ("the start of the year 2025 for DNS", "for DNS"),
        ("yesterday", ""),
        ("yesterday?", ""),
        ("what did we do 2026-05-02 about DNS", "what did we do about DNS"),
        ("o que decidimos na semana passada sobre o banco?", "o que decidimos sobre o banco?"),
        ("reunião do dia 15 com Ana", "reunião com Ana"),
        ("o DNS nos últimos dois meses", "o DNS"),
        ("o que mudou desde o dia 3 de março no DNS", "o que mudou no DNS"),
        ("o que foi dito no mês de março", "o que foi dito"),
        ("as notas de 2024", "as notas"),
        ("o que fizemos em 02/05/2026", "o que fizemos"),
        ("o que fizemos há 3 dias", "o que fizemos"),
    ],
)
def test_the_other_words_are_left(text: str, left: str) -> None:
    window = find_window(text, TODAY)
    assert window is not None
    assert without(text, window) == left


def test_nothing_but_the_expression_is_taken_where_it_stands_twice() -> None:
    text = "yesterday and yesterday"
    assert without(text, Window(TODAY, TODAY, "yesterday", 14)) == "yesterday and"
