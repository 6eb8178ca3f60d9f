"""What a turn holds that a question may ask for: a time, a number, a question of its own.

Each turn that is stored is looked at once, so that words are looked up in sets first, and patterns
are only tried where a word of theirs occurs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from memoro.memory.dates.grammar.lexicon import word_set

_MARKS = ".,;:!?()[]\"'’/-*_“”…—«»¿¡"
_WORDS_KEPT = 4
_TIMES = word_set(
    # English
    "yesterday today tonight tomorrow january february april june july august september october"
    " november december jan feb apr jun jul aug sept oct nov monday tuesday wednesday thursday"
    " friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays"
    " weekend weekends ago recently lately nowadays christmas thanksgiving easter halloween"
    # Portuguese
    " ontem anteontem hoje amanhã amanha janeiro fevereiro março abril maio junho julho agosto"
    " setembro outubro novembro dezembro feira terça terca sexta sábado sabado domingo natal"
    " páscoa recentemente"
    # Spanish
    " ayer anteayer hoy anoche enero febrero marzo mayo junio julio septiembre setiembre octubre"
    " noviembre diciembre lunes martes miércoles miercoles jueves viernes navidad recientemente"
)
"""Words that tell a time wherever they stand."""
_UNITS = word_set(
    "day days week weeks month months year years night nights morning mornings afternoon afternoons"
    " evening evenings hour hours minutes decade decades quarter century"
    " dia dias semana semanas mês mes meses ano anos noite noites tarde tardes hora horas vez veces"
    " día días año años noche noches mañana mañanas manhã madrugada verão verao inverno outono"
    " verano invierno otoño primavera time"
)
_SEASONS = word_set(
    "summer winter spring autumn fall verão verao inverno outono primavera verano invierno otoño"
)
_MONTHS_OR_WORDS = word_set("march may mar")
_CANDIDATES = _UNITS | _SEASONS | _MONTHS_OR_WORDS
_BEFORE_UNIT = word_set(
    "last past next previous following coming passado passada próximo próxima proximo proxima"
    " último última ultimo ultima últimos últimas ultimos ultimas próximos próximas"
    " neste nesta nesse nessa esta este essa esse aquele aquela naquele naquela"
)
_BEFORE_COUNT = word_set(
    "last past next últimos últimas ultimos ultimas há hace faz próximos próximas"
)
_AFTER_UNIT = word_set(
    "earlier later before after ago passado passada passados passadas pasado pasada pasados pasadas"
    " retrasado retrasada atrás atras anterior seguinte siguiente antes depois después despues"
)
_COMING = (("que", "vem"), ("que", "viene"))
_THIS = "this"
_NO_UNIT_AFTER_THIS = "time"
_BEFORE_SEASON = word_set("in during no na em en el this last next of over")
_BEFORE_MONTH = word_set("in on since until by early late mid of last next through and")
_BEFORE_NTH = word_set("the on") | _TIMES
_NTH = ("st", "nd", "rd", "th")
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_FIGURES = re.compile(
    r"[0-9](?: ?[ap]\.?m\b|:[0-9]{2}\b|/[0-9]{1,2}/[0-9]|-[0-9]{1,2}-[0-9]| o'clock|h[0-9]{2}\b)"
)
_DIGIT = re.compile(r"\d")
_HAN = re.compile("[\u4e00-\u9fff]")
_CHINESE_TIME = re.compile(
    "[昨今明前]天|[昨今]晚|[去今明前]年|[上下这這本]{1,3}(?:一?个|一?個)?(?:周|週|星期|礼拜|禮拜|月)"
    "|(?:周|週|星期|礼拜|禮拜)[一二三四五六日天末]|[0-9一二三四五六七八九十]{1,3}(?:月|号|號|日|点|點)"
    "|[0-9一二三四五六七八九十]{2,4}年|(?:天|周|週|期|月|年|时|時|久)(?:之|以)?[前后後]"
    "|最近|刚才|剛才|上次|早上|下午|晚上|上午|中午|春节|春節|[春夏秋冬](?:天|季)"
)
_NUMBERS = word_set(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred"
    " hundreds thousand thousands million millions billion dozen dozens couple twice thrice half"
    " dois duas três tres quatro cinco seis sete oito nove dez onze doze treze quatorze catorze"
    " quinze dezesseis dezessete dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta"
    " oitenta noventa cem cento duzentos quinhentos mil milhão milhões dúzia duzia metade"
    " cuatro siete ocho nueve diez trece catorce quince dieciséis diecisiete dieciocho diecinueve"
    " veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento doscientos"
    " quinientos millón millones docena docenas mitad"
)
_SPANISH = word_set("el los las y del mis con tengo hay una son muy")
"""Words beside which "dos" is a number; elsewhere it is Portuguese for "of the"."""
_CHINESE_NUMBER = re.compile(
    "[两兩]|[二三四五六七八九十百千万萬亿億半]{1,9}(?:[个個只隻次年月天岁歲块塊元条條本位张張杯件家种種"
    "名页頁部场場公斤米里小度倍回人点點号號]|分钟|分鐘|公里|美元|周|週|星期)"
)

_AFTER_MARK = frozenset("\"'*_`~!)]}>|")
_QUESTION_MARKS = frozenset("?？؟⁇⁈⁉❓❔‽﹖⸮՞፧")
_EMOTICON = re.compile(r"(?:[:;=8xX][-'^oO]?[)(\[\]DPpOo3*/\\|]+|<3+|[xX]D+|\^_*\^)\s*$")
_LONGEST_EMOTICON = 12
_SKIPPED = frozenset(("So", "Sk", "Cf", "Mn", "Me", "Zs", "Zl", "Zp", "Cc", "Pf", "Pi", "Pe"))


def has_time_word(text: str) -> bool:
    """Whether a text tells a time: a day, a month, "last week", "3 days ago", "6:30 pm"."""
    words = _words(text)
    if not _TIMES.isdisjoint(words) or _tells_time(words):
        return True
    if _DIGIT.search(text) and (_FIGURES.search(text.lower()) or _has_date_in_figures(words)):
        return True
    return not text.isascii() and bool(_HAN.search(text) and _CHINESE_TIME.search(text))


def has_number(text: str) -> bool:
    """Whether a text has a figure or a number word from two on."""
    if _DIGIT.search(text):
        return True
    words = _words(text)
    if not _NUMBERS.isdisjoint(words):
        return True
    if "dos" in words and not _SPANISH.isdisjoint(words):
        return True
    return not text.isascii() and bool(_HAN.search(text) and _CHINESE_NUMBER.search(text))


@lru_cache(maxsize=_WORDS_KEPT)
def _words(text: str) -> tuple[str, ...]:
    """The words of a text in small letters; kept for the next look at the same turn."""
    lower = (text if text.isascii() else unicodedata.normalize("NFC", text)).lower()
    for mark in _MARKS:
        lower = lower.replace(mark, " ")
    return tuple(lower.split())


def _tells_time(words: Sequence[str]) -> bool:
    """Whether a unit, a season or a month that is another word too stands as a time does."""
    if _CANDIDATES.isdisjoint(words):
        return False
    places = [place for place, word in enumerate(words) if word in _CANDIDATES]
    return any(_is_time(words, place) for place in places)


def _is_time(words: Sequence[str], place: int) -> bool:
    word, before, after = words[place], _at(words, place - 1), _at(words, place + 1)
    if word in _MONTHS_OR_WORDS:
        return before in _BEFORE_MONTH or before.isdigit() or after[:1].isdigit()
    if word in _SEASONS and (before in _BEFORE_SEASON or before == "the"):
        return word != "fall" or before != "the"
    if before == _THIS:
        return word != _NO_UNIT_AFTER_THIS
    if before in _BEFORE_UNIT or after in _AFTER_UNIT:
        return True
    if (after, _at(words, place + 2)) in _COMING:
        return True
    if _at(words, place - 2) in _BEFORE_COUNT or _at(words, place - 3) in _BEFORE_COUNT:
        return True
    return word in ("dia", "día") and after[:1].isdigit()


def _at(words: Sequence[str], place: int) -> str:
    return words[place] if 0 <= place < len(words) else ""


def _has_date_in_figures(words: Sequence[str]) -> bool:
    """A year, or the 15th."""
    for place, word in enumerate(words):
        if not word[0].isdigit():
            continue
        if len(word) == 4 and word.isdecimal() and _FIRST_YEAR <= int(word) < _LAST_YEAR:
            return True
        if word.endswith(_NTH) and word[:-2].isdecimal():
            before, after = _at(words, place - 1), _at(words, place + 1)
            if before in _BEFORE_NTH or after == "of":
                return True
    return False


def ends_in_question(text: str) -> bool:
    """Whether the last mark of a text is a question mark; quotes, brackets and emoji may follow."""
    text = text.rstrip()
    if emoticon := _EMOTICON.search(text, max(0, len(text) - _LONGEST_EMOTICON)):
        text = text[: emoticon.start()]
    for sign in reversed(text):
        if sign in _QUESTION_MARKS:
            return True
        if sign not in _AFTER_MARK and unicodedata.category(sign) not in _SKIPPED:
            return False
    return False
