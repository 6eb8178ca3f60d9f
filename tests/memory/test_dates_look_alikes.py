"""What looks like an expression of time and is none."""

from __future__ import annotations

from datetime import date

import pytest

from memoro.memory.dates.finding import find_window

TODAY = date(2026, 5, 20)
"""A Wednesday."""

pytestmark = pytest.mark.requirement("E04")


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


DURATIONS = """
    a sprint is 2 weeks long
    retry after 3 days
    the trial lasts 30 days
    the trial period is 14 days
    tokens last 7 days
    it will last two weeks
    does the trial last 30 days?
    the battery should last 3 days
    within 2 weeks
    every 3 days
    every two weeks
    in 5 minutes
    in 3 days
    a 3 month contract
    a two-week sprint
    90 day retention
    keep logs for 30 days
    two weeks of vacation
    3 days from now
    3 days from today
    it takes 3 weeks to ship
    from 3 to 5 days
    up to 3 days
    once a week
    half a year ago
    2.5 weeks ago
    two and a half weeks ago
    one hundred and two days ago
    1,000 days ago
    1000 days ago
    0 days ago
    -3 days ago
    an hour ago
    a while ago
    2 weeks and 3 days ago
    4 years, 11 months ago
    the last week of the sprint
    the last 2 days of testing
    week 2 of the course
    day 3 of the trip
    3 days before the release
    a duração é de 3 meses
    o prazo é de 2 semanas
    a cada 2 dias
    daqui a 3 dias
    dentro de 2 semanas
    em duas semanas
    durante 3 dias
    até 5 dias úteis
    depois de 3 dias
    um contrato de 2 anos
    há 30 dias de prazo
    há 7 dias na semana
    há 12 meses no ano
    ainda há 3 dias até o prazo
    há 2 semanas para o prazo
    há um ano e meio
    há dez pessoas
    faz 3 coisas
    uma vez por semana
    dois meses atrás de respostas
    os últimos dias de Pompeia
    os últimos 5 commits
    última vez
"""

FUTURE_AND_REPEATED = """
    tomorrow
    next week
    next Friday
    Friday next week
    in March of next year
    by Friday
    by March 3
    every Monday
    on Fridays
    each Tuesday
    on a Friday
    open Monday to Friday
    mon-fri support
    amanhã
    semana que vem
    na próxima segunda
    sexta que vem
    na sexta seguinte
    março do ano que vem
    toda sexta
    às sextas
    cada sexta
    todas as segundas
    hoje em dia
"""

NAMES_AND_OTHER_WORDS = """
    may I ask
    may 5 users log in at once?
    at most 3 may attend
    this may take a while
    this set of files
    set it before may be too late
    LAST may not be empty
    for sep in ("-", "_"):
    starting out
    happy Friday!
    second Monday
    uma imagem da Sun
    a primeira linha é diferente da segunda
    you may have noticed
    march on
    3 march on
    march 3 people out
    the march of time
    the last march of the penguins
    the May release
    the October invoice
    our January release
    april, may and june
    April said
    June and I
    April, can you help?
    JUNE software
    ask Jan about it
    august body
    it could sun
    sun exposure
    the sun rises
    sat on the couch
    Sunday school
    Black Friday deals
    on Black Friday
    Friday-quality
    Friday deploys are banned
    Monday standup notes
    Friday the 13th
    monday.com
    second opinion
    the second of the options
    a third of March
    on the 3rd floor
    on the 2nd try
    set theory
    in set theory
    set the timer
    set 2025 goals
    the first quarter of the game
    a quarter of users
    quarter past three
    Q3: what is the answer?
    Q4 quantization
    question Q3
    last name
    at last
    last commit
    uma segunda opinião
    uma segunda chance
    na segunda vez que falamos
    pela segunda vez
    segunda via
    em segunda mão
    a primeira e a segunda
    na quarta reunião
    a quinta versão
    Quinta da Boa Vista
    na sexta posição
    terça parte
    o marco do projeto
    Marco disse
    um marco importante
    o mar estava calmo
    no mar
    em dez minutos
    dez vezes
    maiô
    está semana
    Rio de Janeiro
    rua 7 de setembro
    Ponte 25 de Abril
    Avenida 9 de Julho
    Editora Abril
    o quarto de hotel
"""

NUMBERS = """
    2025
    2025 items
    in 2025 items
    port 2025
    issue #2025
    version 2025.1
    the 2025 roadmap
    page 3 of 2025
    out of 2025
    ISO 2022
    HTTP 404
    in 2077
    from 2000 to 2048
    between 2020 and 2030 people
    between 1 and 2025
    10.2.2026
    192.168.2.20
    +351 912 345 678
    call 555-2025
    deadbeef2025
    1990s
    in '25
    31 April
    on February 30
    30 February 2025
    29 February 2025
    11th October 2603
    2026-02-30
    on 2026-13-01
    2026-W54
    em 30 de fevereiro
    31 de abril de 2025
    logs/2026-05-02.txt
    what is in logs/2026-05-02
    v2026-05-02
    release-2026-05
    gpt-4o-2024-08-06
    20260502
    https://example.com/2026/05/02/post
    2026-05-02T10:15:00Z
    log of 02/05/2026
    12/25/2025
    between 2 and 3 weeks
    mais de 2025 itens
    em 2025 itens
    a versão 2025
    de 3 a 5 dias
    ١ days ago
    ² days
"""


@pytest.mark.parametrize("text", lines(DURATIONS))
def test_a_duration_is_no_date(text: str) -> None:
    assert find_window(text, TODAY) is None


@pytest.mark.parametrize("text", lines(FUTURE_AND_REPEATED))
def test_what_is_ahead_or_repeated_is_no_window(text: str) -> None:
    assert find_window(text, TODAY) is None


@pytest.mark.parametrize("text", lines(NAMES_AND_OTHER_WORDS))
def test_a_word_that_means_something_else_is_no_date(text: str) -> None:
    assert find_window(text, TODAY) is None


@pytest.mark.parametrize("text", lines(NUMBERS))
def test_a_number_is_no_date(text: str) -> None:
    assert find_window(text, TODAY) is None


@pytest.mark.parametrize("text", lines(DURATIONS + NAMES_AND_OTHER_WORDS + NUMBERS))
def test_a_look_alike_hides_no_expression_after_it(text: str) -> None:
    window = find_window(f"{text}; yesterday", TODAY)
    assert window is not None
    assert window.text == "yesterday"
