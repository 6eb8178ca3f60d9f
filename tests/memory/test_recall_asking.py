"""What a question asks for, the dates that it names, and what a turn holds for it."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memoro.memory.dates.window import ZoneCalendar
from memoro.memory.recall.asking import (
    Question,
    date_fit,
    ends_in_question,
    has_number,
    has_time_word,
    participants_named,
    read_question,
)

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
"""A Wednesday."""
CALENDAR = ZoneCalendar(UTC)

pytestmark = pytest.mark.requirement("R01")


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def read(text: str, now: datetime = NOW) -> Question:
    return read_question(text, now, CALENDAR)


def fit(text: str, day: date, now: datetime = NOW) -> float:
    at = datetime(day.year, day.month, day.day, 15, tzinfo=UTC)
    return date_fit(read(text, now), at, CALENDAR)


WHAT_THE_ASSISTANT_SAID = """
    Which campsite did you recommend near the lake?
    What was the bakery you told me about?
    what did u say about my mortgage
    Could you remind me of the title of that documentary?
    Remind me again what the fourth ingredient was.
    In our previous chat, how much salt was in the brine?
    Going back to our conversation about tide pools: which species was poisonous?
    We discussed insulation last time. Which material came out best?
    What did we decide about the retry policy?
    What did you and I settle on?
    What was the limerick you wrote for Nina's card?
    What name did we come up with for the boat?
    You'd listed five exercises. What was the last?
    Earlier you mentioned a museum of clocks. Where is it?
    What were your tips for the interview?
    What was your answer to the riddle?
    What was the third entry on your list?
    Which of your suggestions needs no tools?
    What fix did you apply to the parser?
    Your earlier suggestion about the curtains, what was it?
    What did the assistant suggest for the rash?
    I lost the timetable you’d put together for us, when does it start?
    If I remember well, you gave me a formula. Which one?
    Qual foi a trilha que você me recomendou?
    o que vc falou sobre o meu financiamento
    Pode me lembrar o título daquele filme?
    Na nossa conversa anterior, quanto sal ia na salmoura?
    O que decidimos sobre a política de repetição?
    Que livros me sugeriste?
    O que a gente discutiu sobre o telhado?
    Qual foi a sua resposta para a charada?
    O que o assistente tinha indicado?
    ¿Qué sendero me recomendaste?
    ¿Qué dijiste de mi hipoteca?
    ¿Me puedes recordar el título de esa película?
    En nuestra última charla, ¿cuánta sal llevaba?
    ¿Qué libros habías sugerido?
    Recuérdame cuál era el cuarto ingrediente
    ¿Cuál fue tu consejo para la entrevista?
    你上次推荐的露营地叫什么?
    你之前说的那部电影是哪一年的?
    你提到的那家面包店在哪里？
    你給我的清單裡第四項是什麼？
    我们之前聊过的纪录片叫什么?
    上次对话里你列了哪些步骤?
    能提醒我一下那个博物馆的名字吗？
"""

SOMETHING_ELSE = """
    Can you recommend a campsite near the lake?
    What would you suggest for a rainy day?
    What do you recommend?
    Any advice for the interview?
    What is your advice on mortgages?
    Could you tell me where I left my umbrella?
    Can you give me a list of museums?
    What is my sister's name?
    Who gave me the clock?
    What did my neighbour recommend?
    What did Nina suggest to Paulo?
    What did I tell you about my knee?
    Which hobbies did I bring up in our conversations?
    Based on what I told you in our chats, do I like olives?
    Remind me to water the plants.
    Remind me tomorrow at nine.
    remind me where I left the umbrella
    Can you remind me what my blood type is?
    If you gave me two apples and I ate one, how many are left?
    What time is our session with the therapist?
    Where does our discussion group meet?
    When did we move to Faro?
    How many countries have I visited?
    Você pode recomendar uma trilha?
    O que você recomenda para dias de chuva?
    Onde deixei o guarda-chuva?
    Me lembra de regar as plantas
    Me lembra qual é o nome do meu dentista?
    O que eu falei na nossa conversa sobre o joelho?
    ¿Puedes recomendar un sendero?
    ¿Qué me recomiendas?
    Recuérdame regar las plantas
    ¿Dónde dejé el paraguas?
    ¿Cómo se llama mi hermana?
    你能推荐一个露营地吗?
    你有什么建议?
    提醒我明天浇花
    我姐姐叫什么名字?
    你可以告诉我我的血型是什么吗?
"""


@pytest.mark.parametrize("text", lines(WHAT_THE_ASSISTANT_SAID))
def test_a_question_for_what_the_assistant_said(text: str) -> None:
    assert read(text).asked
    assert read(text.upper()).asked
    assert read("  " + text.replace(" ", "  ")).asked


@pytest.mark.parametrize("text", lines(SOMETHING_ELSE))
def test_a_question_for_something_else(text: str) -> None:
    assert not read(text).asked


TIMES = """
    When did Nina move?
    When's the concert?
    When is Paulo planning to leave?
    When Paulo is going to leave?
    Since when have I had this cough?
    Do you remember when I sold the boat?
    What date was the concert?
    On which day did I fall?
    In what year was she born?
    What time do I get up?
    How long ago did I sell the boat?
    How many weeks ago did I fall?
    What was the exact date of the concert?
    Quando a Nina se mudou?
    Quando foi o concerto?
    Em que ano ela nasceu?
    Há quanto tempo vendi o barco?
    Qual é a data do concerto?
    Que horas eu acordo?
    ¿Cuándo se mudó Nina?
    Y tú, ¿cuándo vendiste el barco?
    ¿En qué mes fue el concierto?
    ¿Hace cuánto vendí el barco?
    什么时候搬家的?
    音乐会是哪天?
    她哪一年出生的?
    几点开始?
    多久以前卖的船?
"""
NO_TIMES = """
    What did Nina buy?
    How old was I when I moved?
    When I moved to Faro, which school did I go to?
    Who called when I was asleep?
    Quantos anos eu tinha quando me mudei?
    ¿Quién llamó cuando yo dormía?
    她搬家的时候住在哪里?
    Where is the boat?
"""
NUMBERS = """
    How many boats do I have?
    How much did the concert cost?
    How often do I swim?
    How old is Paulo?
    How long is the bridge?
    What is the total cost of the repairs?
    What was the average temperature?
    What percentage of my income goes to rent?
    Quantos barcos eu tenho?
    Quanto custou o concerto?
    Com que frequência eu nado?
    Qual é o preço do barco?
    ¿Cuántos barcos tengo?
    ¿Qué edad tiene Paulo?
    ¿Con qué frecuencia nado?
    我有多少条船?
    我有几只猫?
    保罗多大了?
"""
NO_NUMBERS = """
    What is my boat's name?
    How did I get to Faro?
    Quem ligou enquanto eu dormia?
    ¿Cómo se llama mi barco?
    几乎没有人来吗?
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [(text, True) for text in lines(TIMES)] + [(text, False) for text in lines(NO_TIMES)],
)
def test_a_question_for_a_time(text: str, expected: bool) -> None:
    assert read(text).when is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [(text, True) for text in lines(NUMBERS)] + [(text, False) for text in lines(NO_NUMBERS)],
)
def test_a_question_for_a_number(text: str, expected: bool) -> None:
    assert read(text).how_many is expected


EXACT = [
    "What broke on March 3, 2025?",
    "what broke on 2025-03-03",
    "What broke on 3 March, 2025",
    "the 3rd of March 2025",
    "o que quebrou no dia 3 de março de 2025?",
    "¿qué se rompió el 3 de marzo de 2025?",
    "2025年3月3日发生了什么?",
    "2025年三月三号发生了什么?",
]


@pytest.mark.requirement("E05")
@pytest.mark.parametrize("text", EXACT)
def test_a_named_day_reaches_further_ahead_than_back(text: str) -> None:
    fits = {-5: 0.0, -4: 0.35, -2: 0.7, -1: 1.0, 0: 1.0, 2: 1.0, 3: 0.7, 7: 0.7, 14: 0.35, 15: 0.0}
    found = {away: fit(text, date(2025, 3, 3) + timedelta(days=away)) for away in fits}
    assert found == fits


@pytest.mark.requirement("E05")
@pytest.mark.parametrize(
    ("text", "day", "expected"),
    [
        # Months, and the first days of the next.
        ("in March 2025", date(2025, 3, 1), 0.6),
        ("in March 2025", date(2025, 3, 31), 0.6),
        ("in March 2025", date(2025, 4, 10), 0.3),
        ("in March 2025", date(2025, 4, 11), 0.0),
        ("in March 2025", date(2024, 3, 15), 0.0),
        ("em março de 2025", date(2025, 3, 15), 0.6),
        ("en marzo de 2025", date(2025, 3, 15), 0.6),
        ("2025年3月", date(2025, 3, 15), 0.6),
        # Without a year: the last before now, and less in any other year.
        ("in March", date(2026, 3, 15), 0.6),
        ("in March", date(2025, 3, 15), 0.3),
        ("in March", date(2011, 3, 15), 0.3),
        ("in March", date(2026, 5, 15), 0.0),
        ("in June", date(2025, 6, 15), 0.6),
        ("3月份", date(2026, 3, 15), 0.6),
        ("on March 3", date(2026, 3, 3), 1.0),
        ("on March 3", date(2024, 3, 4), 0.5),
        # Years.
        ("in 2024", date(2024, 1, 1), 0.25),
        ("in 2024", date(2025, 1, 1), 0.0),
        ("last year", date(2025, 8, 1), 0.25),
        ("去年", date(2025, 8, 1), 0.25),
        # Counted from the day of the question.
        ("yesterday", date(2026, 5, 19), 0.8),
        ("yesterday", date(2026, 5, 16), 0.0),
        ("10 days ago", date(2026, 5, 10), 0.8),
        ("10 days ago", date(2026, 5, 9), 0.8),
        ("10 days ago", date(2026, 5, 7), 0.0),
        ("two weeks ago", date(2026, 5, 2), 0.8),
        ("two weeks ago", date(2026, 5, 10), 0.8),
        ("two weeks ago", date(2026, 5, 14), 0.0),
        ("three months ago", date(2026, 2, 6), 0.8),
        ("three months ago", date(2026, 4, 20), 0.0),
        ("last week", date(2026, 5, 13), 0.8),
        ("last month", date(2026, 4, 2), 0.8),
        ("last weekend", date(2026, 5, 16), 0.8),
        ("last weekend", date(2026, 5, 8), 0.0),
        ("last Tuesday", date(2026, 5, 19), 0.8),
        ("over the past 3 months", date(2026, 3, 10), 0.8),
        ("ontem", date(2026, 5, 19), 0.8),
        ("há três dias", date(2026, 5, 17), 0.8),
        ("na semana passada", date(2026, 5, 13), 0.8),
        ("na segunda", date(2026, 5, 18), 0.8),
        ("ayer", date(2026, 5, 19), 0.8),
        ("hace tres días", date(2026, 5, 17), 0.8),
        ("la semana pasada", date(2026, 5, 13), 0.8),
        ("el viernes pasado", date(2026, 5, 15), 0.8),
        ("昨天", date(2026, 5, 19), 0.8),
        ("三天前", date(2026, 5, 17), 0.8),
        ("上周二", date(2026, 5, 12), 0.8),
        ("上个月", date(2026, 4, 10), 0.8),
        ("两周前", date(2026, 5, 6), 0.8),
        # Several dates, and stretches of days.
        ("on 2025-03-03 or on 2025-08-08", date(2025, 3, 3), 1.0),
        ("on 2025-03-03 or on 2025-08-08", date(2025, 8, 8), 1.0),
        ("from March 3 to March 5, 2025", date(2025, 3, 4), 1.0),
        ("between March and April 2025", date(2025, 4, 2), 0.4),
        ("since March", date(2026, 4, 2), 0.4),
        # Told on the day from which was counted.
        ("the week before March 3, 2025", date(2025, 3, 3), 1.0),
        ("the week before March 3, 2025", date(2025, 2, 26), 0.6),
        ("last weekend before March 3, 2025", date(2025, 3, 2), 1.0),
        ("last weekend before March 3, 2025", date(2026, 5, 16), 0.0),
        # Nobody can tell which is the month.
        ("on 3/4/2025", date(2025, 3, 4), 1.0),
        ("on 3/4/2025", date(2025, 4, 3), 1.0),
        ("on 5/13/2025", date(2025, 5, 13), 1.0),
    ],
)
def test_the_day_of_a_turn_fits_the_dates_of_a_question(
    text: str, day: date, expected: float
) -> None:
    assert fit(f"What happened {text}?" if text.isascii() else text, day) == expected


@pytest.mark.requirement("E05")
@pytest.mark.parametrize(
    "text",
    lines("""
    may I ask for the bill?
    who will march to the station?
    is the sprint 2 weeks long?
    does it retry after 3 days?
    what do I do every Friday?
    what time do I get up on Saturday mornings?
    which version is 3.11.2024-rc1?
    how many of the 3 boats float?
    你有几个月饼?
    99月99日
    """),
)
def test_what_is_no_date(text: str) -> None:
    assert read(text).dates == ()


@pytest.mark.requirement("E05")
def test_days_are_those_of_the_users_zone() -> None:
    zone = ZoneCalendar(ZoneInfo("America/Sao_Paulo"))
    # It is still the 19th there.
    late = datetime(2026, 5, 20, 1, tzinfo=UTC)
    asked = read_question("what did I do yesterday?", late, zone)
    assert asked.dates[0].first == date(2026, 5, 18).toordinal()
    named = read_question("on 2025-03-03", late, zone)
    assert date_fit(named, datetime(2025, 3, 18, 2, 59, tzinfo=UTC), zone) == 0.35
    assert date_fit(named, datetime(2025, 3, 18, 3, 0, tzinfo=UTC), zone) == 0.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [(text, True) for text in lines("""
        I fell yesterday
        The Tuesday meeting was long
        it was last week
        the past few weeks were hard
        we left three days later
        she was born in May
        May 5th was great
        we met on the 15th
        I have lived here since 2019
        dinner is at 6:30 pm
        in the summer we swim
        this morning I slept
        Caí ontem
        na semana passada choveu
        comprei há três dias
        no verão eu nado
        a prova é dia 3
        começo na semana que vem
        Ayer me caí
        la semana pasada llovió
        hace dos días
        我昨天摔倒了
        三天前买的
        上周二下雨
        五月三号考试
        """)]
    + [(text, False) for text in lines("""
        I may go there
        we march to the station
        I like dogs
        every day is fun
        this time it works
        the fall of Rome
        take your time
        she is in 5th grade
        $2,500 for a boat
        uma boa noite
        de vez em quando
        我喜欢狗
        """)]
)  # fmt: skip
def test_a_turn_that_tells_a_time(text: str, expected: bool) -> None:
    assert has_time_word(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [(text, True) for text in lines("""
        two cats
        3 cats
        (Three!)
        a dozen eggs
        twenty-one
        dois gatos
        trinta anos
        tengo dos gatos
        siete perros
        两只猫
        三个人
        １２
        """)]
    + [(text, False) for text in lines("""
        one cat
        the weight
        um gato
        o rei dos mares
        十分好
        一些人
        """)]
)  # fmt: skip
def test_a_turn_that_tells_a_number(text: str, expected: bool) -> None:
    assert has_number(text) is expected


@pytest.mark.parametrize(
    "text",
    ["How?", "How？", "كيف؟", "Well? 😊", '"Why?"', "(why?)", "Why?!", "Why? ❤️", "Why? :)",
     "why?\n",     "**Why?**", "「なぜ？」", "why? 👍🏽", "why? 👨‍👩‍👧", "why? xD", "“Why?”"],
)  # fmt: skip
def test_a_text_that_ends_in_a_question(text: str) -> None:
    assert ends_in_question(text)


@pytest.mark.parametrize(
    "text", ["", "No.", "Why? Because.", "Is it? Great!", "?a", ":)", "…", "😊"]
)
def test_a_text_that_ends_otherwise(text: str) -> None:
    assert not ends_in_question(text)


PARTICIPANTS = (
    "Ana Lima", "Melanie", "Will", "小明", "Dr. John Smith", "Mary-Jane", "O'Brien Lee", "user",
    "Zoë",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did Ana's friend say?", {"Ana Lima"}),
        ("What did ana lima say?", {"Ana Lima"}),
        ("A banana?", set[str]()),
        ("What did Mel say?", set[str]()),
        ("MELANIE’S dog?", {"Melanie"}),
        ("Ana and Melanie?", {"Ana Lima", "Melanie"}),
        ("When will they go?", set[str]()),
        ("Will they go?", set[str]()),
        ("Did Will go?", {"Will"}),
        ("Will's dog?", {"Will"}),
        ("小明什么时候搬家的?", {"小明"}),
        ("Where does John live?", {"Dr. John Smith"}),
        ("Which doctor, Dr. No?", set[str]()),
        ("What did Mary-Jane buy?", {"Mary-Jane"}),
        ("What did Mary buy?", set[str]()),
        ("What did O’Brien buy?", {"O'Brien Lee"}),
        ("Has the user a dog?", set[str]()),
        ("zoe's cat?", {"Zoë"}),
        ("", set[str]()),
    ],
)
def test_the_participants_that_a_question_names(text: str, expected: set[str]) -> None:
    assert participants_named(text, PARTICIPANTS) == expected


def test_a_full_name_tells_two_of_the_same_first_name_apart() -> None:
    both = ("Ana Lima", "Ana Souza")
    assert participants_named("Where does Ana Lima live?", both) == {"Ana Lima"}
    assert participants_named("Where does Ana live?", both) == set(both)
    assert participants_named("Where?", ("", " ", "…")) == set[str]()


_PIECES = """
when did you recommend our previous chat conversation remind me of to what the how many total I my
said told list your last week weekend month ago past May March mar 3 3rd 2025 2025-03-03 on in
before after since between and from quando você disse nossa conversa me lembra hace ayer días pasada
há três dias cuándo 你 说 过 我们 之前 聊 什么时候 几 月 日 年 前 天 上周 昨天
? ？ . , ' ’ - / 1/2/2025
"""
texts = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(_PIECES.split()), max_size=16).map(" ".join),
    st.lists(st.sampled_from(_PIECES.split()), max_size=10).map("".join),
)
instants = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))


@settings(deadline=None)
@given(texts, instants, instants)
@example("\ud800 you said", NOW, NOW)
@example("900 years ago, 99年前, 999个月前", datetime(1, 1, 2, tzinfo=UTC), NOW)
@example("February 29", NOW, datetime(1, 1, 2, tzinfo=UTC))
@example("١٢ ² Ⅻ 12/12/12", NOW, NOW)
def test_nothing_is_raised_and_a_fit_is_a_share(text: str, now: datetime, at: datetime) -> None:
    question = read_question(text, now, CALENDAR)
    assert 0 <= date_fit(question, at, CALENDAR) <= 1
    assert all(one.first <= one.last for one in question.dates)
    has_time_word(text)
    has_number(text)
    ends_in_question(text)
    participants_named(text, (text, text[:3], "Ana"))


@settings(deadline=None)
@given(st.dates(date(1000, 1, 1), date(9998, 12, 31)), instants)
@pytest.mark.requirement("E05")
def test_the_day_that_is_named_fits_wholly(day: date, now: datetime) -> None:
    assert fit(f"what happened on {day.isoformat()}?", day, now) == 1
    assert fit(f"{day.year}年{day.month}月{day.day}日呢?", day, now) == 1


@settings(deadline=None)
@given(st.dates(date(1970, 1, 1), date(2090, 1, 1)), st.integers(1, 99), st.integers(-400, 400))
@pytest.mark.requirement("E05")
def test_a_fit_does_not_depend_on_the_language(today: date, count: int, away: int) -> None:
    now = datetime(today.year, today.month, today.day, 12, tzinfo=UTC)
    day = today + timedelta(days=away)
    for asked in (
        (f"{count} days ago", f"há {count} dias", f"hace {count} días", f"{count}天前"),
        (f"{count} weeks ago", f"há {count} semanas", f"hace {count} semanas", f"{count}周前"),
        (f"{count} months ago", f"há {count} meses", f"hace {count} meses", f"{count}个月前"),
        ("last month", "mês passado", "el mes pasado", "上个月"),
    ):
        assert len({fit(text, day, now) for text in asked}) == 1


@pytest.mark.parametrize(
    "piece",
    ["you ", "you have ", "remind me of the ", "our ", "we ", "when ", "how many ", "your list ",
     "你说", "我们之前", "什么", "上", "1/", "1", "last ", "day ", "may ", "march 3 to ", "há ",
     "?", " ", "一", "was your list ", "what   ", "remind me of what is ", "😊", "Ana's ",
     "á", "a\u0301", "was your "],
)  # fmt: skip
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    started = time.process_time()
    read(text)
    has_time_word(text)
    has_number(text)
    ends_in_question(text)
    participants_named(text, PARTICIPANTS)
    # Well under a second; the rest is room for a busy machine.
    assert time.process_time() - started < 4
