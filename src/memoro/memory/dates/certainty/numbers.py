"""Numbers with a unit, a month or alone, which count other things as well."""

from __future__ import annotations

from memoro.memory.dates.certainty.place import (
    DETERMINERS,
    HOLDERS,
    HOLDERS_EN,
    HOLDERS_PT,
    NO_MONTH_AFTER,
    PARTS_OF_DAY_PT,
    PLACES,
    VERB_ENDINGS,
    Place,
    is_counted,
    is_end,
    is_number,
    is_plural_noun,
)
from memoro.memory.dates.grammar.lexicon import (
    MONTHS,
    NAMES_OR_VERBS,
    OTHER_WORDS,
    PLURALS,
    PORTUGUESE_SHORT_MONTHS,
    UNITS,
    word_set,
)

_HUNDREDS = word_set(
    "hundred thousand million cento cem mil duzentos duzentas trezentos trezentas quatrocentos"
    " quatrocentas quinhentos quinhentas seiscentos seiscentas setecentos setecentas oitocentos"
    " oitocentas novecentos novecentas half point"
)
_AUXILIARIES = word_set(
    "to will would can could should must may might shall does did do not never always usually only"
    " still typically doesn't didn't don't won't can't they it we which that who"
)
_PERSONS = word_set("we i you they")
_NUMBERED = word_set(
    "out total number more less mais menos cerca acima abaixo maximo minimo max min average media"
    " port porta page pages pagina paginas version versao room sala chapter capitulo section secao"
    " step passo item question answer part parte"
)
"""What has a number rather than a date."""
_LISTING = word_set("and e or ou - –")
_OF_PT = ("de", "do", "da", "dos", "das")


def ago(place: Place) -> bool:
    """Not the end of a larger number ("2 weeks and 3 days ago"), nor "atrás de", behind."""
    before = place.before(2) if place.before() in ("and", "e", ",") else place.before()
    if before in _HUNDREDS or before in UNITS or place.before() == "-":
        return False
    return not (place.own[-1] == "atras" and place.after() in _OF_PT)


def ha(place: Place) -> bool:
    """Not "there are": of something, in a unit, or until something; and all of the number."""
    if place.own[-1] == "atras":
        return True
    after = place.after()
    if after == "de":
        return place.after(1) in PARTS_OF_DAY_PT
    if after == "e" and (place.after(1) in ("meio", "meia") or place.after(2) in UNITS):
        return False
    if after in ("na", "no", "por") and place.after(1) in UNITS:
        return False
    told = not is_end(place.before()) and place.before() not in ("ainda", "so")
    return told or after not in ("para", "pra", "ate")


def last(place: Place) -> bool:
    """Not the last ones of something, and "last" no verb."""
    own = place.own
    if place.after() == "of":
        return False
    if place.after() in _OF_PT and any(word.startswith("ultim") for word in own):
        return False
    if own[0] != "last" or own[1] in UNITS:
        return True
    before = place.before()
    if before in _AUXILIARIES:
        return before in ("do", "did") and place.before(2) in _PERSONS
    # "did the trial last 3 days"
    asked = place.before(2) in DETERMINERS and place.before(3) in _AUXILIARIES
    return not asked and not is_plural_noun(before)


def day(place: Place) -> bool:
    """Not a street, not a number beside a verb, and all of the date was understood."""
    own = place.own
    if place.before() in PLACES or place.before(2) in PLACES or place.before() in ("-", "/"):
        return False
    if place.after() in PLURALS or (is_number(place.after()) and not place.has_year):
        return False
    if place.before() == "in" and own[0] in MONTHS and not place.held:
        # "in June 3 people left" speaks of June.
        return place.has_year
    if place.has_year or "of" in own or "de" in own:
        # "a third of March"
        third = own[0].isalpha() and place.before() in ("a", "one")
        return not third and (place.has_year or place.before() not in _NUMBERED)
    return _is_day_without_year(place)


def _is_day_without_year(place: Place) -> bool:
    own = place.own
    months = MONTHS.keys() & own
    if not months & (OTHER_WORDS | NAMES_OR_VERBS):
        return True
    if months & PORTUGUESE_SHORT_MONTHS & OTHER_WORDS:
        return False
    if place.held or place.before() in HOLDERS - {"for", "of", "from"}:
        return True
    if own[-1] == "march" and place.after() == "on":
        return False
    in_words = own[-1].isalpha() and own[0] in MONTHS
    return not in_words and place.is_strictly_free


def quarter(place: Place) -> bool:
    """Not the third question, nor the third quarter of a game."""
    if place.after() in ("of", "de", "do", "da"):
        return False
    if place.before() in _NUMBERED:
        return False
    return place.held or (place.after() != ":" and not place.after().startswith("quant"))


def year(place: Place) -> bool:
    """Four figures after a preposition, and before nothing that they could count."""
    before = place.before()
    if before in ("year", "ano", "early", "mid", "late"):
        return True
    if place.held or is_counted(place.after()):
        return not is_counted(place.after())
    if is_number(place.after(1)) and not is_end(place.after()):
        # "from 2000 to 3000", "2000 and 3000 people"; not "2024 and 2025".
        listed = place.after() in _LISTING and not is_counted(place.after(2))
        if not listed:
            return False
    numbered = place.before(2)
    if before in ("of", "de") and (numbered in _NUMBERED | MONTHS.keys() or is_number(numbered)):
        return False
    return before in HOLDERS and before not in NO_MONTH_AFTER


def day_of_month(place: Place) -> bool:
    """ "on the 3rd", "no dia 3"; not "the 3rd floor", not "dia 3 do projeto"."""
    if place.after() in _OF_PT or place.after() == "of":
        return False
    if not place.is_free and not place.after().endswith(VERB_ENDINGS):
        return False
    if place.held:
        return True
    if place.own[0] in ("dia", "dias"):
        return place.before() in ("no", "nos", "do", "ao", "o", "os", "desde", "em")
    return place.before() == "the" and place.before(2) in HOLDERS_EN - {"in", "of", "for"}


def day_first(place: Place) -> bool:
    """In Portuguese, where the day always comes first."""
    return place.before() in HOLDERS_PT or place.before() == "dia"
