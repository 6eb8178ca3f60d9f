"""Passages that say what was erased: found whatever their case, accents, breaks and punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Literal

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from memoro.memory.erasing import ERASED
from memoro.memory.erasing import phrases as module
from memoro.memory.erasing.needles import codes_of, needles_of
from memoro.memory.erasing.phrases import Phrases, phrases_of, telling, without
from memoro.memory.folding import folded

pytestmark = pytest.mark.requirement("Z04", "P16")

LETTERS = "abdeghklmnorstuw" + "äçéíñöşüž" + "бвгдежзик" + "αβγδελ" + "אבגדה" + "بتثجح" + "कखग"
WORDS = st.text(st.sampled_from(LETTERS), min_size=1, max_size=9)
PHRASE = st.lists(WORDS, min_size=2, max_size=25).filter(lambda one: len(" ".join(one)) >= 6)
BETWEEN = st.sampled_from(
    [" ", "  ", "\n", "\r\n", "\t", ", ", " — ", "-", ". ", "\n\n> ", "/", "…", "'", "\u00a0", "**"]
)
FORMS: list[Literal["NFC", "NFD", "NFKC", "NFKD"]] = ["NFC", "NFD", "NFKC", "NFKD"]
OTHERS = st.lists(st.sampled_from(["quux", "Fizz", "пюре", "ψωμί", "🦓", "7"]), max_size=6)


def words_of(text: str) -> list[str]:
    """The words of a text, found in another way than by the pattern that is tested."""
    plain = folded(text)
    return re.findall(r"\w+", plain)


def has_run(text: str, words: Sequence[str]) -> bool:
    held, wanted = words_of(text), [folded(one) for one in words]
    size = len(wanted)
    return any(held[at : at + size] == wanted for at in range(len(held) - size + 1))


@st.composite
def said_otherwise(draw: st.DrawFn, words: Sequence[str]) -> str:
    """The same words, written in another way."""
    pieces: list[str] = []
    for number, word in enumerate(words):
        change = draw(st.sampled_from([str, str.upper, str.lower, str.title, str.swapcase]))
        written = change(word)
        form = draw(st.sampled_from(FORMS))
        written = unicodedata.normalize(form, written)
        if draw(st.integers(0, 4)) == 0:
            written = folded(word)
        assume(folded(written) == folded(word))
        pieces += [draw(BETWEEN) if number else "", written]
    return "".join(pieces)


@st.composite
def scenes(draw: st.DrawFn) -> tuple[list[str], str, str, str]:
    """A phrase, what stands before it, how it is said, and what stands after."""
    words = draw(PHRASE)
    before, after = " ".join(draw(OTHERS)), " ".join(draw(OTHERS))
    return words, f"{before} " if before else "", draw(said_otherwise(words)), after


@given(scenes())
def test_it_goes_however_it_is_written_and_nothing_beside_it_does(
    scene: tuple[list[str], str, str, str],
) -> None:
    words, before, said, after = scene
    after = f"\n{after}" if after else ""
    cleaned = without(f"{before}{said}{after}", phrases_of([" ".join(words)]))
    assert not has_run(cleaned, words)
    assert cleaned == f"{before}{ERASED}{after}"


@given(st.lists(PHRASE, min_size=1, max_size=4), st.data())
def test_every_occurrence_of_each_of_many_goes(doomed: list[list[str]], data: Any) -> None:
    phrases = phrases_of([" ".join(words) for words in doomed])
    count = data.draw(st.integers(1, 5))
    said = [data.draw(said_otherwise(data.draw(st.sampled_from(doomed)))) for _ in range(count)]
    cleaned = without(" quux ".join(said), phrases)
    assert not any(has_run(cleaned, words) for words in doomed)
    assert cleaned.count("quux") == count - 1
    assert without(cleaned, phrases) == cleaned


@given(st.lists(PHRASE, max_size=4), st.lists(WORDS, max_size=40), st.data())
def test_what_shares_no_phrase_is_the_same_bytes(
    doomed: list[list[str]], words: list[str], data: Any
) -> None:
    texts = [" ".join(one) for one in doomed]
    text = "".join(one + data.draw(BETWEEN) for one in words)
    phrases = phrases_of(texts)
    assume(not any(has_run(text, run) for run in phrases.runs))
    assert without(text, phrases) == text


@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=4))
@example("e\u0301", ["\u0301" * 8])
@example("\u0301a bc de f", ["a bc de f"])
@example("ง่ายมาก", ["ง่าย", "ง่ายมาก"])
def test_any_text_is_cleaned_and_once_is_enough(text: str, doomed: list[str]) -> None:
    assume(not any("erased" in folded(one) for one in doomed))
    phrases = phrases_of(doomed)
    cleaned = without(text, phrases)
    assert without(cleaned, phrases) == cleaned
    for one in doomed:
        assert not phrases_of([one]).runs or without(one, phrases) != one
    # All that stands beside what went is there, in its order.
    left = iter(text)
    assert all(char in left for char in cleaned.replace(ERASED, ""))


@given(st.lists(WORDS.filter(lambda word: len(word) > 2), min_size=12, max_size=25))
def test_a_part_that_is_too_long_to_be_chance_goes_too(words: list[str]) -> None:
    middle = words[1:-1]
    assert sum(map(len, middle)) >= module._LONG
    cleaned = without(f"quux {' '.join(middle)} quux", phrases_of([" ".join(words)]))
    assert cleaned == f"quux {ERASED} quux"


@pytest.mark.parametrize(
    ("doomed", "text", "cleaned"),
    [
        # Scripts without spaces, found inside of longer runs.
        ("今天天气很好", "他说今天天气很好，我们走吧", "他说[erased]，我们走吧"),
        ("カタカナ", "これはカタカナです", "これは[erased]です"),
        ("がっこう", unicodedata.normalize("NFD", "このがっこうは"), "この[erased]は"),
        ("ภาษาไทยง่ายมาก", "เขาว่าภาษาไทยง่ายมากจริง", "เขาว่า[erased]จริง"),
        ("한국어 문장 입니다", unicodedata.normalize("NFD", "한국어 문장 입니다"), "[erased]"),
        # Marks, and text from right to left.
        ("שלום עולם טוב", "אמר: שָׁלוֹם עוֹלָם טוב!", "אמר: [erased]!"),
        ("مرحبا بالعالم كله", "قال مَرْحَبًا بالعالم كله.", "قال [erased]."),
        ("हिन्दी में लिखा है", "यह हिन्दी में लिखा है, हाँ", "यह [erased], हाँ"),
        ("café zum Löwen", unicodedata.normalize("NFD", "Café zum Löwen?"), "[erased]?"),
        ("STRASSE nach Süden", "die Straße nach Suden", "die [erased]"),
        # Emoji and joiners beside words stay.
        ("my family lives here", "👩‍👩‍👧 my family lives here 👍🏽", "👩‍👩‍👧 [erased] 👍🏽"),
        ("I like 🦓 zebras", "they said: I like zebras 🦓", "they said: [erased] 🦓"),
        # Codes, addresses and numbers go by themselves.
        ("it is ZEBRA-9431.", "so zebra 9431, then", "so [erased], then"),
        ("mail ana.silva@example.org", "Ana.Silva@example.org wrote", "[erased] wrote"),
        ("Ana has 912 345 678", "call 912-345-678 now", "call [erased] now"),
        ("Ana has +351912345678", "call 351912345678 now", "call [erased] now"),
        ("PT50 0002 0123 1234 5678 9015 4", "to PT50 0002 0123 1234 5678 9015 4", "to [erased]"),
        # What is told of in many texts does not.
        ("the build uses python3.11", "python3.11 and sha256", "python3.11 and sha256"),
        ("seen on 2026-05-06T12:00:00Z", "2026-05-06T12:00:00Z", "2026-05-06T12:00:00Z"),
        ("seen on 2026-05-06 at noon", "2026-05-06", "2026-05-06"),
        ("Dear Ana,\nthe gate is open\nThanks", "Thanks, Ana", "Thanks, Ana"),
        # Near ones are others.
        ("gate seven probe", "gate seven opened", "gate seven opened"),
        ("gate seven probe", "agate seven probes", "agate seven probes"),
        ("not here", "not where", "not where"),
        # Two that meet are told once.
        ("one two three", "one two three; One two three", "[erased]"),
        ("one two three", "one two three and one two three", "[erased] and [erased]"),
    ],
)
def test_passages(doomed: str, text: str, cleaned: str) -> None:
    assert without(text, phrases_of([doomed])) == cleaned


@pytest.mark.parametrize("text", ["", " ", "\n", "?!", "ok", "Porto", "🦓🦓🦓🦓🦓🦓", "\u0301" * 9])
def test_what_is_too_short_or_has_no_word_is_looked_for_nowhere(text: str) -> None:
    phrases = phrases_of([text])
    assert phrases == Phrases(frozenset(), {}, frozenset())
    assert without(f"ok Porto {text} ?!", phrases) == f"ok Porto {text} ?!"
    assert not telling(text)


def test_a_single_word_goes_as_a_whole_word() -> None:
    phrases = phrases_of(["correcthorse"])
    assert without("CorrectHorse, correcthorses", phrases) == "[erased], correcthorses"


def test_what_a_text_is_looked_for_by() -> None:
    assert codes_of("at 2026-05-06T12:00:00Z or 2026-05-06 12:00, v1.2, X9") == []
    assert codes_of("ZEBRA-9431. (ana@example.org) +351 912 345 678!") == [
        "ZEBRA-9431",
        "ana@example.org",
        "+351 912 345 678",
    ]
    assert needles_of(["it is ZEBRA-9431."], 10) == (["it is ZEBRA-9431.", "ZEBRA-9431"], 0)
    assert needles_of(["天气很好", "ok", "天气"], 10) == (["天气很好"], 2)


class _Counting(frozenset[Any]):
    """Phrases that count how many words are compared with them."""

    words = 0

    def __contains__(self, run: object) -> bool:
        type(self).words += len(run) if isinstance(run, tuple) else 1
        return super().__contains__(run)


_MOST_WORDS_COMPARED = 600
"""For each word of a text, whatever it says and whatever was erased."""


@pytest.mark.parametrize("size", [400, 4_000])
@pytest.mark.parametrize(
    ("doomed", "text"),
    [
        ("\n".join("a " * n for n in range(1, 200)), "a "),
        ("\n".join("a " * n + "b" for n in range(1, 200)), "a "),
        ("a " * 5_000 + "b", "a "),
        ("天" * 5_000 + "气", "天"),
        ("\n".join("天" * n + "气" for n in range(1, 200)), "天"),
        ("ab " * 3_000, "ab "),
        ("\u0301" * 5_000 + "a bcdef", "e\u0301\u0301"),
        ("x1" * 5_000, "x1"),
        ("a@a." * 2_000, "a@a."),
        ("1 " * 5_000, "1 "),
        ("a.b-c_" * 2_000 + "1", "a.b-c_"),
    ],
)
def test_the_work_grows_with_the_text_alone(doomed: str, text: str, size: int) -> None:
    phrases = phrases_of([doomed])
    assert max(map(len, phrases.runs), default=0) <= module._LONG + 1
    _Counting.words = 0
    counting = phrases._replace(runs=_Counting(phrases.runs), first=_Counting(phrases.first))
    without(text * size, counting)
    assert _Counting.words <= _MOST_WORDS_COMPARED * len(text) * size
