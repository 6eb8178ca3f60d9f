"""Which of the records that were put before a model its reply drew on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil

from memoro.memory.recall.words import is_unspaced, query_terms, tokens
from memoro.memory.records import EPISODE, Record

ENOUGH = 2
"""How many of a record's telling words a reply has to hold."""

ENOUGH_OF_LONG = 0.34
"""The part of them it has to hold where a record has so many that two may be there by chance."""

_COMMON = frozenset(
    tokens(
        "user users person people someone prefer prefers preferred like likes love want wants need"
        " needs use uses using used usage make makes work works working project projects thing"
        " things way ways time times lot good better best new old first last next name named call"
        " called say says said tell told know knows think go goes get gets set keep keeps put run"
        " runs take takes give gives see look find try help let yes ok please thanks sure always"
        " never often usually sometimes every one two want currently now today example etc still"
        " usuario usuaria pessoa prefere preferem preferir gosta gostar quer querer precisa"
        " precisar usa usam usar usando faz fazer trabalha trabalhar trabalho projeto projetos"
        " coisa coisas jeito vez vezes bom boa melhor novo nova nome chama chamado diz disse sabe"
        " vai pode deve sempre nunca sim obrigado agora hoje exemplo ainda"
        " 用户 使用 喜欢 ユーザ ーザー です ます する"
    )
)
"""Words that stand in what is remembered of anyone and in any reply: they tell nothing."""

_LIST_NUMBER = re.compile(r"^[ \t]*\d{1,3}[.)](?=\s)", re.MULTILINE)


def drew_on(reply: str, records: Sequence[Record], question: str = "") -> list[Record]:
    """Those of the records that a reply evidently drew on, in their order.

    A reply is evidence of a record where it holds two of the record's telling words, or all of
    them where it has but one; where the record is so long that 34 % of them are more than two, it
    has to hold these 34 %. Both numbers are our own promise of what counts as evidence, and none
    that a measurement gave.

    Words are compared whole, folded and brought to one form. Numbers and versions are words, whole
    ones: 3.11 is not 3.12, and 10 not a part of 3.10. What the `question` says tells nothing of
    where the reply has it from, and neither do common words, nor the numbers of a list.
    """
    said = set(query_terms(_LIST_NUMBER.sub(" ", reply)))
    known = _COMMON.union(query_terms(question))
    return [record for record in records if _is_evident(said, _telling(record) - known)]


def _is_evident(said: set[str], telling: set[str]) -> bool:
    needed = max(min(ENOUGH, len(telling)), ceil(ENOUGH_OF_LONG * len(telling)))
    return bool(telling) and len(telling & said) >= needed


def _telling(record: Record) -> set[str]:
    """The words that say what a record says, and not merely what it is like."""
    text = record.text
    if record.kind == EPISODE.name:
        text += f"\n{record.data.get('outcome', '')}"
    terms = set(query_terms(text))
    terms.difference_update([start for term in terms for start in _beginnings(term)])
    # In a script without spaces nearly every text has a given character; pairs tell more.
    single = {term for term in terms if len(term) == 1 and is_unspaced(term)}
    return terms - single or terms


def _beginnings(term: str) -> Iterator[str]:
    """The shorter numbers that a dotted number begins with: 3.11 of 3.11.7."""
    fields = term.split(".")
    return (".".join(fields[:to]) for to in range(2, len(fields)))
