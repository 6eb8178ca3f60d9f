"""The sets of `../shared/data` as worlds: what is archived, and the questions about it.

Gold marks and the sets' own ids stay out of what is archived. A session has a neutral name, for
LongMemEval's gold sessions are called `answer_…`; a turn's reference is returned, never indexed.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SPACING = timedelta(seconds=5)
"""Sets date a session, not its turns: these follow each other at this distance."""

Row = dict[str, Any]


class Unit(NamedTuple):
    """A turn. `ref` is how it's recognised in the answers."""

    ref: str
    session: str
    role: Literal["user", "assistant"]
    speaker: str
    text: str
    at: datetime


class Question(NamedTuple):
    """A question, the references of all turns that answer it, and the names of their sessions."""

    id: str
    type: str
    text: str
    now: datetime
    gold: frozenset[str]
    gold_sessions: frozenset[str]
    answer: str


class World(NamedTuple):
    """What one memory holds, and what is asked about it."""

    name: str
    units: tuple[Unit, ...]
    questions: tuple[Question, ...]


def rows(path: Path) -> Iterator[Row]:
    """The values of a file of JSON lines, plain or packed."""
    with lzma.open(path, "rt") if path.suffix == ".xz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def sessions_of(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    """The units by session, in their order."""
    sessions: dict[str, list[Unit]] = {}
    for unit in units:
        sessions.setdefault(unit.session, []).append(unit)
    return sessions


def locomo(path: Path) -> list[World]:
    """A world for each conversation of LoCoMo; its adversarial questions have no gold."""
    return [_conversation(row) for row in rows(path)]


def _conversation(row: Row) -> World:
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    units: list[Unit] = []
    for unit in row["units"]:
        name = names.setdefault(unit["session"], f"s{len(names) + 1:04}")
        place = counts[name] = counts.get(name, -1) + 1
        at = _locomo_date(unit["date"]) + place * SPACING
        units.append(Unit(unit["id"], name, "user", unit["role"], unit["text"], at))
    home = {unit.ref: unit.session for unit in units}
    now = max(unit.at for unit in units) + timedelta(days=1)
    questions: list[Question] = []
    for asked in row["questions"]:
        gold = frozenset(asked["gold"] if asked["type"] != "adversarial" else ())
        at_home = frozenset(home[ref] for ref in gold)
        answer = str(asked.get("answer", ""))
        questions.append(
            Question(asked["id"], asked["type"], asked["question"], now, gold, at_home, answer)
        )
    return World(row["conversation"], tuple(units), tuple(questions))


def _locomo_date(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def longmemeval(folder: Path, merged: bool = False) -> Iterator[World]:
    """A world for each question of LongMemEval, or a single one with all sessions of them all."""
    questions = list(rows(folder / "questions.jsonl.xz"))
    sessions = {row["n"]: row for row in rows(folder / "sessions.jsonl.xz")}
    if merged:
        yield _haystacks("merged", questions, sessions)
        return
    for question in questions:
        yield _haystacks(question["id"], [question], sessions)


def questions_of(folder: Path) -> list[tuple[str, datetime]]:
    """LongMemEval's questions and their dates alone, which takes little memory."""
    asked = rows(folder / "questions.jsonl.xz")
    return [(row["question"], _longmemeval_date(row["date"])) for row in asked]


def _haystacks(name: str, questions: list[Row], sessions: dict[int, Row]) -> World:
    """The sessions of these questions, oldest first; one that is listed twice counts once."""
    listed: dict[str, tuple[datetime, Row]] = {}
    for question in questions:
        for number, date in question["haystack"]:
            session = sessions[number]
            listed.setdefault(session["id"], (_longmemeval_date(date), session))
    units: list[Unit] = []
    gold: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    for at, session in sorted(listed.values(), key=lambda each: each[0]):
        label = names[session["id"]] = f"s{len(names) + 1:04}"
        for place, (role, text, has_answer) in enumerate(session["turns"]):
            ref = str(len(units))
            units.append(Unit(ref, label, role, "", text, at + place * SPACING))
            if has_answer:
                gold.setdefault(session["id"], []).append(ref)
    return World(name, tuple(units), tuple(_asked(row, names, gold) for row in questions))


def _asked(row: Row, names: dict[str, str], gold: dict[str, list[str]]) -> Question:
    own: list[str] = row["answer_sessions"]
    kind = f"{row['type']}_abs" if row["id"].endswith("_abs") else row["type"]
    turns = frozenset(ref for session in own for ref in gold.get(session, ()))
    now = _longmemeval_date(row["date"])
    homes = frozenset(names[session] for session in own if session in names)
    return Question(row["id"], kind, row["question"], now, turns, homes, str(row["answer"]))


def _longmemeval_date(text: str) -> datetime:
    return datetime.strptime(text, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)
