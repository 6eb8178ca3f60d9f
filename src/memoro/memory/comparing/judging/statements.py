"""How one statement relates to another, from how their claims do."""

from __future__ import annotations

from memoro.memory.comparing.claims.claim import Statement
from memoro.memory.comparing.judging.alignment import aligned, retold
from memoro.memory.comparing.judging.claims import judge
from memoro.memory.comparing.judging.long_texts import relate_long
from memoro.memory.comparing.judging.outcomes import Judgement, Outcome
from memoro.memory.comparing.judging.wording import one_detail, other_names, same_words
from memoro.memory.comparing.verdict import Relation, Verdict

_MOST_PAIRS = 144


def relate(known: Statement, new: Statement) -> Verdict:
    """Relate two statements that are not the same text."""
    if known.is_long or new.is_long:
        return relate_long(known.text, new.text)
    if not known.claims or not new.claims or len(known.claims) * len(new.claims) > _MOST_PAIRS:
        return Verdict(Relation.DISTINCT, "too much or too little to tell")
    across = known.language != new.language
    table = [[judge(k, n, across) for n in new.claims] for k in known.claims]
    verdict = _from_table(table)
    verdict = retold(known, new) or verdict
    if verdict.relation in (Relation.DISTINCT, Relation.UNSURE):
        verdict = _second_look(known, new) or verdict
    if verdict.relation in (Relation.REPHRASED, Relation.UPDATED) and other_names(known, new):
        return Verdict(Relation.UNSURE, "names that differ by a letter")
    return verdict


def _second_look(known: Statement, new: Statement) -> Verdict | None:
    by_words = same_words(known, new) or one_detail(known, new)
    if by_words is None or by_words.relation is Relation.UNSURE:
        return aligned(known, new) or by_words
    return by_words


_COVERS = (Outcome.SAME, Outcome.LESS)
_KEEPS = (Outcome.SAME, Outcome.MORE)
_CHANGES = (Outcome.ANOTHER, Outcome.OPPOSITE, Outcome.MORE)


def _from_table(table: list[list[Judgement]]) -> Verdict:
    columns = list(zip(*table, strict=True))
    if all(any(one.outcome in _COVERS for one in column) for column in columns):
        if len(table) == len(columns) == 1:
            return Verdict(Relation.REPHRASED, table[0][0].why)
        return Verdict(Relation.REPHRASED, "said already")
    left = [row for row in table if not any(one.outcome in _KEEPS for one in row)]
    if not left:
        return Verdict(Relation.UPDATED, _reason(table, (Outcome.MORE,)) or "says more")
    changed = [row for row in left if any(one.outcome in _CHANGES for one in row)]
    if len(changed) == len(left):
        return _changed(left)
    if changed:
        return Verdict(Relation.UNSURE, "a part of it has changed, perhaps")
    if any(one.outcome is Outcome.UNSURE for row in table for one in row):
        return Verdict(Relation.UNSURE, _reason(table, (Outcome.UNSURE,)))
    return Verdict(Relation.DISTINCT, table[0][0].why)


def _changed(rows: list[list[Judgement]]) -> Verdict:
    opposite = all(
        any(one.outcome is Outcome.OPPOSITE for one in row)
        and not any(one.outcome is Outcome.ANOTHER for one in row)
        for row in rows
    )
    # "left Acme and joined Globex" is more than the end of the old.
    if opposite and all(len(row) == 1 for row in rows):
        return Verdict(Relation.CONTRADICTED, _reason(rows, (Outcome.OPPOSITE,)))
    return Verdict(Relation.UPDATED, _reason(rows, (Outcome.ANOTHER, Outcome.OPPOSITE)))


def _reason(rows: list[list[Judgement]], outcomes: tuple[Outcome, ...]) -> str:
    return next((one.why for row in rows for one in row if one.outcome in outcomes), "")
