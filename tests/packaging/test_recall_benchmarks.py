"""The recall benchmarks measure what they say, on sets that are made up here."""

from __future__ import annotations

import importlib
import json
import lzma
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from model_server import ModelServer, text

FOLDER = Path(__file__).parents[2] / "benchmarks" / "recall"
RANKED = ["a", "b", "c", "d", "e", "f"]


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs import each other by their file names."""
    monkeypatch.syspath_prepend(FOLDER)


def program(name: str) -> Any:
    return importlib.import_module(name)


def pack(path: Path, values: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(path, "wt") as lines:
        lines.writelines(json.dumps(value) + "\n" for value in values)


def said(number: int, session: int, day: str, role: str, words: str) -> dict[str, Any]:
    date = f"1:0{session} pm on {day}, 2023"
    name = f"session_{session}"
    return {
        "id": f"D{session}:{number}",
        "session": name,
        "date": date,
        "role": role,
        "text": words,
    }


def conversation(name: str, pet: str, trip: str) -> dict[str, Any]:
    units = [
        said(1, 1, "8 May", "Ana", f"I have a {pet} called Pixel now."),
        said(2, 1, "8 May", "Ben", "How lovely! Where did you get it?"),
        said(3, 1, "8 May", "Ana", "From the shelter in Porto."),
        said(1, 2, "2 June", "Ben", f"We are back from {trip}, it rained."),
        said(2, 2, "2 June", "Ana", "The rain was bad here too."),
    ]
    asked = [
        {"id": f"{name}-0", "type": "single-hop", "gold": ["D1:1"], "answer": pet},
        {"id": f"{name}-1", "type": "temporal", "gold": ["D2:1"], "answer": 2023},
        {"id": f"{name}-2", "type": "adversarial", "gold": ["D2:1"]},
    ]
    words = (f"What is Ana's {pet} called?", f"When was Ben in {trip}?", "Has Ana a boat?")
    questions = [{**row, "question": q} for row, q in zip(asked, words, strict=True)]
    return {"set": "locomo", "conversation": name, "units": units, "questions": questions}


HAY = [
    ("answer_1", [("user", "My bicycle is a red Nordwind.", True), ("assistant", "Nice!", False)]),
    ("b2", [("user", "What can I cook with leeks?", False), ("assistant", "A soup.", False)]),
    ("answer_3", [("user", "I sold the bicycle to Tomas.", True)]),
    ("d4", [("user", "My tomatoes have brown spots.", False)]),
]
ASKED = [
    ("q1", "knowledge-update", "Who has my bicycle now?", ["answer_1", "answer_3"], [0, 1, 2, 0]),
    ("q2_abs", "single-session-user", "What colour is my car?", ["b2"], [1, 3]),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Both sets as they are laid out, a few lines each."""
    folder = tmp_path / "data"
    conversations = [conversation("one", "cat", "Norway"), conversation("two", "parrot", "Kyoto")]
    pack(folder / "locomo" / "dev.jsonl.xz", conversations)
    sessions = [{"n": n, "id": name, "turns": turns} for n, (name, turns) in enumerate(HAY)]
    pack(folder / "longmemeval" / "sessions.jsonl.xz", sessions)
    # The newest stands first: haystacks are not all in order.
    questions = [
        {
            "id": name,
            "type": kind,
            "question": question,
            "answer": "Tomas",
            "date": "2023/08/01 (Tue) 10:00",
            "answer_sessions": gold,
            "haystack": [[n, f"2023/0{7 - n}/0{n + 1} (Sat) 09:3{n}"] for n in hay],
        }
        for name, kind, question, gold, hay in ASKED
    ]
    pack(folder / "longmemeval" / "questions.jsonl.xz", questions)
    return folder


@pytest.mark.parametrize(
    ("gold", "found"),
    [
        pytest.param("a", (1, 1, 1, 1, 1), id="the first"),
        pytest.param("f", (0, 1, 0, 1 / 6, 1 / math.log2(7)), id="the last"),
        pytest.param("z", (0, 0, 0, 0, 0), id="missing"),
        pytest.param(
            "bf",
            (0.5, 1, 1, 0.5, (1 / math.log2(3) + 1 / math.log2(7)) / (1 + 1 / math.log2(3))),
            id="two of two",
        ),
        pytest.param("az", (0.5, 0.5, 1, 1, 1 / (1 + 1 / math.log2(3))), id="one of two"),
    ],
)
def test_measures_are_those_computed_by_hand(gold: str, found: tuple[float, ...]) -> None:
    measured = program("measures").measured(RANKED, frozenset(gold))
    names = ("R@5", "R@10", "hit@5", "MRR", "nDCG@10")
    assert [measured[name] for name in names] == pytest.approx(found)


def test_an_ideal_order_of_more_gold_than_places_has_the_full_gain() -> None:
    ranked = [str(number) for number in range(20)]
    assert program("measures").ndcg(ranked, frozenset(ranked), 10) == pytest.approx(1)


def test_a_mean_has_the_standard_error_of_its_questions() -> None:
    mean = program("measures").Mean.of([0.0, 100.0, 100.0, 0.0])
    assert (mean.value, mean.questions) == (50.0, 4)
    assert mean.error == pytest.approx(math.sqrt(10_000 / 3 / 4))
    assert program("measures").Mean.of([]) == (0, 0, 0)


def test_percentiles_are_values_that_occurred() -> None:
    percentile = program("measures").percentile
    values = [float(value) for value in range(1, 101)]
    assert [percentile(values, share) for share in (0.5, 0.95, 1.0)] == [50, 95, 100]
    assert percentile([7.0], 0.95) == 7


def test_a_conversation_of_two_is_loaded_in_order_and_without_its_gold(data: Path) -> None:
    world = program("loading").locomo(data / "locomo" / "dev.jsonl.xz")[0]
    first, second = world.units[:2]
    assert (first.ref, first.session, first.role, first.speaker) == ("D1:1", "s0001", "user", "Ana")
    assert first.at.isoformat() == "2023-05-08T13:01:00+00:00" and first.at < second.at
    assert [sorted(question.gold) for question in world.questions] == [["D1:1"], ["D2:1"], []]
    assert [sorted(question.gold_sessions) for question in world.questions] == [
        ["s0001"],
        ["s0002"],
        [],
    ]
    assert world.questions[0].now.isoformat() == "2023-06-03T13:02:05+00:00"


def test_a_haystack_is_loaded_oldest_first_each_session_once_under_a_neutral_name(
    data: Path,
) -> None:
    known, absent = program("loading").longmemeval(data / "longmemeval")
    assert [unit.text[:12] for unit in known.units[:3]] == [
        "I sold the b",
        "What can I c",
        "A soup.",
    ]
    assert len(known.units) == 5
    shown = {text for unit in known.units for text in (unit.ref, unit.session, unit.text)}
    assert not [text for text in shown if "answer_" in text]
    by_ref = {unit.ref: unit.text for unit in known.units}
    assert {by_ref[ref][:9] for ref in known.questions[0].gold} == {"My bicycl", "I sold th"}
    assert known.questions[0].gold_sessions == {"s0001", "s0003"}
    assert absent.questions[0].type == "single-session-user_abs" and not absent.questions[0].gold


def test_the_merged_memory_holds_each_session_once(data: Path) -> None:
    (world,) = program("loading").longmemeval(data / "longmemeval", merged=True)
    assert len(world.units) == 6 and len({unit.session for unit in world.units}) == 4
    assert [len(question.gold) for question in world.questions] == [2, 0]


def run(name: str, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py"), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environ},
    )


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.requirement("R01")
def test_a_set_is_measured_for_memoro_and_what_it_is_compared_with(
    data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    systems = "memoro,fts5,bm25,static"
    options = ("--systems", systems, "--data", str(data), "--out", str(out))
    ended = run("run", "locomo", *options)
    assert ended.stderr == ""
    assert "locomo, turn level, 4 questions" in ended.stdout
    found = rows(out)
    assert len(found) == 4 * 4 * 2  # questions, systems, levels
    ours = [row for row in found if row["system"] == "memoro"]
    assert {row["measures"]["MRR"] for row in ours} == {1.0}, ours
    assert all(row["measures"]["R@10"] > 0 for row in found if row["system"] == "bm25")


@pytest.mark.requirement("Z10")
def test_made_up_words_bring_nothing(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    ended = run("run", "nonsense", "--data", str(data), "--out", str(out))
    assert ended.stderr == ""
    found = rows(out)
    assert {row["kind"] for row in found} >= {"own", "other", "salad", "unheard", "absent"}
    unheard = [row for row in found if row["kind"] == "unheard"]
    assert unheard and not [row for row in unheard if row["shown"]]


def test_weighing_a_signal_anew_orders_as_memoro_does(data: Path) -> None:
    ablation, ours = program("ablation"), program("ours")
    world = program("loading").locomo(data / "locomo" / "dev.jsonl.xz")[0]
    ranked = [found.turns for found in ours.memoro(world, 20)]
    cases = ablation.cases(world)
    assert [ablation.weighed(case, {}) for case in cases] == ranked[:2]
    words = {name for case in cases for one in case.candidates for name in one.reasons}
    silent = ablation.weighed(cases[0], dict.fromkeys(words, 0.0))
    assert sorted(silent) == sorted(ranked[0])


def test_a_larger_store_has_other_turns_than_the_set(data: Path) -> None:
    latency = program("latency")
    (world,) = program("loading").longmemeval(data / "longmemeval", merged=True)
    sessions = latency.grown(world)
    first = [next(sessions) for _ in range(4)]
    again = [next(sessions) for _ in range(4)]
    assert [unit for _, units in first for unit in units] == list(world.units)
    assert {name for name, _ in first}.isdisjoint(name for name, _ in again)
    assert [u.text for _, units in again for u in units] != [u.text for u in world.units]


def test_latency_is_measured_at_each_size(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    ended = run("latency", "--sizes", "4,9", "--data", str(data), "--out", str(out))
    assert ended.stderr == "" and ended.returncode == 0
    found = rows(out)
    assert [row["turns"] for row in found] == [4, 9]
    assert all(value > 0 for row in found for value in row.values())


def test_answers_are_judged_kept_and_not_asked_for_twice(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    options = ("--reader", "openai:reader", "--judge", "openai:judge", "--data", str(data))
    with ModelServer() as server:
        server.script(text("Tomas has it."), text("Yes."), text("It is blue."), text("no"))
        environ = {
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "k",
            "MEMORO_HOME": str(tmp_path / "home"),
        }
        ended = run("answers", *options, "--out", str(out), **environ)
        assert (ended.returncode, ended.stderr) == (0, "")
        asked = [json.dumps(request.body, ensure_ascii=False) for request in server.posts]
        assert "I sold the bicycle to Tomas." in asked[0] and "2023-08-01" in asked[0]
        assert not [body for body in asked if "answer_" in body]
        assert "Tomas has it." in asked[1] and "Reference: Tomas" in asked[1]
        assert "no answer in the conversations" in asked[3]
        # As if it had been killed within the second line.
        lines = out.read_text(encoding="utf-8").splitlines(keepends=True)
        out.write_text(lines[0] + lines[1][:40], encoding="utf-8")
        server.script(text("I don't know."), text("yes"))
        again = run("answers", *options, "--out", str(out), **environ)
        assert (again.returncode, len(server.posts)) == (0, 6)
        third = run("answers", *options, "--out", str(out), **environ)
        assert len(server.posts) == 6
    kept = rows(out)
    assert [(row["id"], row["right"], row["reply"]) for row in kept] == [
        ("q1", True, "Tomas has it."),
        ("q2_abs", True, "I don't know."),
    ]
    assert "100.0 % right" in third.stdout


def test_a_question_that_failed_is_told_and_asked_again(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    options = ("--reader", "openai:reader", "--data", str(data), "--limit", "1", "--out", str(out))
    with ModelServer() as server:
        environ = {
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "k",
            "MEMORO_HOME": str(tmp_path / "home"),
        }
        ended = run("answers", *options, **environ)
        assert ended.returncode == 1 and "q1" in ended.stderr
        assert "1 questions were not answered" in ended.stdout
        server.default = text("yes")
        assert run("answers", *options, **environ).returncode == 0
    assert [row["right"] for row in rows(out)] == [True]


@pytest.mark.parametrize(
    ("verdict", "right"),
    [
        ("yes", True),
        ("Yes.", True),
        ("**Yes**, it does", True),
        ("no", False),
        ("No, not yes", False),
        ("I know nothing", False),
        ("", False),
    ],
)
def test_a_verdict_is_its_first_yes_or_no(verdict: str, right: bool) -> None:
    assert program("answers").is_yes(verdict) is right


def test_a_baseline_that_is_unknown_is_named() -> None:
    ended = run("run", "locomo", "--systems", "memoro,elastic")
    assert ended.returncode == 2 and "elastic is none of memoro" in ended.stderr
