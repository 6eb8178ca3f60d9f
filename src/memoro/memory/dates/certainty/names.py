"""Names of months and weekdays, which are other words as well."""

from __future__ import annotations

from memoro.memory.dates.certainty.place import (
    DETERMINERS,
    HOLDERS,
    HOLDERS_EN,
    HOLDERS_PT,
    NO_MONTH_AFTER,
    PLACES,
    VERB_ENDINGS,
    Place,
    is_end,
    is_number,
)
from memoro.memory.dates.grammar.lexicon import (
    MONTHS,
    NAMES_OR_VERBS,
    ORDINAL_WEEKDAYS,
    ORDINALS,
    OTHER_WORDS,
    PORTUGUESE_SHORT_MONTHS,
    SHORT_MONTHS,
    SHORT_WEEKDAYS,
    WEEKDAYS,
    word_set,
)
from memoro.memory.dates.grammar.patterns import (
    at,
    reading,
)

_FEASTS = word_set(
    "black good cyber ash palm holy easter super fat giving casual happy feliz bom boa san santo"
)
"""Adjectives that make a name or a greeting of a weekday."""
_AFTER_THE_VERB = word_set("be have not also only still never")
_JOINTS = word_set("to through - – a ate")
_ORDINALS_BESIDE = word_set("primeira terceira")


def month(place: Place) -> bool:
    """A month's name that is no verb, name or everyday word here, and no part of a date that does
    not exist."""
    if place.has_year:
        return _is_month_of_year(place)
    before, word = place.before(), place.own[0]
    if not _is_whole(place) or before in PLACES or (before == "de" and place.before(2) in PLACES):
        return False
    if place.after() in _JOINTS and place.after(1) in MONTHS:
        return True
    held = place.held or (before in HOLDERS - NO_MONTH_AFTER)
    if word == "may" and place.after() in _AFTER_THE_VERB:
        return False
    if word in SHORT_MONTHS or (word == "marco" and place.is_plain):
        return held and _is_short_month(place)
    if held or place.is_all:
        return True
    return word not in NAMES_OR_VERBS and before not in DETERMINERS and place.is_free


def _is_whole(place: Place) -> bool:
    """Whether a month stands without a number that would make it a day: "February 30" is none."""
    if place.before() in ("de", "of"):
        return "<day>" not in reading(place.before(2))
    return not is_number(place.before()) and (
        not is_number(place.after()) or place.before() in ("in", "em")
    )


def _is_month_of_year(place: Place) -> bool:
    """Not "30 February 2025", and not "set 2025 goals"."""
    before = place.before(2) if place.before() in ("de", "of") else place.before()
    if is_number(before) and not reading(before).get("<year>"):
        return False
    if place.own[0] == "marco" and place.is_plain:
        return place.before() not in DETERMINERS
    strange = place.own[0] in ("set", "out", "ago") and not ({"de", "/"} & {*place.own})
    return not strange or place.held or place.before() in HOLDERS_PT


def _is_short_month(place: Place) -> bool:
    """ "in Jan", "desde set"; not "in set theory", not "até dez"."""
    word, before = place.own[0], place.before()
    if word in OTHER_WORDS & PORTUGUESE_SHORT_MONTHS:
        bound = place.held and before in HOLDERS_PT | {"e", "a", "ao"}
        return (bound or before in ("em", "desde")) and place.is_strictly_free
    if place.held:
        return place.is_free
    if word in OTHER_WORDS:
        return before in HOLDERS_EN | {"em", "desde"} and place.is_strictly_free
    return place.is_strictly_free and (before != "for" or is_end(place.after()))


def near_month(place: Place) -> bool:
    """ "this May?" but not "this may take long"; not "the last march of the penguins"."""
    if place.own[0] == "this" and place.own[1] in SHORT_MONTHS | {"may"}:
        return place.after() == "?" or place.is_owner
    verb = place.own[-1] == "may" and place.after() in _AFTER_THE_VERB
    return not verb and place.after() != "of"


def weekday(place: Place) -> bool:
    """A weekday that is no ordinal, no name, no habit and describes nothing."""
    before, word = place.before(), place.own[0]
    if not place.held and (before in _FEASTS | ORDINALS.keys() or _is_working_week(place)):
        return False
    held = place.held or (before in HOLDERS and before not in ("in", "mid", "over"))
    if word in SHORT_WEEKDAYS:
        return held and before not in HOLDERS_PT and place.is_strictly_free
    if word in ORDINAL_WEEKDAYS:
        return _is_no_ordinal(place, held)
    return held or (before not in DETERMINERS - {"o"} and place.is_free)


def _is_working_week(place: Place) -> bool:
    """ "Monday to Friday" without a preposition: what is so every week."""
    day = place.match.values[0]
    if day == 0 and place.after() in _JOINTS:
        return WEEKDAYS.get(place.after(1)) == 4
    return day == 4 and place.before() in _JOINTS and WEEKDAYS.get(place.before(2)) == 0


def _is_no_ordinal(place: Place, held: bool) -> bool:
    near = (at(place.words, place.match.first + n) for n in range(-8, 9))
    if any(word in _ORDINALS_BESIDE for word in near):
        return False
    if not held and (place.before() in DETERMINERS or place.before() == "e"):
        return False
    # What a feminine ordinal describes is feminine and singular, so a verb it can't be.
    verb = place.after().endswith(VERB_ENDINGS) and place.after() != "lei"
    return place.is_free or verb


def near_weekday(place: Place) -> bool:
    own = place.own
    if place.after() == "of":
        return False
    if SHORT_WEEKDAYS.keys() & own:
        return place.is_strictly_free
    return own[-1] not in ORDINAL_WEEKDAYS or _is_no_ordinal(place, held=True)


def weekend(place: Place) -> bool:
    """ "over the weekend", "no fim de semana"."""
    if place.own == ["weekend"]:
        return place.before() == "the" and place.before(2) in ("over", "during", "on", "at")
    return place.before() == "no"
