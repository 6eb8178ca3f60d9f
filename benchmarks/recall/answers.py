"""LongMemEval answered: recall, a reader model, a judge model; every answer is kept.

    python benchmarks/recall/answers.py --reader openai:gpt-5-mini --judge openai:gpt-4o-2024-08-06

Keys and base URLs come from the usual settings (`OPENAI_API_KEY`, `OPENAI_BASE_URL`, …). A run that
was cut off goes on where it stopped: what the same reader, judge and k have done is in --out.

What is right follows the set's own judging instructions, in our words; the originals are in
https://github.com/xiaowu0162/LongMemEval/blob/main/src/evaluation/evaluate_qa.py
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from loading import DATA, Question, Unit, World, longmemeval
from measures import Mean
from ours import archived

from memoro.app import App
from memoro.app.models import model_options
from memoro.backends.models import ModelOptions, connect
from memoro.errors import MemoroError
from memoro.session.model import Message, ModelClient, SystemPrompt

READER = SystemPrompt(
    "You answer a user's question from what was said in earlier conversations with them. The "
    "excerpts below are dated, the newest first. Where they disagree, the newer one holds. Work "
    "out dates and counts step by step if the question needs it. If they don't hold the answer, "
    "say that you don't know. End with the answer in one or two sentences.",
    "",
)
JUDGE = SystemPrompt(
    "You decide whether an assistant's reply answers a question correctly. Reply with the single "
    "word yes or no.",
    "",
)
_SAME = (
    "Say yes if the reply holds the reference answer, says the same in other words, or has all "
    "the steps that lead to it. Say no if it has only a part of what the reference asks for."
)
RULES: Mapping[str, str] = {
    "temporal-reasoning": f"{_SAME} A number of days, weeks or months that is off by one is right.",
    "knowledge-update": "Say yes if the reply gives the reference answer as what holds now; what "
    "held earlier may stand beside it.",
    "single-session-preference": "The reference describes what a good reply for this user takes "
    "up. Say yes if the reply recalls and uses what the user told about themselves; it need not "
    "take up every point.",
    "abstention": "The question has no answer in the conversations, and the reference says why. "
    "Say yes if the reply says that it can't be answered, or that something else was told but "
    "not this.",
}


class Run(NamedTuple):
    """What makes answers comparable."""

    reader: str
    judge: str
    k: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer what isn't answered yet, print the shares that are right; 1 where some failed."""
    options = _options(arguments)
    run = Run(options.reader, options.judge or options.reader, options.k)
    worlds = islice(longmemeval(options.data / "longmemeval"), options.limit)
    failed = asyncio.run(_answer_all(run, worlds, options.out, options.context_chars))
    _print(_kept(options.out, run))
    if failed:
        print(f"{failed} questions were not answered; the same command tries them again")
    return int(failed > 0)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--reader", required=True, help="the model that answers: PROVIDER:MODEL")
    parser.add_argument("--judge", help="the model that judges; the reader, unless given")
    parser.add_argument("--k", type=int, default=10, help="so many turns, each with its neighbours")
    parser.add_argument("--context-chars", type=int, default=60_000)
    parser.add_argument("--limit", type=int, help="so many questions only")
    parser.add_argument("--out", type=Path, default=Path("/tmp/recall-answers.jsonl"))
    parser.add_argument("--data", type=Path, default=DATA)
    return parser.parse_args(arguments)


async def _answer_all(run: Run, worlds: Iterator[World], out: Path, most: int) -> int:
    """Answer, judge and keep each question; how many failed."""
    _drop_half_a_line(out)
    done = {row["id"] for row in _kept(out, run)}
    reader, judge = connect(_reached(run.reader)), connect(_reached(run.judge))
    failed = 0
    try:
        with out.open("a", encoding="utf-8") as lines:
            for world in worlds:
                if world.name in done:
                    continue
                try:
                    row = await _answer(run, world, reader, judge, most)
                except MemoroError as error:
                    failed += 1
                    print(f"{world.name}: {error}", file=sys.stderr)
                    continue
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")
                lines.flush()
    finally:
        await reader.aclose()
        await judge.aclose()
    return failed


def _reached(name: str) -> ModelOptions:
    """How the settings reach a model of this name."""
    with closing(App({**os.environ, "MEMORO_MODEL": name})) as app:
        options = model_options(app)
    assert options is not None
    return options


async def _answer(
    run: Run, world: World, reader: ModelClient, judge: ModelClient, most: int
) -> dict[str, Any]:
    question = world.questions[0]
    with archived(world) as memory:
        hits = memory.recall(question.text, k=run.k, kinds={"turn"}, now=question.now)
    refs = [str(hit.ref) for hit in hits]
    excerpts = shown(world.units, refs, most)
    asked = f"{excerpts}\n\nToday is {question.now:%A, %Y-%m-%d %H:%M}.\nQuestion: {question.text}"
    reply = await reader.respond(READER, [Message("user", asked)], [])
    verdict = await judge.respond(JUDGE, [Message("user", judging(question, reply.text))], [])
    return {
        **run._asdict(),
        "id": question.id,
        "type": question.type,
        "question": question.text,
        "answer": question.answer,
        "gold": sorted(question.gold),
        "recalled": refs,
        "context_chars": len(excerpts),
        "reply": reply.text,
        "verdict": verdict.text,
        "right": is_yes(verdict.text),
        "reader_usage": reply.usage._asdict(),
        "judge_usage": verdict.usage._asdict(),
    }


def shown(units: Sequence[Unit], refs: Sequence[str], most: int) -> str:
    """The best turns that fit, each with its neighbours: by session, the newest session first."""
    places = {unit.ref: place for place, unit in enumerate(units)}
    chosen: dict[int, str] = {}
    size = 0
    for ref in refs:
        place = places[ref]
        for near in (place, place + 1, place - 1):
            if 0 <= near < len(units) and units[near].session == units[place].session:
                line = f"{units[near].role}: {units[near].text}"
                if near not in chosen and size + len(line) <= most:
                    chosen[near] = line
                    size += len(line)
    sessions: dict[str, list[int]] = {}
    for place in sorted(chosen):
        sessions.setdefault(units[place].session, []).append(place)
    newest = sorted(sessions.values(), key=lambda own: units[own[0]].at, reverse=True)
    return "\n\n".join(
        "\n".join([f"[{units[own[0]].at:%A, %Y-%m-%d}]", *(chosen[place] for place in own)])
        for own in newest
    )


def judging(question: Question, reply: str) -> str:
    """What the judge is asked about a reply."""
    kind = "abstention" if question.type.endswith("_abs") else question.type
    return (
        f"{RULES.get(kind, _SAME)}\n\nQuestion: {question.text}\n"
        f"Reference: {question.answer}\nReply: {reply}\n\nIs the reply right, yes or no?"
    )


def is_yes(verdict: str) -> bool:
    """Whether the first yes or no of a verdict is yes."""
    found = re.search(r"\b(yes|no)\b", verdict.lower())
    return found is not None and found[1] == "yes"


def _kept(path: Path, run: Run) -> list[dict[str, Any]]:
    """What this run has answered before."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    # A run that was killed may have left a line by half: its question is asked again.
    kept = [json.loads(line) for line in lines if line.endswith("\n") and line.strip()]
    wanted = run._asdict()
    return [row for row in kept if {key: row.get(key) for key in wanted} == wanted]


def _drop_half_a_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if text and not text.endswith("\n"):
        path.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")


def _print(answered: Sequence[Mapping[str, Any]]) -> None:
    kinds = sorted({row["type"] for row in answered})
    for kind in ("all", *kinds):
        of_kind = [row for row in answered if kind in ("all", row["type"])]
        right = Mean.of([100.0 * row["right"] for row in of_kind])
        print(f"{kind:32}{right.questions:>5}  {right.value:>5.1f} % right ±{right.error:.1f}")


if __name__ == "__main__":
    sys.exit(main())
