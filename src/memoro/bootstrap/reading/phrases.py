"""Phrases that tell the assistant to drop what it was told, or to be another; two languages.

Words are compared without case, accents, look-alike forms and invisible characters, and with
whatever punctuation, emphasis or line end stands between them.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

OVERRIDE = "override"
ROLE_RESET = "role reset"

_INVISIBLE_RANGE = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e01ef"
)
_INVISIBLE = re.compile(f"[{_INVISIBLE_RANGE}]")
# A word, or where a sentence or paragraph ends, which no phrase goes across.
_WORD = re.compile(f"(?P<word>[^\\W_](?:[^\\W_]|['’{_INVISIBLE_RANGE}\u0300-\u036f])*)"
                   r"|(?P<stop>[.!?]\s|\n[ \t]*\n)")  # fmt: skip

# Forbidding it is what a careful file does.
_NOT_FORBIDDEN = r"(?<!\bnot )(?<!\bnever )(?<!n't )(?<!\bnao )(?<!\bnunca )(?<!\bjamais )"
_ENGLISH_FILLERS = (
    r"(?:(?:all|any|every|each|everything|the|of|these|those|this|that|my|your|our|their|about"
    r"|and|or|other|such|existing|previous|prior|earlier|above|in)\b )"
)
_ENGLISH_NOUNS = (
    "(?:instructions?|prompts?|directives?|directions|guidelines?|rules?|commands?|orders|messages"
    "|context|programming|training|constraints)"
)
_ENGLISH = (
    rf"{_NOT_FORBIDDEN}\b(?:ignore|ignoring|disregard|disregarding|forget|discard)"
    rf" {_ENGLISH_FILLERS}{{0,6}}(?:[a-z]+ )??{_ENGLISH_FILLERS}{{0,6}}?"
    r"(?:(?:previous|prior|above|earlier|preceding|foregoing|former|initial|original|system|your"
    rf"|safety)(?: (?:[a-z]+ )??(?:and )?(?:[a-z]+ )??){_ENGLISH_NOUNS}"
    rf"|{_ENGLISH_NOUNS}(?: (?:given|you|were|was|that|which|i|we|have|had|been|told|stated|from"
    r"|to|came|come|received|listed|written)\b){0,6} (?:above|before|earlier|previously)"
    r"|everything (?:above|before|(?:that )?you (?:were|have been|ve been) told))\b"
    rf"|{_NOT_FORBIDDEN}\b(?:override|overrule|bypass|circumvent) {_ENGLISH_FILLERS}{{0,4}}"
    rf"(?:system|safety|previous|prior) {_ENGLISH_NOUNS}\b"
)
_PORTUGUESE_FILLERS = (
    r"(?:(?:tod[oa]s?|as?|os?|suas?|seus?|tuas?|teus?|minhas?|estas?|essas?|quaisquer|qualquer|das?"
    r"|dos?|de|outras?|e|tudo|por|completo|favor)\b )"
)
_PORTUGUESE_NOUNS = (
    "(?:instruc(?:ao|oes)|regras?|ordens|diretrizes|diretivas|orientac(?:ao|oes)|comandos"
    "|mensagens|prompts?|restricoes)"
)
_PORTUGUESE_EARLIER = "(?:anterior(?:es)?|previ[ao]s?|acima|precedentes?|iniciais|do sistema)"
_PORTUGUESE = (
    rf"{_NOT_FORBIDDEN}\b(?:ignor(?:e|a|ar|em|ando)|desconsider(?:e|a|ar|em)"
    r"|desrespeit(?:e|a|ar|em)|esquec(?:a|e|er|am)|descart(?:e|a|ar|em))"
    rf" {_PORTUGUESE_FILLERS}{{0,6}}"
    rf"(?:{_PORTUGUESE_NOUNS} (?:[a-z]+ )?(?:[a-z]+ )?{_PORTUGUESE_EARLIER}"
    rf"|{_PORTUGUESE_EARLIER} {_PORTUGUESE_NOUNS}"
    rf"|(?<=suas |tuas ){_PORTUGUESE_NOUNS}"
    r"|(?<=tudo )o que .{0,40}?\b(?:antes|acima|anteriormente))\b"
)
_NO_LIMITS = "(?:restrictions|rules|limits|limitations|guidelines|filters)"
_SEM_LIMITES = r"sem (?:restric(?:ao|oes)|regras|limites|filtros|censura)\b"
_RESETS = (
    r"\byou are now (?:(?:an?|the|in|my|fully|called|named|no longer)\b ){0,3}"
    r"(?:dan|jailbr(?:eak|oken)|unrestricted|unfiltered|uncensored|bound by"
    r"|(?:developer|god|jailbreak|admin|debug|dan) mode)\b",
    r"\b(?:act|behave|respond|pretend|answer) (?:as if |as though |as |like |that )?"
    rf"you (?:have|had|are under|were under) no (?:[a-z]+ )?{_NO_LIMITS}\b",
    r"\b(?:enter|enable|activate|switch to|switch into) (?:dan|jailbreak|god) mode\b",
    r"\b(?:voce|tu) (?:agora )?(?:esta|es|e) (?:(?:agora|uma?|o|a|em|no)\b ){0,3}(?:dan\b"
    rf"|irrestrit[oa]\b|modo (?:desenvolvedor|deus|irrestrito|jailbreak)\b"
    rf"|(?:[a-z]+ )?{_SEM_LIMITES})",
    r"\b(?:aja|finja|responda|comporte se) como (?:se )?"
    r"(?:nao (?:tivesse|houvesse) (?:restricoes|regras|limites|filtros)\b"
    rf"|.{{0,20}}{_SEM_LIMITES})",
)
_PATTERNS = (
    (OVERRIDE, re.compile(_ENGLISH, re.ASCII)),
    (OVERRIDE, re.compile(_PORTUGUESE, re.ASCII)),
    *((ROLE_RESET, re.compile(reset, re.ASCII)) for reset in _RESETS),
)
# A text of plain letters without any of these has no phrase.
_STEMS = (
    "ignor", "disregard", "forget", "discard", "overr", "bypass", "circumvent", "desconsider",
    "desrespeit", "esquec", "descart", "you are now", "you have no", "you had no", "under no",
    "mode", "agora", "sem ", "como se",
)  # fmt: skip


def plain(text: str) -> str:
    """The text without invisible characters, with look-alike forms as plain letters."""
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))


def find_phrases(text: str) -> Iterator[tuple[int, int, str]]:
    """Find each phrase: where it starts and ends in the text, and its category."""
    if text.isascii():
        lowered = " ".join(text.lower().split())
        if not any(stem in lowered for stem in _STEMS):
            return
    found = list(_WORD.finditer(text))
    words = [_folded(match["word"]) if match["word"] else "." for match in found]
    joined = " ".join(words)
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    at = 0
    for index, word in enumerate(words):
        starts[at] = index
        at += len(word)
        ends[at] = index
        at += 1
    for category, pattern in _PATTERNS:
        for match in pattern.finditer(joined):
            first, last = starts.get(match.start()), ends.get(match.end())
            if first is not None and last is not None:
                yield found[first].start(), found[last].end(), category


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    letters = unicodedata.normalize("NFKD", plain(word)).replace("’", "'")
    return "".join(each for each in letters if not unicodedata.combining(each)).casefold()
