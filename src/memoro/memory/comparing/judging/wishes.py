"""How one wish relates to another."""

from __future__ import annotations

from memoro.memory.comparing.claims.claim import Claim
from memoro.memory.comparing.judging.outcomes import Judgement, Outcome, distinct
from memoro.memory.comparing.judging.sayings import judge_values
from memoro.memory.comparing.judging.scopes import judge_scopes
from memoro.memory.comparing.judging.values import shown


def judge_wishes(known: Claim, new: Claim) -> Judgement:
    """Relate preferences, likings and wishes about the same."""
    if known.about | known.scope != new.about | new.scope:
        return judge_scopes(known, new)
    values, others = {w.key for w in known.value}, {w.key for w in new.value}
    if values != others and not known.negative and not new.negative:
        if values and values <= new.over and (not known.over or known.over <= others):
            return Judgement(Outcome.ANOTHER, f"{shown(known.value)} → {shown(new.value)}")
        turned = others and others <= known.over and (not new.over or new.over <= values)
        if turned and new.attribute != "like":
            return Judgement(Outcome.ANOTHER, f"{shown(known.value)} → {shown(new.value)}")
    if known.over and new.over and known.over != new.over:
        return distinct("another choice")
    if known.negative != new.negative and known.attribute != new.attribute and values != others:
        return distinct("about something else")
    return judge_values(known, new)
