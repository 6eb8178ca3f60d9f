"""What holds for every text: nothing is raised, nothing takes long, and windows are sound."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memoro.memory.dates.finding import find_window, read_window, without

pytestmark = pytest.mark.requirement("E04")

TODAY = date(2026, 5, 20)
_PIECES = """
a an the of in on at de do da em no na o 1 3 12 31 99 999 1000 2025 2026 may March março mar set
dez Sun sexta segunda-feira segunda Friday last past this next últimos últimas semana week weeks
day days dias dia month mês year ano ago atrás há faz since desde before antes until até between
entre and e from to a first 3rd 3º twenty vinte couple few uns cerca quarter trimestre Q3 2025-Q3
2026-05-02 2026-05 2026-W20 02/05/2026 0001-01-01 9999-12-31 yesterday ontem hoje now end start
beginning weekend fim , . ? - – ' 's ( ) " / mid-March twenty-one 2-3 one um hundred after
depois week-end night noite passada que vem
"""
"""Words and signs that expressions are made of, so that nearly right ones are tried often."""
texts = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(_PIECES.split()), max_size=14).map(" ".join),
    st.lists(st.sampled_from(_PIECES.split()), max_size=8).map("".join),
)


@settings(deadline=None)
@given(texts, st.dates())
@example("\ud800 yesterday", TODAY)
@example("ſept 2025", TODAY)
@example("ﬁ ² ½ ١ Ⅻ º ª ¤ days ago", TODAY)
@example("since the the the end of the end of March", TODAY)
@example("mid-" * 9, TODAY)
@example("between 9999-12-31 and March 3", date.max)
def test_nothing_is_raised_and_windows_are_sound(text: str, today: date) -> None:
    for read in (find_window, read_window):
        window = read(text, today)
        if window is None:
            continue
        assert window.text
        assert text[window.at : window.at + len(window.text)] == window.text
        assert window.start is not None or window.end is not None
        if window.start is not None and window.end is not None:
            assert window.start <= window.end
        left = without(text, window)
        assert left == " ".join(left.split())


@settings(deadline=None)
@given(texts, st.dates(date(1800, 1, 1), date(2200, 1, 1)))
def test_what_is_read_as_a_whole_is_found_again(text: str, today: date) -> None:
    window = find_window(text, today)
    # Some words are a date for what follows them alone ("set" for the month).
    if window is not None and find_window(window.text, today) is not None:
        again = read_window(window.text, today)
        assert again is not None
        assert again.text == window.text


@settings(deadline=None)
@given(st.dates(), st.dates())
def test_an_iso_day_is_that_day(day: date, today: date) -> None:
    for text in (day.isoformat(), f"{day.year:04}{day.month:02}{day.day:02}"):
        window = read_window(text, today)
        assert window is not None
        assert (window.start, window.end) == (day, day)
    found = find_window(f"what happened on {day.isoformat()}?", today)
    assert found is not None
    assert (found.start, found.end, found.at) == (day, day, 17)


@settings(deadline=None)
@given(st.integers(1, 999), st.dates(date(1000, 1, 1), date(9998, 1, 1)))
def test_counting_back_is_the_same_in_both_languages(count: int, today: date) -> None:
    for english, portuguese in (("days", "dias"), ("weeks", "semanas"), ("months", "meses")):
        ago = find_window(f"{count} {english} ago", today)
        ha = find_window(f"há {count} {portuguese}", today)
        assert ago is not None and ha is not None
        assert (ago.start, ago.end) == (ha.start, ha.end)
        last = find_window(f"last {count} {english}", today)
        assert last is not None
        assert last.end == today and last.start is not None and last.start <= today


@pytest.mark.parametrize(
    "piece",
    [
        "what did we decide about the deployment of the new service, ", "may ", "last ", "1 ", "a ",
        "march 3 to ", "from ", "since the ", "the end of the ", "between a and ", "segunda vez ",
        "3-5 ", "vinte e ", "há ", "q1 of ", "mid-", "1", "á", "a\u0301", "-", " ", "2026-05-0",
        "may, ", "twenty-", "'", "(", "in 2025 items ",
    ],
)  # fmt: skip
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    started = time.process_time()
    window = find_window(text, TODAY)
    assert read_window(text, TODAY) is None
    if window is not None:
        without(text, window)
    # Well under a second; the rest is room for a busy machine.
    assert time.process_time() - started < 4
