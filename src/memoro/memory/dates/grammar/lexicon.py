"""The words of English and Portuguese that expressions of time are made of.

In small letters and without accents, as `fold` leaves them.
"""

from __future__ import annotations

import unicodedata

from memoro.memory.dates.periods import Unit


def word_set(words: str) -> frozenset[str]:
    """The words of a line."""
    return frozenset(words.split())


_ACCENTED = word_set(
    "março três sábado terça terça-feira mês há até às à último última últimos últimas após início"
    " começo próximo próxima próximos próximas atrás manhã só já não também então você página"
    " versão seção capítulo média máximo mínimo praça colégio estádio estação"
)
"""The words with accents that the tables here have without them, since many leave them out."""


def fold(text: str) -> str:
    """A word in small letters, and without its accents where they are the right ones: "março" and
    "marco" are a month, "maiô" is none."""
    if text.isascii():
        return text.lower()
    small = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    if small not in _ACCENTED:
        return small
    return "".join(c for c in unicodedata.normalize("NFKD", small) if c.isascii())


def _counted(words: str, first: int = 1) -> dict[str, int]:
    """Words of one line by their place; alternatives are joined by a slash."""
    return {
        word: number
        for number, alternatives in enumerate(words.split(), first)
        for word in alternatives.split("/")
    }


_MONTHS_EN = _counted(
    "january february march april may june july august september october november december"
)
_MONTHS_PT = _counted(
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro"
)
_SHORT_MONTHS_EN = _counted("jan feb mar apr may jun jul aug sep/sept oct nov dec")
_SHORT_MONTHS_PT = _counted("jan fev mar abr mai jun jul ago set out nov dez")
MONTHS = _MONTHS_EN | _MONTHS_PT | _SHORT_MONTHS_EN | _SHORT_MONTHS_PT
ENGLISH_MONTHS = frozenset(_MONTHS_EN) | frozenset(_SHORT_MONTHS_EN)
SHORT_MONTHS = (frozenset(_SHORT_MONTHS_EN) | frozenset(_SHORT_MONTHS_PT)) - {"may"}
PORTUGUESE_SHORT_MONTHS = frozenset(_SHORT_MONTHS_PT) - frozenset(_SHORT_MONTHS_EN)
NAMES_OR_VERBS = word_set("march april may june august")
"""Months that are first names, verbs or adjectives as well."""
OTHER_WORDS = word_set("march may mar set out ago dez")
"""Months that are everyday words as well, also beside a number."""

_WEEKDAYS_EN = _counted("monday tuesday wednesday thursday friday saturday sunday", 0)
SHORT_WEEKDAYS = _counted("mon tue/tues wed thu/thur/thurs fri sat sun", 0)
ORDINAL_WEEKDAYS = _counted("segunda terca quarta quinta sexta", 0)
"""Weekdays that are ordinals and fractions as well, where "feira" does not follow."""
_WEEKDAYS_PT = {f"{day}-feira": number for day, number in ORDINAL_WEEKDAYS.items()} | {
    "sabado": 5,
    "domingo": 6,
}
WEEKDAYS = _WEEKDAYS_EN | SHORT_WEEKDAYS | ORDINAL_WEEKDAYS | _WEEKDAYS_PT

_UNITS_EN = {
    "day": Unit.DAY,
    "week": Unit.WEEK,
    "month": Unit.MONTH,
    "quarter": Unit.QUARTER,
    "year": Unit.YEAR,
}
_UNITS_PT = {
    "dia": Unit.DAY,
    "semana": Unit.WEEK,
    "mes": Unit.MONTH,
    "trimestre": Unit.QUARTER,
    "ano": Unit.YEAR,
}
_PLURALS_EN = {f"{word}s": unit for word, unit in _UNITS_EN.items()}
_PLURALS_PT = {f"{word}s": unit for word, unit in _UNITS_PT.items() if word != "mes"} | {
    "meses": Unit.MONTH,
}
SINGULARS = _UNITS_EN | _UNITS_PT
CALENDAR_UNITS = {word: unit for word, unit in SINGULARS.items() if unit is not Unit.DAY}
PLURALS = _PLURALS_EN | _PLURALS_PT
UNITS = SINGULARS | PLURALS

_ONES_EN = _counted(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
_ONES_PT = _counted(
    "um/uma dois/duas tres quatro cinco seis sete oito nove dez onze doze treze quatorze/catorze"
    " quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove"
)
_TENS_EN = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS_PT = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
TENS = {word: 10 * n for text in (_TENS_EN, _TENS_PT) for word, n in _counted(text, 2).items()}
ONES = _ONES_EN | _ONES_PT
FEW = word_set("few alguns algumas uns umas poucos poucas")
"""What counts as three."""
PAIR = word_set("couple par")
NUMBERS = {**ONES, **TENS, "a": 1, "an": 1} | dict.fromkeys(FEW, 3) | dict.fromkeys(PAIR, 2)

ORDINALS_EN = _counted(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
) | {"thirtieth": 30}
ORDINALS = ORDINALS_EN | _counted(
    "primeiro/primeira segundo/segunda terceiro/terceira quarto/quarta quinto/quinta"
)
DAYS_IN_WORDS = {word: number for word, number in (ONES | TENS).items() if 1 < number <= 30} | {
    "primeiro": 1
}

NOW = word_set("now agora present")
THIS_PT = "este|esta|esse|essa|neste|nesta|nesse|nessa|deste|desta|desse|dessa"
PAST_PT = "passado|passada"
LAST_PT = "ultimo|ultima"
PORTUGUESE = (
    frozenset(
        (
            *(*_MONTHS_PT, *PORTUGUESE_SHORT_MONTHS, *ORDINAL_WEEKDAYS, *_WEEKDAYS_PT, *_UNITS_PT),
            *(*_PLURALS_PT, *_ONES_PT, *_counted(_TENS_PT)),
            *f"{THIS_PT}|{LAST_PT}|{PAST_PT}|hoje|ontem|anteontem|agora|ha|atras".split("|"),
        )
    )
    - OTHER_WORDS
)
"""Words that show that an expression is Portuguese."""
ENGLISH = frozenset(
    (*_MONTHS_EN, *_WEEKDAYS_EN, *SHORT_WEEKDAYS, *_UNITS_EN, *_PLURALS_EN)
) | word_set("today yesterday tonight last this past previous ago")
"""Words that show that an expression is English."""
