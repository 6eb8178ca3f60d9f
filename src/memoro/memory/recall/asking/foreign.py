"""Spanish dates, and dates in figures whose order nobody can tell: the dates room reads neither."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoro.memory.dates.grammar.lexicon import word_set
from memoro.memory.dates.periods import single_day
from memoro.memory.recall.asking.reach import DAY, DateAsked, dated

_SLASHED = re.compile(r"(?<![\w/.-])([0-9]{1,2})[/.]([0-9]{1,2})[/.]([0-9]{4}|[0-9]{2})(?![\w/-])")
_CENTURY = 2000


def slashed_dates(text: str) -> Iterator[DateAsked]:
    """ "5/13/2023", "13.5.23"; both readings where either of the numbers can be the month."""
    for found in _SLASHED.finditer(text):
        one, other, year = int(found[1]), int(found[2]), int(found[3])
        year += _CENTURY if len(found[3]) == len("23") else 0
        for month, number in {(one, other), (other, one)}:
            if day := single_day(year, month, number):
                yield dated(day, DAY)


def _paired(pairs: str) -> dict[str, str]:
    return {one: other for one, _, other in (pair.partition("=") for pair in pairs.split())}


_SPANISH = _paired(
    "enero=janeiro febrero=fevereiro marzo=março mayo=maio junio=junho julio=julho"
    " septiembre=setembro setiembre=setembro octubre=outubro noviembre=novembro"
    " diciembre=dezembro ayer=ontem anteayer=anteontem hoy=hoje anoche=ontem hace=há"
    " lunes=segunda-feira martes=terça-feira miércoles=quarta-feira miercoles=quarta-feira"
    " jueves=quinta-feira viernes=sexta-feira día=dia días=dias mes=mês año=ano años=anos"
    " pasado=passado pasada=passada pasados=passados pasadas=passadas fin=fim"
    " el=o la=a los=os las=as en=em del=do y=e hasta=até después=depois despues=depois"
    " un=um una=uma unos=uns unas=umas dos=dois tres=três cuatro=quatro siete=sete ocho=oito"
    " nueve=nove diez=dez once=onze doce=doze trece=treze quince=quinze veinte=vinte"
)
_SURELY_SPANISH = word_set(
    "enero febrero marzo mayo junio julio septiembre setiembre octubre noviembre diciembre ayer"
    " anteayer hoy anoche hace lunes martes miércoles miercoles jueves viernes día días año años"
    " pasado pasada pasados pasadas"
)
_LETTERS = re.compile(r"[^\W\d_]+")


def spanish_as_portuguese(text: str) -> str:
    """A text whose Spanish words of time are put into Portuguese, word by word: what they mean
    together is then the same. Every other text stays as it is."""
    if _SURELY_SPANISH.isdisjoint(_LETTERS.findall(text.lower())):
        return text
    return _LETTERS.sub(lambda found: _SPANISH.get(found[0].lower(), found[0]), text)
