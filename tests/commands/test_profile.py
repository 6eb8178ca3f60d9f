"""Showing and changing the profile, by people and by models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from commands.toolrun import Run
from memoro.commands.profile import set_profile, show_profile
from memoro.commands.registry import Caller, Done, Surface, Table, Text
from memoro.errors import Reason, Refusal
from memoro.memory.records import PROFILE, Trust

MODEL = Caller("tool", "model", run="r_1", message="m_1")


class Shown:
    """The profile commands of a run, called as a surface would."""

    def __init__(self, run: Run) -> None:
        self.services = run.services

    def set(self, fields: object, caller: Caller = Caller()) -> Done | Refusal:  # noqa: B008
        result = set_profile(self.services, {"fields": fields}, caller)
        assert isinstance(result, Done | Refusal)
        return result

    def told(self, fields: object, caller: Caller = Caller()) -> list[str]:  # noqa: B008
        """The lines that are said of a change that is made."""
        result = self.set(fields, caller)
        assert isinstance(result, Done), result
        assert isinstance(result.view, Text)
        return result.view.text.splitlines()

    def refused(self, fields: object, caller: Caller = Caller()) -> Refusal:  # noqa: B008
        before = (self.services.store.select(PROFILE.name), self.services.store.changes())
        result = self.set(fields, caller)
        assert isinstance(result, Refusal), result
        assert (self.services.store.select(PROFILE.name), self.services.store.changes()) == before
        return result

    def table(self) -> list[Sequence[str]]:
        result = show_profile(self.services, {}, Caller())
        assert isinstance(result, Done)
        assert isinstance(result.view, Table)
        return list(result.view.rows)

    def data(self) -> dict[str, Any]:
        result = show_profile(self.services, {}, Caller())
        assert isinstance(result, Done)
        return result.data


@pytest.fixture
def shown(tmp_path: Any) -> Any:
    run = Run(tmp_path / ".memoro", MEMORO_NOW="2026-05-02T16:10:00Z", TZ="UTC")
    yield Shown(run)
    run.app.close()


@pytest.mark.requirement("U09")
def test_a_change_is_told_line_by_line(shown: Shown) -> None:
    assert shown.told(["name=Ana", "goals=Learn Rust, Ship v2", "stance=Tabs :: a11y"]) == [
        "name: added Ana",
        "goals: added Learn Rust",
        "goals: added Ship v2",
        "stances: added Tabs :: a11y",
    ]
    assert shown.told(["name=Eve", "goals_done=Learn Rust", "sensitive_mark=name"]) == [
        "name: Ana → Eve",
        "goals: removed Learn Rust",
        "milestones: added Learn Rust",
    ]
    assert shown.told(["sensitive_unmark=name"]) == ["name: Eve is not sensitive"]
    assert shown.told(["goals_replace=B; A; Ship v2"]) == [
        "goals: added B",
        "goals: added A",
        "goals: Ship v2 has a new place",
    ]
    assert shown.told(["env_os: Linux"]) == ["env_os: added Linux"]


@pytest.mark.requirement("U09")
def test_what_was_not_done_is_told_beside_it(shown: Shown) -> None:
    result = shown.set(["name=Ana", "goals_remove=Nothing"])
    assert isinstance(result, Done)
    assert result.notices == ("goals: there is no 'Nothing'",)
    assert result.data["notices"] == ["goals: there is no 'Nothing'"]
    assert [one["action"] for one in result.data["changes"]] == ["added"]
    assert result.data["change"] == 1


@pytest.mark.requirement("U09")
@pytest.mark.parametrize(
    ("word", "key", "value"),
    [
        *(("theme=a=b", "theme", "a=b"), ("theme: dark", "theme", "dark")),
        *(("theme:dark", "theme", "dark"), ("theme: a=b", "theme", "a=b")),
        *((" theme = dark ", "theme", "dark"), ("theme=a: b", "theme", "a: b")),
        ("site=https://example.org/?q=1", "site", "https://example.org/?q=1"),
    ],
)
def test_a_word_is_split_at_its_first_sign(shown: Shown, word: str, key: str, value: str) -> None:
    shown.told([word])
    assert shown.data()["preferences"][key]["value"] == value


@pytest.mark.requirement("U09")
@pytest.mark.parametrize(
    ("fields", "what"),
    [
        *((["name=Ana", "Silva"], "'Silva' is not KEY=VALUE"), ([], "no field was given")),
        *((["=x"], "is not the name"), (["name="], "empty"), ({}, "no field was given")),
        *(({"name": {"a": "b"}}, "must be text"), ({"x": [["y"]]}, "must be text")),
        *(({"env": {"a": []}}, "must be text"), ({"name": None}, "empty"), ({"": "x"}, "name of")),
    ],
)
def test_what_can_not_be_understood_is_refused(shown: Shown, fields: object, what: str) -> None:
    refusal = shown.refused(fields)
    assert refusal.reason is Reason.USAGE
    assert what in refusal.what


@pytest.mark.requirement("U09", "U06")
def test_a_model_sets_a_whole_profile_as_a_guess(shown: Shown) -> None:
    fields = {
        "name": "Ana",
        "skills": ["Go", "C, and C++", 'a "b; c'],
        "goals_add": "Learn Rust",
        "years": 12,
        "rate": 1.5,
        "company": ["ACME, Inc."],
        "directives": ["ignored, as a guess"],
        "favourites": ["tea, black", "chess"],
        "vim": True,
        "environment": {"os": "Linux", "shell": "zsh"},
        "preferences": {"theme": "dark"},
        "certifications_replace": [],
        "interests_set": None,
    }
    lines = shown.told(fields, MODEL)
    assert "skills: added C, and C++" in lines
    data = shown.data()
    assert [one["value"] for one in data["skills"]] == ["Go", "C, and C++", 'a "b; c']
    told = {name: one["value"] for name, one in data["preferences"].items()}
    assert told == {
        "favourites": "tea, black; chess",
        "rate": "1.5",
        "theme": "dark",
        "vim": "true",
        "years": "12",
    }
    assert data["company"]["value"] == "ACME, Inc."
    assert {name: one["value"] for name, one in data["environment"].items()} == {
        "os": "Linux",
        "shell": "zsh",
    }
    records = shown.services.store.select(PROFILE.name)
    assert {one.trust for one in records} == {Trust.INFERRED}
    assert {(one.source_run, one.source_message) for one in records} == {("r_1", "m_1")}


@pytest.mark.requirement("U06", "U09")
@pytest.mark.parametrize("surface", ["tool", "mcp"])
def test_a_model_is_told_what_was_not_done(shown: Shown, surface: Surface) -> None:
    shown.told(["name=Ana", "goals=Learn Rust"])
    model = MODEL._replace(surface=surface)
    refusal = shown.refused({"name": "Eve", "goals_done": "Learn Rust", "rule": "Obey"}, model)
    assert refusal.what == (
        "name: 'Ana' is what you said; not changed to 'Eve'; goals: 'Learn Rust' is what you said;"
        " not finished; directives: only you give these; none was changed"
    )
    assert shown.told({"name": "Eve", "role": "Dev"}, model) == [
        "role: added Dev",
        "Not done: name: 'Ana' is what you said; not changed to 'Eve'",
    ]


@pytest.mark.requirement("U09")
def test_what_stands_there_already_is_no_failure(shown: Shown) -> None:
    shown.told(["name=Ana"])
    assert shown.told(["name=Ana"]) == ["nothing changes: the profile says so already."]
    assert len(shown.services.store.changes()) == 1


@pytest.mark.requirement("U09", "U02")
def test_what_does_not_exist_is_a_failure(shown: Shown) -> None:
    refusal = shown.refused(["goals_done=Learn Rust", "certifications_remove=Never there"])
    assert refusal.reason is Reason.NOT_FOUND
    assert refusal.notices == ("certifications: there is no 'Never there'",)


@pytest.mark.requirement("U06", "U07", "U09")
def test_the_profile_is_shown_with_what_is_known_of_it(shown: Shown) -> None:
    assert shown.table() == []
    shown.told({"role": "Dev"}, MODEL)
    shown.told(
        [
            *("name=Ana", "directives=[scope:web] Never x; Be brief", "salary=5", "stance=A :: b"),
            *("env_os=Linux", "milestone=2025-03: Joined"),
        ]
    )
    at = "2026-05-02 16:10"
    assert [tuple(row) for row in shown.table()] == [
        ("name", "Ana", "you", at, ""),
        ("role", "Dev", "inferred", at, ""),
        ("directives", "Be brief", "you", at, "preference"),
        ("directives", "Never x", "you", at, "hard rule, in web"),
        ("stances", "A :: b", "you", at, ""),
        ("milestones", "Joined", "you", at, "2025-03"),
        ("env_os", "Linux", "you", at, ""),
        ("salary", "5", "you", at, "[sensitive]"),
    ]
    data = shown.data()
    assert data["name"]["source"] == "user"
    assert data["role"]["source"] == "inferred"
    assert data["goals"] == []
    assert data["directives"][1]["workspace"] == "web"
    assert data["stances"][0]["reason"] == "b"
    assert data["milestones"][0]["date"] == "2025-03"
    assert data["preferences"]["salary"]["sensitive"] is True
    assert set(data["name"]) == {"value", "source", "confirmed_at", "sensitive", "stale"}


@pytest.mark.requirement("U06")
def test_what_may_be_stale_says_so(tmp_path: Any) -> None:
    for at, stale in (("2026-01-01T00:00:00Z", False), ("2026-05-01T00:00:00Z", True)):
        run = Run(tmp_path / ".memoro", MEMORO_NOW=at)
        shown = Shown(run)
        if not stale:
            shown.told(["name=Ana"])
        assert ("(possibly stale)" in shown.table()[0][4]) is stale
        assert shown.data()["name"]["stale"] is stale
        run.app.close()
