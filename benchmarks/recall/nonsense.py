"""What comes back where nothing should, and what is lost to the gates that prevent it.

`lost`: of the questions with gold in the first ten, those under the gate. The rest are questions
that are asked of the wrong memory and still bring something: those of `other` conversations of the
same set (same kind, same names), of another genre (`coding`), a `salad` of words from another
conversation or of the memory's `own words`, made-up `unheard` words. `absent`: the sets' own
questions without an answer in the conversation; no score tells these apart, so that they are shown
for information.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from loading import World
from measures import Mean, hit

GATES = (0.20, 0.25, 0.30, 0.36)
OTHERS = 1_500
"""So many questions of other conversations are asked of a set's memories at most."""
EACH = 5
"""So many of each other kind."""
TARGET = (0.30, 6.0, 18.0)
"""At this gate, at most so many percent lost and false, over the sets; here LoCoMo's and
LongMemEval's."""

CODING = (
    "How do I undo the last git commit but keep the changes?",
    "Why does my React component render twice in development?",
    "What is the difference between a mutex and a semaphore?",
    "How can I speed up a slow SQL join on two large tables?",
    "Which HTTP status code means that a resource has moved for good?",
    "How do I parse command line arguments in Rust?",
    "What does a segmentation fault in C usually mean?",
    "How do I pin a transitive dependency in package.json?",
    "Why is my Docker image so large after a multi-stage build?",
    "How do I write a regular expression for an IPv6 address?",
    "What is the time complexity of heapsort in the worst case?",
    "How do I rebase a branch with merge commits?",
)
_SYLLABLES = ("blor", "vex", "tran", "quim", "zol", "frip", "dask", "wug", "nerl", "thopt", "ik")


class Scored(NamedTuple):
    """What a question brought: its kind, whether gold was in the first ten, the best score, and
    whether an explicit search as it comes shows anything."""

    set: str
    kind: str
    question: str
    answered: bool
    best: float
    shown: bool


class Asked(NamedTuple):
    """A question that a memory doesn't answer."""

    kind: str
    text: str
    now: datetime


def unanswerable(worlds: Sequence[World], number: int) -> list[Asked]:
    """What is asked of one of the worlds that it has no answer to; the same in each run."""
    chance = random.Random(number)
    world = worlds[number]
    now = world.questions[0].now
    others = [
        question.text
        for other in worlds
        if other.name != world.name
        for question in other.questions
        if question.gold
    ]
    most = min(len(others), OTHERS // len(worlds))
    asked = [Asked("other", text, now) for text in chance.sample(others, most)]
    strange = _words(chance.choice([each for each in worlds if each.name != world.name]), chance)
    own = _words(world, chance)
    for _ in range(EACH):
        asked.append(Asked("coding", chance.choice(CODING), now))
        asked.append(Asked("salad", " ".join(chance.choices(strange, k=6)), now))
        asked.append(Asked("own words", " ".join(chance.choices(own, k=6)), now))
        asked.append(Asked("unheard", " ".join(_unheard(chance) for _ in range(5)), now))
    return asked


def _words(world: World, chance: random.Random) -> list[str]:
    return [
        word
        for unit in chance.sample(world.units, min(40, len(world.units)))
        for word in unit.text.split()
    ]


def _unheard(chance: random.Random) -> str:
    return "".join(chance.choice(_SYLLABLES) for _ in range(3))


def scored(name: str, worlds: Sequence[World], number: int) -> list[Scored]:
    """Ask one of the worlds its own questions, and what it has no answer to."""
    from ours import archived

    world = worlds[number]
    wrong = unanswerable(worlds, number)
    found: list[Scored] = []
    with archived(world) as memory:
        for one, gold in (*_own(world), *((one, frozenset[str]()) for one in wrong)):
            hits = memory.recall(one.text, k=10, kinds={"turn"}, now=one.now, gate=0)
            shown = bool(memory.recall(one.text, k=1, kinds={"turn"}, now=one.now))
            answered = bool(gold) and hit([str(each.ref) for each in hits], gold, 10) > 0
            best = hits[0].score if hits else 0.0
            found.append(Scored(name, one.kind, one.text, answered, best, shown))
    return found


def _own(world: World) -> list[tuple[Asked, frozenset[str]]]:
    """`own` questions with their gold, and `absent` ones without an answer."""
    found: list[tuple[Asked, frozenset[str]]] = []
    for question in world.questions:
        absent = question.type == "adversarial" or question.type.endswith("_abs")
        if absent or question.gold:
            kind = "absent" if absent else "own"
            found.append((Asked(kind, question.text, question.now), question.gold))
    return found


def print_gates(found: Sequence[Scored]) -> bool:
    """Print what is lost and false at each gate; whether the target is reached."""
    sets = sorted({one.set for one in found})
    reached: list[tuple[float, float]] = []
    for name in sets:
        own = [one for one in found if one.set == name]
        print(f"\n{name} (% ± standard error)")
        print(f"{'':10}{'questions':>10}" + "".join(f"{gate:>13.2f}" for gate in GATES), end="")
        print(f"{'as it comes':>14}")
        for kind in ("lost", "other", "coding", "salad", "own words", "unheard", "absent"):
            chosen = _chosen(own, kind)
            if chosen:
                cells = [_share(chosen, kind, gate) for gate in (*GATES, None)]
                print(
                    f"{kind:10}{len(chosen):>10}"
                    + "".join(f"  {cell.value:>5.1f} ±{cell.error:<4.1f}" for cell in cells)
                )
        gate = TARGET[0]
        lost, false = (_share(_chosen(own, k), k, gate).value for k in ("lost", "other"))
        reached.append((lost, false))
    lost, false = (sum(column) / len(sets) for column in zip(*reached, strict=True))
    gate, most_lost, most_false = TARGET
    print(f"\nmean at {gate:.2f}: lost {lost:.1f} (target {most_lost:.0f} or less), ", end="")
    print(f"false {false:.1f} (target {most_false:.0f} or less)")
    return lost <= most_lost and false <= most_false


def _chosen(found: Sequence[Scored], kind: str) -> list[Scored]:
    if kind == "lost":
        return [one for one in found if one.kind == "own" and one.answered]
    return [one for one in found if one.kind == kind]


def _share(found: Sequence[Scored], kind: str, gate: float | None) -> Mean:
    """Those under the gate where they are to be shown, else those above; None: as it comes."""
    shown = [one.shown if gate is None else one.best >= gate for one in found]
    return Mean.of([100.0 * (one != (kind == "lost")) for one in shown])
