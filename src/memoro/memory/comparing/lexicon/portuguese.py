"""Portuguese of Brazil and Portugal: function words, attributes, verbs. Accents are folded."""

from __future__ import annotations

from collections.abc import Iterator

from memoro.memory.comparing.lexicon.entries import GERUND, IMPERFECT, PAST, VERB, lexicon
from memoro.memory.comparing.lexicon.portuguese_verbs import ALSO_NOUNS, VERBS
from memoro.memory.comparing.lexicon.portuguese_words import WORDS


def verb_forms(infinitive: str) -> Iterator[tuple[str, str]]:
    """The forms of a regular Portuguese verb that occur in statements."""
    stem, ending = infinitive[:-2], infinitive[-2:]
    if ending not in _ENDINGS:
        return
    soft = _softened(stem) if ending == "ar" else stem
    yield infinitive, VERB
    for form in _ENDINGS[ending].split():
        yield stem + form, VERB
    for form in _SUBJUNCTIVE[ending].split():
        yield soft + form, VERB
    for form in _PASTS[ending].split():
        yield (soft if form == "ei" else stem) + form, PAST
    for form in _IMPERFECTS[ending].split():
        yield stem + form, IMPERFECT
    yield stem + ending[0] + "ndo", GERUND


_ENDINGS = {
    "ar": "a o am amos ara arao",
    "er": "e o em emos era erao",
    "ir": "e o em imos ira irao",
}
_SUBJUNCTIVE = {"ar": "e em emos", "er": "a am amos", "ir": "a am amos"}
_PASTS = {
    "ar": "ou ei aram ado ada ados adas",
    "er": "eu i eram ido ida idos idas",
    "ir": "iu iram ido ida idos idas",
}
_IMPERFECTS = {"ar": "ava avam", "er": "ia iam", "ir": "ia iam"}


def _softened(stem: str) -> str:
    if stem.endswith("c"):
        return stem[:-1] + "qu"
    return stem + "u" if stem.endswith("g") else stem


PORTUGUESE = lexicon(WORDS, VERBS, verb_forms, ALSO_NOUNS)
