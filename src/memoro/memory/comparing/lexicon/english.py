"""English: function words, attributes, verbs."""

from __future__ import annotations

from collections.abc import Iterator

from memoro.memory.comparing.lexicon.english_verbs import ALSO_NOUNS, VERBS
from memoro.memory.comparing.lexicon.english_words import WORDS
from memoro.memory.comparing.lexicon.entries import GERUND, PAST, VERB, lexicon
from memoro.memory.comparing.lexicon.listing import listed

_IRREGULAR = """
be was been; have had had; do did done; go went gone; leave left left; write wrote written
rewrite rewrote rewritten; run ran run; take took taken; get got got gotten; give gave given
come came come; make made made; see saw seen; say said said; bring brought brought
buy bought bought; sell sold sold; read read read; eat ate eaten; drink drank drunk
teach taught taught; tell told told; send sent sent; become became become; know knew known
speak spoke spoken; mean meant meant; understand understood understood; keep kept kept
begin began begun; choose chose chosen; set set set; cut cut cut; grow grew grown; put put put
hold held held; bear bore born; wed wed wed; think thought thought; find found found; lead led led
meet met met; build built built; bind bound bound; break broke broken; drive drove driven
ride rode ridden; swim swam swum; wake woke woken; wear wore worn; sit sat sat; stand stood stood
oversee oversaw overseen; pay paid paid; sing sang sung; draw drew drawn; learn learnt learnt
quit quit quit; freeze froze frozen; forbid forbade forbidden; sleep slept slept; hide hid hidden
feel felt felt; lose lost lost; spend spent spent; show showed shown; dwell dwelt dwelt
shut shut shut
"""

_DOUBLED = listed(
    """
    run set put stop swap plan ship drop commit debug log prefer cut get sit hit bet grab chat
    refer begin forget quit step jog swim wrap tag ban program nap hop shop skip
    cap map submit slip plug tap shut opt omit emit
    """
)


def _pasts(table: str) -> dict[str, tuple[str, ...]]:
    verbs = (verb.split() for verb in table.strip().replace("\n", "; ").split("; "))
    return {base: tuple(forms) for base, *forms in verbs}


_PASTS = _pasts(_IRREGULAR)


def verb_forms(base: str) -> Iterator[tuple[str, str]]:
    """The forms of an English verb: base, third person, past, participles."""
    yield base, VERB
    yield _third(base), VERB
    stem = base + base[-1] if base in _DOUBLED else base
    if base in _PASTS:
        for form in _PASTS[base]:
            yield form, PAST
    elif base.endswith("e"):
        yield base + "d", PAST
    elif base.endswith("y") and base[-2] not in "aeiou":
        yield base[:-1] + "ied", PAST
    else:
        yield stem + "ed", PAST
    yield _gerund(base, stem), GERUND


def _third(base: str) -> str:
    if base in ("have", "be"):
        return {"have": "has", "be": "is"}[base]
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def _gerund(base: str, stem: str) -> str:
    if base.endswith("e") and not base.endswith(("ee", "oe")) and base != "be":
        return base[:-1] + "ing"
    return stem + "ing"


ENGLISH = lexicon(WORDS, VERBS, verb_forms, ALSO_NOUNS)
