"""Rephrasings that show in the words alone: order, voice, a clause that leads, a list cut short."""

from __future__ import annotations

import re

from memoro.memory.comparing.claims.claim import Statement
from memoro.memory.comparing.judging.side_by_side import (
    bare,
    said_words,
)
from memoro.memory.comparing.tokens.token import TIME
from memoro.memory.comparing.verdict import Relation, Verdict


def moved_time(known: Statement, new: Statement) -> Verdict | None:
    """The same words, of which those that say when stand in another order."""
    rest = [[w.key for w in each.content if w.kind != TIME] for each in (known, new)]
    times = [sorted(w.key for w in each.content if w.kind == TIME) for each in (known, new)]
    if times[0] and rest[0] == rest[1] and times[0] == times[1] and known.flags == new.flags:
        return Verdict(Relation.REPHRASED, "the same in other words")
    return None


_LETTERS = re.compile(r"[^\w+#./@&%$€-]")


def unmarked(known: str, new: str) -> Verdict | None:
    """The same letters, with other spaces and apostrophes."""
    if _LETTERS.sub("", known) == _LETTERS.sub("", new):
        return Verdict(Relation.REPHRASED, "the same words")
    return None


_PAIR = re.compile(r"\b(\w+) (?:and|or|e|ou) (\w+)\b")
_COPULA = re.compile(r"^(?P<one>.+?) (?:is|are|e|sao) (?P<other>.+)$")


def turned_around(known: str, new: str) -> Verdict | None:
    """ "B and A" for "A and B", and "Y is X" for "X is Y"."""
    if _paired(known) == _paired(new):
        return Verdict(Relation.REPHRASED, "the same in other words")
    one, other = _COPULA.match(known), _COPULA.match(new)
    if one is None or other is None:
        return None
    sides = bare(one["one"]), bare(one["other"])
    if sides == (bare(other["other"]), bare(other["one"])):
        return Verdict(Relation.REPHRASED, "the same in other words")
    return None


def _paired(text: str) -> str:
    return _PAIR.sub(lambda found: " & ".join(sorted((found[1], found[2]))), text)


_LEAD = re.compile(
    r"^(?P<lead>(?:before|after|when|whenever|if|while|during|on|in|for|at|with|until|antes de"
    r"|depois de|quando|se|durante|em|no|na|para|com|ate)\s[^,]+),\s*(?P<rest>.+)$"
)


def led(known: str, new: str) -> Verdict | None:
    """ "Before A, B" and "B before A"."""
    for one, other in ((known, new), (new, known)):
        found = _LEAD.match(one)
        if found is not None and bare(f"{found['rest']} {found['lead']}") == bare(other):
            return Verdict(Relation.REPHRASED, "the same in other words")
    return None


_JOINT = re.compile(r"^(?:and|e|,|、|，|和)$")


_PIECES = re.compile(r"[^\s,、，和]+|[,、，和]")


def shortened(known: str, new: str) -> Verdict | None:
    """One member of a list of two is left out, or has come to it."""
    one, other = _PIECES.findall(known), _PIECES.findall(new)
    if _is_cut(one, other):
        return Verdict(Relation.REPHRASED, "said already")
    return Verdict(Relation.UPDATED, "says more") if _is_cut(other, one) else None


def _is_cut(whole: list[str], part: list[str]) -> bool:
    cut = len(whole) - len(part)
    if not 1 < cut <= 8 or len(part) < 3:
        return False
    for at in range(1, len(part) + 1):
        if whole[:at] + whole[at + cut :] == part:
            gone = whole[at : at + cut]
            return bool(_JOINT.match(gone[0])) != bool(_JOINT.match(gone[-1]))
    return False


_BEING = frozenset({"work", "serve", "act", "live", "sit", "stand", "stay", "remain", "lie"})


_AS = re.compile(r"\b(?:works?|working|serves?|acts?|trabalha|atua)\b.*\b(?:as|como)\b")


def same_but_for_being(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """ "Works at A as a B" and "is a B at A"."""
    if bool(_AS.search(texts[0])) == bool(_AS.search(texts[1])):
        return None
    one, other = (
        sorted(w.key for w in said_words(each) if not (w.role[0] == "V" and w.key in _BEING))
        for each in (known, new)
    )
    if one == other and len(one) >= 2 and known.flags == new.flags:
        return Verdict(Relation.REPHRASED, "the same in other words")
    return None


_AGENT = re.compile(r"\s(?:by|pelo|pela|pelos|pelas)\s(?P<agent>[^,;]+)$")


def agent_last(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """The same in the passive voice, with more beside the agent."""
    one, other = (sorted(w.key for w in said_words(each)) for each in (known, new))
    if one != other or known.flags != new.flags:
        return None
    for active, passive in (texts, texts[::-1]):
        found = _AGENT.search(passive)
        agent = bare(found["agent"]) if found is not None else ""
        if agent and not _AGENT.search(active) and bare(active).startswith(f"{agent} "):
            return Verdict(Relation.REPHRASED, "the same in other words")
    return None


_PASSIVE = re.compile(
    r"^(?P<object>.+?)\s(?:is|are|was|were|gets?|e|sao|foi|foram)\s(?P<verb>\w+)\s"
    r"(?:by|pelo|pela|pelos|pelas|por)\s(?P<agent>.+)$"
)


_HAN_PASSIVE = re.compile(r"^(?P<object>.+?)都?[由被](?P<agent>.+)$")


_ROOT = 4
"""Letters by which a verb and its participle are one."""


def turned_to_passive(active: str, passive: str) -> Verdict | None:
    """The same in the passive voice."""
    found = _PASSIVE.match(passive)
    if found is not None:
        start = f"{bare(found['agent'])} {found['verb'][:_ROOT]}"
        said, thing = bare(active), bare(found["object"])
        if said.startswith(start) and said.endswith(f" {thing}"):
            between = said[len(start) : -len(thing)].strip()
            if " " not in between and len(found["verb"]) >= _ROOT:
                return Verdict(Relation.REPHRASED, "the same in other words")
    han = _HAN_PASSIVE.match(passive)
    if han is None or not active.endswith(han["object"]):
        return None
    same = sorted(han["object"] + han["agent"]) == sorted(active)
    return Verdict(Relation.REPHRASED, "the same in other words") if same else None


_CLEFT = re.compile(
    r"\b(?:is|are|was) (?:where|what|who|the one|which)\b"
    r"|^(?:what|who|quem|onde|o que)\b"
    r"|\b(?:e|sao) (?:quem|onde|o que)\b"
)


def cleft(known: Statement, new: Statement, texts: tuple[str, str]) -> Verdict | None:
    """The same, turned to say what it is about: "X is where …"."""
    if bool(_CLEFT.search(texts[0])) == bool(_CLEFT.search(texts[1])):
        return None
    one, other = (sorted(w.key for w in each.content if w.key != "one") for each in (known, new))
    if one == other and known.flags == new.flags:
        return Verdict(Relation.REPHRASED, "the same in other words")
    return None
