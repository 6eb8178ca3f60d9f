"""Words of a text: folded, cut, brought to one form; and those of a question."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memoro.memory.recall.words import (
    MAX_WORD_CHARACTERS,
    is_latin,
    is_unspaced,
    query_terms,
    surface,
    tokens,
)

_PIECES = """
John’s don't they're I'd've won't 'tis O'Brien it‘s l’été 1.23 v2.0.1 3.11.7 1,234,567 $1,234.56 1.
.5 1,2 1..2 10.10.2024 192.168.0.1 1.2.3.4.5.6 check-in foo.bar snake_case a/b Straße STRASSE ǅ ﬁne
½ ① Ⓐ ² Æon Łódź ığdır İstanbul ΣΊΣΥΦΟΣ ᾳ ῼ և ŉ ǰ Й ё がガｶﾞ 日本語 の iPhone手机 去年3月
한국어 한국어를 ㈱ ไทย น้ำ ລາວ ខ្មែរ မြန်မာ हिन्दी तमिழ் السَّلامُ الكتاب ى ة
١٢٣ می‌خواهم שָׁלוֹם 😀 👩‍👩‍👧 — … “x” ́ ̖ ͅ ゙ ᄀ ᅡ ᆨ
"""
texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(_PIECES.split()), max_size=10).map(" ".join),
    st.lists(st.sampled_from(_PIECES.split()), max_size=6).map("".join),
)


@pytest.mark.requirement("R01")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \n\t ", []),
        ("The Cat sat.", ["the", "cat", "sat"]),
        ("John's dog, and John’s cat", ["john", "dog", "and", "john", "cat"]),
        ("they're we've I'd've she'll I'm", ["they", "we", "i", "she", "i"]),
        ("don't won't can't", ["don", "will", "can"]),
        ("O'Brien 'so' the 's", ["o", "brien", "so", "the", "s"]),
        ("check-in a/b", ["check", "in", "a", "b"]),
        ("foo.bar snake_case", ["foo", "bar", "snake", "case"]),
        ("vitamin D 7", ["vitamin", "d", "7"]),
        ("1.23", ["1.23", "1", "23"]),
        ("v2.0.1", ["2.0.1", "2.0", "v2", "0", "1"]),
        ("(V3.11)", ["3.11", "v3", "11"]),
        ("rev3.11", ["rev", "3.11", "3", "11"]),
        ("llama3.1", ["llama", "3.1", "3", "1"]),
        ("1,234", ["1234", "1", "234"]),
        ("$1,234.56!", ["1234.56", "1", "234", "56"]),
        ("1,2,3.", ["1", "2", "3"]),
        ("1.2.3.4.5", ["1", "2", "3", "4", "5"]),
        ("Version 2. 3 more", ["version", "2", "3", "more"]),
        ("e\ud800f\x00g", ["e", "f", "g"]),
        ("a" * (MAX_WORD_CHARACTERS + 1), ["a" * MAX_WORD_CHARACTERS, "a"]),
    ],
)
def test_a_text_is_cut_into_words(text: str, words: list[str]) -> None:
    assert surface(text) == words


@pytest.mark.requirement("Z17")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Café São Paulo", ["cafe", "sao", "paulo"]),
        ("Straße Æon Øre Łódź Đà", ["strasse", "aeon", "ore", "lodz", "da"]),
        ("ığdır IĞDIR İZMİR", ["igdir", "igdir", "izmir"]),
        ("ＡＢＣ１２ ﬁn", ["abc12", "fin"]),
        ("Αθήνα ΑΘΉΝΑ", ["αθηνα", "αθηνα"]),
        ("Ёлка й", ["елка", "и"]),
        ("北京市", ["北", "京", "市", "北京", "京市"]),
        ("iPhone手机", ["iphone", "手", "机", "手机"]),
        ("去年3月。好", ["去", "年", "去年", "3", "月", "好"]),
        ("ｶﾞｽ", ["ガ", "ス", "ガス"]),
        ("한국어", ["한", "국", "어", "한국", "국어"]),
        ("น้ำดี", ["น้ํ", "า", "ดี", "น้ํา", "าดี"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("தமிழ் বাংলা", ["தமிழ்", "বাংলা"]),
        ("أَحْمَدُ احمـد", ["احمد", "احمد"]),
        ("مدرسة مدرسه", ["مدرسه", "مدرسه"]),
        ("على علي عَلِی", ["علي", "علي", "علي"]),
        ("١٢٣ ۴۵ ३.५", ["123", "45", "3.5", "3", "5"]),
        ("שָׁלוֹם", ["שלום"]),
        ("co\u00adop \ufeffx\u200d", ["coop", "x"]),
    ],
)
def test_other_scripts_are_folded_and_cut(text: str, words: list[str]) -> None:
    assert surface(text) == words


@pytest.mark.requirement("Z17")
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("我去年在北京学习了中文", "北京"),
        ("昨日は東京でラーメンを食べた", "東京"),
        ("昨日は東京でラーメンを食べた", "ﾗｰﾒﾝ"),
        ("저는 서울에서 살아요", "서울"),
        ("저는 서울에서 살아요", unicodedata.normalize("NFD", "서울")),
        ("วันนี้อากาศดีมาก", "อากาศ"),
        ("วันนี้อากาศดีมาก", "ดี"),
        ("ຂ້ອຍຮັກລາວ", "ລາວ"),
        ("ខ្ញុំរៀនភាសាខ្មែរ", "ភាសា"),
        ("قرأتُ الكتابَ في المدرسة", "كتاب"),
        ("قرأتُ الكتابَ في المدرسة", "مدرسه"),
        ("Ich wohne in Zürich", "ZURICH"),
        ("Fui à reunião", "reunioes"),
    ],
)
def test_a_word_is_found_inside_of_a_text(text: str, word: str) -> None:
    assert set(query_terms(word)) <= set(tokens(text))


@pytest.mark.requirement("R01")
@pytest.mark.parametrize(
    "forms",
    """
bake bakes baked baking
study studies studied studying
plan plans planned planning
plane planes
hope hopes hoped hoping
hop hops hopped hopping
use uses used using
move moves moved moving
control controls controlled controlling
travel travels travelled travelling traveled traveling
install installs installed installing
call calls called calling
add adds added adding
process processes processed processing
box boxes boxed
watch watches watched watching
house houses housed
create creates created creating
decide decides decided deciding
dance dances danced dancing
age ages aged aging
agree agrees agreed agreeing
need needs needed needing
seed seeds seeded
see sees saw seen seeing
movie movies
pie pies
city cities
play plays played playing
potato potatoes
shoe shoes
tree trees
painting paintings paint painted
go goes going went gone
do does did done doing
buy buys bought buying
leave leaves left leaving
lose loses lost losing
choose chooses chose chosen choosing
begin begins began begun beginning
write writes wrote written writing
run runs ran running
die dies died dying
child children child's
woman women women's
mouse mice
analysis analyses
bus buses
base bases based
stuff stuffed stuffing
lens lenses
news
evening evenings
tv tvs
21st 21
1990s 1990
noite noites
reunião reuniões
ciudad ciudades
journée journées
bureau bureaux
""".strip().split("\n"),
)
def test_the_forms_of_a_word_meet(forms: str) -> None:
    assert len(set(tokens(forms))) == 1


@pytest.mark.requirement("R01")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("plan", "plane"),
        ("hop", "hope"),
        ("car", "care"),
        ("not", "note"),
        ("star", "stare"),
        ("even", "evening"),
        ("new", "news"),
        ("rose", "rise"),
        ("king", "k"),
        ("thing", "th"),
        ("speed", "spe"),
        ("bed", "b"),
        ("bus", "bu"),
        ("glass", "glas"),
        ("study", "stud"),
        ("us", "use"),
        ("universe", "university"),
        ("general", "generation"),
        ("1.23", "1.24"),
    ],
)
def test_different_words_do_not_meet(one: str, other: str) -> None:
    assert tokens(one)[0] != tokens(other)[0]


@pytest.mark.requirement("R01")
@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What did I buy when I was in Lisbon?", ("buy", "lisbon")),
        ("Which books have you read, and which book is best?", ("book", "read", "best")),
        ("What's my sister's name?", ("sister", "name")),
        ("Didn't we plan this in May 2024?", ("plan", "may", "2024")),
        ("vitamin D and plan B", ("vitamin", "d", "plan", "b")),
        ("Where in LA is the NAS with my OS?", ("la", "nas", "os")),
        ("Quando foi a minha viagem para o Porto?", ("viagem", "porto")),
        ("¿Cuándo fue mi viaje con los niños?", ("viaj", "nino")),
        ("我的手机", ("手", "机", "我的", "的手", "手机")),
        ("猫は", ("猫", "猫は")),
        ("who are you", ("who", "be", "you")),
        ("的", ("的",)),
        ("", ()),
        ("?!", ()),
        ("Python 3.11.7", ("python", "3.11.7", "3.11")),
        ("it cost 1,234", ("cost", "1234")),
        ("on 12.05.2024", ("12.05.2024", "12.05", "2024")),
    ],
)
def test_a_question_is_read_for_what_it_is_about(question: str, terms: tuple[str, ...]) -> None:
    assert query_terms(question) == terms


@pytest.mark.requirement("R01")
def test_a_decimal_is_not_found_by_its_fraction() -> None:
    assert not set(query_terms("1.23")) & set(tokens("23 of 1"))
    assert set(query_terms("1.23")) <= set(tokens("it is 1.23."))
    assert set(query_terms("3.11")) <= set(tokens("Python v3.11.7"))


@pytest.mark.requirement("Z17")
@pytest.mark.parametrize(
    ("text", "unspaced", "latin"),
    [
        ("", False, True),
        ("12 😀", False, True),
        ("What did I say?", False, True),
        ("Où étais-je à Noël, ŁÓDŹ?", False, True),
        ("北京 in May", False, True),
        ("我昨天去了 Starbucks", False, True),
        ("我昨天去了北京 with Jo", True, False),
        ("東京タワー", True, False),
        (unicodedata.normalize("NFD", "서울 abc"), False, True),
        (unicodedata.normalize("NFD", "서울에서 abc"), True, False),
        ("ภาษาไทย", True, False),
        ("Где я живу?", False, False),
        ("أين أعيش", False, False),
        ("मैं कहाँ रहता हूँ", False, False),
        ("ab вг", False, True),
        ("ＡＢＣ", False, True),
    ],
)
def test_the_script_of_a_text_is_told(text: str, unspaced: bool, latin: bool) -> None:
    assert is_unspaced(text) is unspaced
    assert is_latin(text) is latin


@pytest.mark.requirement("Z17")
@settings(deadline=None)
@given(texts)
@example("ŉ ǰ ᾳ ΐ և ẞ")
@example("İ ı ſ K Å")
@example("ﷺ ㎒ ™ ½ ﬀ")
@example("Ꭰ ꭰ ა Ა")
@example("ᾼ\u0301 \u0345 x\u0345")
def test_case_and_normal_form_make_no_difference(text: str) -> None:
    words = tokens(text)
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD")]
    # Python changes the case of marks that are out of their order each where it stands.
    ordered = forms[1]
    for same in (*forms, ordered.lower(), ordered.casefold(), ordered.upper(), ordered.title()):
        assert tokens(same) == words


@pytest.mark.requirement("R01")
@settings(deadline=None)
@given(texts, texts)
def test_a_space_parts_all_words(one: str, other: str) -> None:
    assert tokens(f"{one} {other}") == tokens(one) + tokens(other)


@pytest.mark.requirement("R01")
@settings(deadline=None)
@given(texts)
@example("\ud800\udfff 's ' . , v1.")
def test_what_is_sought_is_a_part_of_what_is_kept(text: str) -> None:
    kept = tokens(text)
    sought = query_terms(text)
    assert set(sought) <= set(kept)
    assert len(set(sought)) == len(sought)
    assert bool(sought) == bool(kept)
    assert len(kept) == len(surface(text))
    assert all(0 < len(word) <= 2 * MAX_WORD_CHARACTERS and " " not in word for word in kept)
    assert not (is_unspaced(text) and is_latin(text))


@pytest.mark.requirement("Z17")
@pytest.mark.parametrize("read", [tokens, query_terms, is_unspaced, is_latin])
@pytest.mark.parametrize(
    "piece",
    [
        *("a", "é", "漢", "が", "한", "ก็", "א", "क्", "😀", "\ud800", "\x00", "\u202e", "İ", "ﷺ"),
        *(
            "\u0300\u0316",
            "\u0e38\u0e48",
            "e\u0300\u0316",
            "1",
            "1.",
            "1,",
            "1.2 ",
            "v1.",
            "12,345,",
        ),
        *("'", "'s", "a'", "won't", "-", "_", " ", "ing", "ed", "ll"),
    ],
)
def test_no_text_takes_long(piece: str, read: Callable[[str], object]) -> None:
    text = piece * (120_000 // len(piece))
    start = time.process_time()
    read(text)
    assert time.process_time() - start < 3


@pytest.mark.requirement("R01")
def test_rows_of_different_numbers_take_no_longer() -> None:
    start = time.process_time()
    for sign in ".,":
        row = sign.join(map(str, range(40_000)))
        assert len(tokens(row)) >= 40_000
        assert len(query_terms(row)) >= 39_000
    assert time.process_time() - start < 3
