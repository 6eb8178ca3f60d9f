"""Finding the window that a question speaks of, in English and Portuguese."""

from __future__ import annotations

import unicodedata
from datetime import date

import pytest

from memoro.memory.dates.finding import find_window
from memoro.memory.dates.periods import week_of
from memoro.memory.dates.window import Window

TODAY = date(2026, 5, 20)
"""A Wednesday."""

pytestmark = pytest.mark.requirement("E04")


def found(text: str, today: date = TODAY) -> str | None:
    """The window of a text as `start..end`; an open side is empty, one day stands alone."""
    window = find_window(text, today)
    if window is None:
        return None
    check(window, text)
    start, end = (str(day or "") for day in (window.start, window.end))
    return start if start == end else f"{start}..{end}"


def check(window: Window, text: str) -> None:
    """What holds for every window."""
    assert window.text
    assert text[window.at : window.at + len(window.text)] == window.text
    if window.start and window.end:
        assert window.start <= window.end


ENGLISH = [
    ("what did we do today?", "2026-05-20"),
    ("today's version", "2026-05-20"),
    ("what broke this morning?", "2026-05-20"),
    ("what did we decide yesterday about DNS?", "2026-05-19"),
    ("Yesterday was long", "2026-05-19"),
    ("what did I say last night?", "2026-05-19"),
    ("the day before yesterday we had a call", "2026-05-18"),
    ("3 days ago", "2026-05-17"),
    ("what changed three days ago?", "2026-05-17"),
    ("a day ago", "2026-05-19"),
    ("a couple of days ago", "2026-05-18"),
    ("couple days ago", "2026-05-18"),
    ("a few days ago", "2026-05-17"),
    ("twelve days ago", "2026-05-08"),
    ("twenty-one days ago", "2026-04-29"),
    ("twenty one days ago", "2026-04-29"),
    ("ninety-nine days ago", "2026-02-10"),
    ("100 days ago", "2026-02-09"),
    ("two nights ago", "2026-05-18"),
    ("three days back", "2026-05-17"),
    ("a week ago", "2026-05-11..2026-05-17"),
    ("2 weeks ago", "2026-05-04..2026-05-10"),
    ("2-3 weeks ago", "2026-04-27..2026-05-10"),
    ("two or three weeks ago", "2026-04-27..2026-05-10"),
    ("a month ago", "2026-04-01..2026-04-30"),
    ("three months ago", "2026-02-01..2026-02-28"),
    ("two quarters ago", "2025-10-01..2025-12-31"),
    ("a year ago", "2025-01-01..2025-12-31"),
    ("2 years ago", "2024-01-01..2024-12-31"),
    ("what did we do last week about DNS?", "2026-05-11..2026-05-17"),
    ("last week's notes", "2026-05-11..2026-05-17"),
    ("previous week", "2026-05-11..2026-05-17"),
    ("the week before last", "2026-05-04..2026-05-10"),
    ("this week", "2026-05-18..2026-05-24"),
    ("earlier this week", "2026-05-18..2026-05-24"),
    ("last month", "2026-04-01..2026-04-30"),
    ("this month", "2026-05-01..2026-05-31"),
    ("the current month", "2026-05-01..2026-05-31"),
    ("last quarter", "2026-01-01..2026-03-31"),
    ("this quarter", "2026-04-01..2026-06-30"),
    ("last year", "2025-01-01..2025-12-31"),
    ("this year", "2026-01-01..2026-12-31"),
    ("last weekend", "2026-05-16..2026-05-17"),
    ("what did I do over the weekend?", "2026-05-16..2026-05-17"),
    ("this weekend", "2026-05-23..2026-05-24"),
    ("what changed in the last 7 days?", "2026-05-14..2026-05-20"),
    ("last 1 day", "2026-05-20"),
    ("show last 7 days", "2026-05-14..2026-05-20"),
    ("what did we ship last 3 weeks", "2026-04-30..2026-05-20"),
    ("past 3 days", "2026-05-18..2026-05-20"),
    ("within the last 2 weeks", "2026-05-07..2026-05-20"),
    ("over the last couple of weeks", "2026-05-07..2026-05-20"),
    ("the last few days", "2026-05-18..2026-05-20"),
    ("the past two months", "2026-03-21..2026-05-20"),
    ("in the past week", "2026-05-14..2026-05-20"),
    ("over the past year", "2025-05-21..2026-05-20"),
    ("the last 24 hours", "2026-05-19..2026-05-20"),
    ("what did we decide in March?", "2026-03-01..2026-03-31"),
    ("IN MARCH", "2026-03-01..2026-03-31"),
    ("in May", "2026-05-01..2026-05-31"),
    ("in June", "2025-06-01..2025-06-30"),
    ("in December", "2025-12-01..2025-12-31"),
    ("what happened in Sept.?", "2025-09-01..2025-09-30"),
    ("January", "2026-01-01..2026-01-31"),
    ("what did we ship february?", "2026-02-01..2026-02-28"),
    ("October's invoice", "2025-10-01..2025-10-31"),
    ("mid-March", "2026-03-01..2026-03-31"),
    ("the end of March", "2026-03-01..2026-03-31"),
    ("last March", "2026-03-01..2026-03-31"),
    ("last May", "2025-05-01..2025-05-31"),
    ("this March", "2026-03-01..2026-03-31"),
    ("March 2025", "2025-03-01..2025-03-31"),
    ("Mar 2025", "2025-03-01..2025-03-31"),
    ("May 2025 notes", "2025-05-01..2025-05-31"),
    ("in March of 2025", "2025-03-01..2025-03-31"),
    ("March last year", "2025-03-01..2025-03-31"),
    ("in March and April", "2026-03-01..2026-04-30"),
    ("in January, February and March", "2026-01-01..2026-03-31"),
    ("in June 3 people left", "2025-06-01..2025-06-30"),
    ("March 3", "2026-03-03"),
    ("on March 3rd", "2026-03-03"),
    ("March 3rd, 2025", "2025-03-03"),
    ("March 3 2025", "2025-03-03"),
    ("3 March 2025", "2025-03-03"),
    ("3rd of March", "2026-03-03"),
    ("the third of March", "2026-03-03"),
    ("Sept. 3, 2025", "2025-09-03"),
    ("the 4th of July", "2025-07-04"),
    ("May 3", "2026-05-03"),
    ("what happened on may 3 in Lisbon", "2026-05-03"),
    ("December 24", "2025-12-24"),
    ("3-Mar-2025", "2025-03-03"),
    ("Nov 20 23:59:59 2019", "2019-11-20"),
    ("on Friday, March 6", "2026-03-06"),
    ("Friday 6 March 2026", "2026-03-06"),
    ("on the 15th", "2026-05-15"),
    ("what changed since the 25th?", "2026-04-25.."),
    ("on Friday", "2026-05-15"),
    ("what did Ana say Friday?", "2026-05-15"),
    ("what broke Friday night", "2026-05-15"),
    ("Friday's deploy", "2026-05-15"),
    ("on Wednesday", "2026-05-13"),
    ("last Tuesday", "2026-05-19"),
    ("what did we ship on Tue about auth?", "2026-05-19"),
    ("this Friday", "2026-05-22"),
    ("Monday last week", "2026-05-11"),
    ("Friday of last week", "2026-05-15"),
    ("the first Monday of March", "2026-03-02"),
    ("the last Friday of April", "2026-04-24"),
    ("the first week of May", "2026-05-01..2026-05-07"),
    ("the last week of March", "2026-03-25..2026-03-31"),
    ("the last 3 days of March", "2026-03-29..2026-03-31"),
    ("the week of March 3", "2026-03-02..2026-03-08"),
    ("week 20 of 2026", "2026-05-11..2026-05-17"),
    ("in 2025", "2025-01-01..2025-12-31"),
    ("decisions from 2024", "2024-01-01..2024-12-31"),
    ("in the year 2025", "2025-01-01..2025-12-31"),
    ("in 2024 and 2025", "2024-01-01..2025-12-31"),
    ("late 2025", "2025-01-01..2025-12-31"),
    ("Q3", "2025-07-01..2025-09-30"),
    ("the Q1 goals", "2026-01-01..2026-03-31"),
    ("Q3 2025", "2025-07-01..2025-09-30"),
    ("2025-Q3", "2025-07-01..2025-09-30"),
    ("2025 Q3", "2025-07-01..2025-09-30"),
    ("third quarter", "2025-07-01..2025-09-30"),
    ("the third quarter of last year", "2025-07-01..2025-09-30"),
    ("2nd quarter of 2024", "2024-04-01..2024-06-30"),
    ("2026-05-02", "2026-05-02"),
    ("on 2026-05-02 we shipped", "2026-05-02"),
    ("(2026-05-02).", "2026-05-02"),
    ("2026-05-02T10:15:00", "2026-05-02"),
    ("on 13/05/2026", "2026-05-13"),
    ("2026-05", "2026-05-01..2026-05-31"),
    ("2026-W20", "2026-05-11..2026-05-17"),
    ("between March and May 2025", "2025-03-01..2025-05-31"),
    ("between November and February", "2025-11-01..2026-02-28"),
    ("between 3 and 5 March", "2026-03-03..2026-03-05"),
    ("between 2023 and 2024", "2023-01-01..2024-12-31"),
    ("between last Monday and yesterday", "2026-05-18..2026-05-19"),
    ("from Monday to Friday", "2026-05-11..2026-05-15"),
    ("from last Monday to last Friday", "2026-05-11..2026-05-15"),
    ("from March 3 to April 5", "2026-03-03..2026-04-05"),
    ("from March 3 to the 9th", "2026-03-03..2026-03-09"),
    ("from the 3rd to the 5th of March", "2026-03-03..2026-03-05"),
    ("from November 2024 to February", "2024-11-01..2025-02-28"),
    ("from 2026-05-09 to 2026-05-02", "2026-05-02..2026-05-09"),
    ("from March until now", "2026-03-01..2026-05-20"),
    ("2026-05-02 to 2026-05-09", "2026-05-02..2026-05-09"),
    ("2026-05-02..2026-05-09", "2026-05-02..2026-05-09"),
    ("2026-05-02–2026-05-09", "2026-05-02..2026-05-09"),
    ("Jan-Mar 2025", "2025-01-01..2025-03-31"),
    ("yesterday and today", "2026-05-19..2026-05-20"),
    ("since March", "2026-03-01.."),
    ("since May", "2026-05-01.."),
    ("since last week", "2026-05-11.."),
    ("since the beginning of 2025", "2025-01-01.."),
    ("since the end of March", "2026-03-31.."),
    ("since the start of the year", "2026-01-01.."),
    ("from March onwards", "2026-03-01.."),
    ("before 2025", "..2024-12-31"),
    ("before the last week of March", "..2026-03-24"),
    ("before Friday", "..2026-05-14"),
    ("until yesterday", "..2026-05-19"),
    ("until the end of March", "..2026-03-31"),
    ("up to March 2025", "..2025-03-31"),
    ("after March", "2026-04-01.."),
    ("after 2026-05-02", "2026-05-03.."),
    ("2 days before 2026-05-02", "2026-04-30"),
    ("the week after March 3", "2026-03-09..2026-03-15"),
    ("we ate 3 days ago", "2026-05-17"),
]

PORTUGUESE = [
    ("o que fizemos hoje?", "2026-05-20"),
    ("hoje de manhã", "2026-05-20"),
    ("o que decidimos ontem sobre DNS?", "2026-05-19"),
    ("ONTEM", "2026-05-19"),
    ("ontem à noite", "2026-05-19"),
    ("na noite passada", "2026-05-19"),
    ("anteontem", "2026-05-18"),
    ("antes de ontem", "2026-05-18"),
    ("há 3 dias", "2026-05-17"),
    ("ha tres dias", "2026-05-17"),
    ("HÁ TRÊS DIAS", "2026-05-17"),
    ("há três dias atrás", "2026-05-17"),
    ("3 dias atrás", "2026-05-17"),
    ("tres dias atras", "2026-05-17"),
    ("faz 3 dias", "2026-05-17"),
    ("há uns 3 dias", "2026-05-17"),
    ("há uns dias", "2026-05-17"),
    ("um par de dias atrás", "2026-05-18"),
    ("há vinte e um dias", "2026-04-29"),
    ("quinze dias atrás", "2026-05-05"),
    ("o que conversamos há duas semanas?", "2026-05-04..2026-05-10"),
    ("há uma semana", "2026-05-11..2026-05-17"),
    ("duas ou três semanas atrás", "2026-04-27..2026-05-10"),
    ("faz dois meses que migramos", "2026-03-01..2026-03-31"),
    ("há cerca de 2 meses", "2026-03-01..2026-03-31"),
    ("há um mês", "2026-04-01..2026-04-30"),
    ("há alguns meses", "2026-02-01..2026-02-28"),
    ("há um ano", "2025-01-01..2025-12-31"),
    ("dois anos atrás", "2024-01-01..2024-12-31"),
    ("o que mandamos há 2 dias para o cliente?", "2026-05-18"),
    ("na semana passada", "2026-05-11..2026-05-17"),
    ("última semana", "2026-05-11..2026-05-17"),
    ("esta semana", "2026-05-18..2026-05-24"),
    ("nessa semana", "2026-05-18..2026-05-24"),
    ("a semana retrasada", "2026-05-04..2026-05-10"),
    ("mês passado", "2026-04-01..2026-04-30"),
    ("mes passado", "2026-04-01..2026-04-30"),
    ("este mês", "2026-05-01..2026-05-31"),
    ("neste trimestre", "2026-04-01..2026-06-30"),
    ("no trimestre passado", "2026-01-01..2026-03-31"),
    ("no ano passado", "2025-01-01..2025-12-31"),
    ("neste ano", "2026-01-01..2026-12-31"),
    ("no fim de semana passado", "2026-05-16..2026-05-17"),
    ("últimos 7 dias", "2026-05-14..2026-05-20"),
    ("nos últimos dois meses", "2026-03-21..2026-05-20"),
    ("nas últimas 3 semanas", "2026-04-30..2026-05-20"),
    ("nos 3 últimos meses", "2026-02-21..2026-05-20"),
    ("nos últimos dias", "2026-05-18..2026-05-20"),
    ("em março", "2026-03-01..2026-03-31"),
    ("reuniões de março", "2026-03-01..2026-03-31"),
    ("abril", "2026-04-01..2026-04-30"),
    ("abril foi corrido", "2026-04-01..2026-04-30"),
    ("em dezembro", "2025-12-01..2025-12-31"),
    ("março passado", "2026-03-01..2026-03-31"),
    ("março de 2025", "2025-03-01..2025-03-31"),
    ("marco de 2025", "2025-03-01..2025-03-31"),
    ("março do ano passado", "2025-03-01..2025-03-31"),
    ("set de 2025", "2025-09-01..2025-09-30"),
    ("out/2025", "2025-10-01..2025-10-31"),
    ("desde out", "2025-10-01.."),
    ("no início de abril", "2026-04-01..2026-04-30"),
    ("3 de março", "2026-03-03"),
    ("três de março", "2026-03-03"),
    ("dez de março", "2026-03-10"),
    ("1º de março", "2026-03-01"),
    ("primeiro de maio", "2026-05-01"),
    ("dia 3 de março de 2025", "2025-03-03"),
    ("7 de setembro", "2025-09-07"),
    ("o que decidimos no dia 15?", "2026-05-15"),
    ("reunião do dia 25", "2026-04-25"),
    ("em 02/05/2026", "2026-05-02"),
    ("sexta, 6 de março", "2026-03-06"),
    ("na sexta", "2026-05-15"),
    ("sexta passada", "2026-05-15"),
    ("na última sexta-feira", "2026-05-15"),
    ("Segunda-feira", "2026-05-18"),
    ("segunda feira", "2026-05-18"),
    ("na 2ª feira", "2026-05-18"),
    ("na segunda decidimos usar Go", "2026-05-18"),
    ("terca passada", "2026-05-19"),
    ("no sábado", "2026-05-16"),
    ("domingo", "2026-05-17"),
    ("sexta à tarde", "2026-05-15"),
    ("nesta sexta", "2026-05-22"),
    ("segunda da semana passada", "2026-05-11"),
    ("a última sexta de abril", "2026-04-24"),
    ("primeira semana de abril", "2026-04-01..2026-04-07"),
    ("semana de 3 de março", "2026-03-02..2026-03-08"),
    ("em 2025", "2025-01-01..2025-12-31"),
    ("em 2025 decidimos usar Go", "2025-01-01..2025-12-31"),
    ("no ano de 2025", "2025-01-01..2025-12-31"),
    ("3º trimestre", "2025-07-01..2025-09-30"),
    ("primeiro trimestre de 2025", "2025-01-01..2025-03-31"),
    ("no segundo trimestre", "2026-04-01..2026-06-30"),
    ("entre março e maio", "2026-03-01..2026-05-31"),
    ("entre 3 e 5 de março", "2026-03-03..2026-03-05"),
    ("entre os dias 3 e 5 de março", "2026-03-03..2026-03-05"),
    ("entre segunda e quarta", "2026-05-11..2026-05-13"),
    ("de segunda a quarta", "2026-05-11..2026-05-13"),
    ("de março a maio de 2025", "2025-03-01..2025-05-31"),
    ("de 3 de abril a 17 de abril de 2026", "2026-04-03..2026-04-17"),
    ("do dia 3 ao dia 5 de março", "2026-03-03..2026-03-05"),
    ("de 2023 a 2025", "2023-01-01..2025-12-31"),
    ("de ontem até hoje", "2026-05-19..2026-05-20"),
    ("de março até agora", "2026-03-01..2026-05-20"),
    ("desde março", "2026-03-01.."),
    ("desde há 2 semanas", "2026-05-04.."),
    ("desde o início do ano", "2026-01-01.."),
    ("a partir de março", "2026-03-01.."),
    ("antes de 2025", "..2024-12-31"),
    ("antes da semana passada", "..2026-05-10"),
    ("depois de abril de 2025", "2025-05-01.."),
    ("após 10 de maio", "2026-05-11.."),
    ("até março", "..2026-03-31"),
    ("ate ontem", "..2026-05-19"),
    ("até o fim de março", "..2026-03-31"),
]


@pytest.mark.parametrize(("text", "days"), ENGLISH + PORTUGUESE)
def test_an_expression_means_these_days(text: str, days: str) -> None:
    assert found(text) == days


@pytest.mark.parametrize(("text", "days"), PORTUGUESE)
def test_accents_may_be_composed_or_not(text: str, days: str) -> None:
    assert found(unicodedata.normalize("NFD", text)) == days


@pytest.mark.parametrize(("text", "days"), ENGLISH + PORTUGUESE)
def test_an_expression_is_found_within_a_longer_text(text: str, days: str) -> None:
    assert found(f"Tell me, please: {text}") == days
    assert found(f"{text}\n\n(see the log)") == days


@pytest.mark.requirement("E06")
@pytest.mark.parametrize(
    ("text", "today", "days"),
    [
        ("yesterday", date(2025, 1, 1), "2024-12-31"),
        ("3 days ago", date(2024, 3, 2), "2024-02-28"),
        ("last week", date(2026, 1, 1), "2025-12-22..2025-12-28"),
        ("this week", date(2026, 1, 1), "2025-12-29..2026-01-04"),
        ("last month", date(2026, 1, 31), "2025-12-01..2025-12-31"),
        ("a month ago", date(2026, 3, 31), "2026-02-01..2026-02-28"),
        ("last quarter", date(2026, 2, 1), "2025-10-01..2025-12-31"),
        ("in March", date(2020, 2, 1), "2019-03-01..2019-03-31"),
        ("in March", date(2020, 3, 1), "2020-03-01..2020-03-31"),
        ("Q1", date(2026, 1, 1), "2026-01-01..2026-03-31"),
        ("há 3 dias", date(2020, 1, 2), "2019-12-30"),
    ],
)
def test_days_are_counted_from_the_given_one(text: str, today: date, days: str) -> None:
    assert found(text, today) == days


@pytest.mark.requirement("E07")
@pytest.mark.parametrize(
    ("text", "today", "days"),
    [
        ("yesterday", date(2024, 3, 1), "2024-02-29"),
        ("a year ago", date(2024, 2, 29), "2023-01-01..2023-12-31"),
        ("há um ano", date(2024, 2, 29), "2023-01-01..2023-12-31"),
        ("a month ago", date(2024, 3, 31), "2024-02-01..2024-02-29"),
        ("last 12 months", date(2024, 2, 29), "2023-03-01..2024-02-29"),
        ("past year", date(2024, 2, 29), "2023-03-01..2024-02-29"),
        ("last 1 month", date(2025, 3, 31), "2025-03-01..2025-03-31"),
        ("last month", date(2024, 3, 1), "2024-02-01..2024-02-29"),
        ("29 February", date(2026, 5, 20), "2024-02-29"),
        ("29 February", date(1904, 2, 28), "1896-02-29"),
        ("29 de fevereiro", date(2024, 2, 29), "2024-02-29"),
        ("February 29, 2024", date(2026, 5, 20), "2024-02-29"),
        ("2024-02-29", date(2026, 5, 20), "2024-02-29"),
        ("Q1 2024", date(2026, 5, 20), "2024-01-01..2024-03-31"),
        ("2020-W53", date(2026, 5, 20), "2020-12-28..2021-01-03"),
    ],
)
def test_leap_days_and_short_months(text: str, today: date, days: str) -> None:
    assert found(text, today) == days


@pytest.mark.requirement("E07")
@pytest.mark.parametrize("day", [date(2026, 5, 18), date(2026, 5, 20), date(2026, 5, 24)])
def test_a_week_runs_from_monday_to_sunday(day: date) -> None:
    assert week_of(day) == (date(2026, 5, 18), date(2026, 5, 24))
    assert found("this week", day) == "2026-05-18..2026-05-24"
    assert found("last week", day) == "2026-05-11..2026-05-17"


def test_the_week_is_cut_where_the_calendar_ends() -> None:
    assert week_of(date.max) == (date(9999, 12, 27), date.max)
    assert week_of(date.min) == (date.min, date(1, 1, 7))


@pytest.mark.parametrize("weekday", range(7))
def test_a_weekday_is_the_latest_strictly_before_today(weekday: int) -> None:
    today = date(2026, 5, 18 + weekday)
    day = found("on Wednesday", today)
    assert day == ("2026-05-20" if weekday > 2 else "2026-05-13")


@pytest.mark.parametrize("text", ["March", "march?", "(March)"])
def test_a_month_that_is_a_verb_counts_where_it_is_all_there_is(text: str) -> None:
    assert found(text) == "2026-03-01..2026-03-31"


def test_the_first_window_that_is_certain_counts() -> None:
    assert found("may I ask what we did last week, and not yesterday?") == "2026-05-11..2026-05-17"


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("what did we do last week about DNS?", "last week"),
        ("what changed between March 3 and April 5, 2026?", "between March 3 and April 5, 2026"),
        ("tudo desde o dia 3 de março.", "desde o dia 3 de março"),
        ("everything before the last week of March", "before the last week of March"),
        ("was it *until yesterday*?", "until yesterday"),
        ("Há  duas\nsemanas", "Há  duas\nsemanas"),
    ],
)
def test_the_window_has_the_expression_as_it_stood(text: str, expression: str) -> None:
    window = find_window(text, TODAY)
    assert window is not None
    assert window.text == expression
    assert window.at == text.index(expression)


@pytest.mark.parametrize(
    ("text", "today"),
    [
        ("3 years ago", date(2, 1, 1)),
        ("last week", date(1, 1, 3)),
        ("before 0001-01-01", TODAY),
        ("yesterday", date.min),
        ("last 12 months", date(1, 6, 1)),
        ("29 February", date(1, 3, 1)),
    ],
)
def test_what_lies_outside_of_the_calendar_is_no_window(text: str, today: date) -> None:
    window = find_window(text, today)
    assert window is None or (window.start is not None and window.start <= today)
