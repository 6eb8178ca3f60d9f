"""The tools of a run: how they are offered, and what is checked again when one is called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commands.toolrun import NULLS, WEB, Run
from memoro.commands import note
from memoro.commands.learned import declared
from memoro.commands.prompting import TOOL_GROUPS
from memoro.commands.toolbox import access_of, render_tools
from memoro.errors import StoreError
from memoro.memory.records import SAVED_FACT, project_scope

# --- how they are offered -----------------------------------------------------------------


@pytest.mark.requirement("P07")
def test_the_memory_tool_as_it_is_offered() -> None:
    spec, _ = render_tools(declared.GROUP, "full")
    assert spec.name == "memory"
    for words in ("remember: ", "replace: ", "forget: "):
        assert words in spec.description
    assert "list" not in spec.description
    assert spec.schema == {
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["remember", "replace", "forget"]},
            "key": {"type": "string", "description": "the fact's key, for example answer.style"},
            "value": {
                "type": ["string", "null"],
                "description": "what to remember, at most 4,096 bytes",
            },
        },
        "required": ["action", "key", "value"],
        "additionalProperties": False,
    }


@pytest.mark.requirement("P29")
def test_the_notes_tool_as_it_is_offered() -> None:
    (spec,) = render_tools(note.GROUP, "full")
    text, number = ["string", "null"], ["integer", "null"]
    assert spec.name == "notes"
    assert spec.schema == {
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["add", "show", "search"]},
            "title": {"type": text, "description": "its title, one line"},
            "text": {"type": text, "description": "its text"},
            "id": {"type": text, "description": "the note's ID"},
            "offset": {"type": number, "description": "the byte to start from"},
            "query": {"type": text, "description": "the words"},
        },
        "required": ["action", "title", "text", "id", "offset", "query"],
        "additionalProperties": False,
    }


@pytest.mark.requirement("P18")
def test_a_scheduled_run_is_offered_readers_alone(run: Run) -> None:
    assert access_of("scheduled") == "read-only"
    assert access_of("chat") == "full"
    tools = run.begin(kind="scheduled")
    offered = {spec.name: spec.schema["properties"]["action"]["enum"] for spec in tools.specs}
    assert offered == {
        "learned_memory": ["recall", "timeline", "neighbors", "map"],
        "notes": ["show", "search"],
    }
    assert tools.prompts == ["learned", "notes"]
    assert [one.name for one in run.begin().specs] == ["memory", "learned_memory", "notes"]


@pytest.mark.requirement("P17", "P18")
def test_no_tool_can_name_a_scope_a_run_a_file_or_a_credential() -> None:
    offered = [spec for group in TOOL_GROUPS for spec in render_tools(group, "full")]
    names = {name for spec in offered for name in spec.schema["properties"]}
    assert names == {
        *("action", "key", "value", "title", "text", "id", "offset", "query", "category"),
        # A filter of what the run may see anyway, by a name that an episode was given.
        "project",
        *("fields", "from", "to", "limit", "as_of", "subject"),
    }


# --- what is checked when one is called ---------------------------------------------------


@pytest.mark.requirement("P07", "P11", "P12")
def test_a_model_remembers_replaces_and_forgets(run: Run) -> None:
    result = run.memory("remember", "tone", "SECRET-1")
    assert (result.outcome, result.text) == ("done", "Remembered tone.")
    run.begin(run="r_2")
    result = run.memory("replace", "tone", "SECRET-2")
    assert (result.outcome, result.text) == ("done", "Replaced tone.")
    (fact,) = run.services.store.select(SAVED_FACT.name)
    assert (fact.text, fact.source_run, fact.source_message) == ("SECRET-2", "r_2", "m_of_r_2")
    run.begin(run="r_3")
    result = run.memory("forget", "tone", None)
    assert result.outcome == "done"
    assert "SECRET" not in result.text
    assert run.facts() == {}
    logged = [(one.action, one.writer, one.run) for one in run.services.store.changes()]
    assert logged == [
        ("forget", "model", "r_3"),
        ("replace", "model", "r_2"),
        ("remember", "model", "r_1"),
    ]


GOOD = '"action": "remember", "key": "k", "value": "v"'


def with_more(more: str) -> str:
    """Good arguments and something else."""
    return "{" + GOOD + ", " + more + "}"


@pytest.mark.requirement("P09")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("", "not a JSON object"),
        ("not JSON", "not a JSON object"),
        ("{" + GOOD, "not a JSON object"),
        ("[]", "not a JSON object"),
        ('"remember"', "not a JSON object"),
        ("null", "not a JSON object"),
        ("[" * 100_000, "not a JSON object"),
        ("{}", "action must be one of remember, replace, forget"),
        ('{"action": null, "key": "k", "value": "v"}', "action must be"),
        ('{"action": 1, "key": "k", "value": "v"}', "action must be"),
        ('{"action": ["remember"], "key": "k", "value": "v"}', "action must be"),
        ('{"action": "list", "key": "k", "value": null}', "action must be"),
        ('{"action": "undo", "key": "k", "value": null}', "action must be"),
        ('{"action": "Remember", "key": "k", "value": "v"}', "action must be"),
        ('{"action": "remember", "key": "k"}', "value is missing"),
        ('{"action": "remember", "value": "v"}', "key is missing"),
        ('{"action": "remember", "key": "k", "value": null}', "value must not be null"),
        ('{"action": "replace", "key": "there", "value": null}', "value must not be null"),
        ('{"action": "remember", "key": null, "value": "v"}', "key must not be null"),
        ('{"action": "forget", "key": "there"}', "value is missing"),
        ('{"action": "forget", "key": "there", "value": "old"}', "value must be null"),
        ('{"action": "forget", "key": "there", "value": ""}', "value must be null"),
        ('{"action": "forget", "key": null, "value": null}', "key must not be null"),
        ('{"action": "remember", "key": 5, "value": "v"}', "key must be of type string"),
        ('{"action": "remember", "key": "k", "value": 5}', "value must be of type string"),
        ('{"action": "remember", "key": "k", "value": true}', "value must be of type string"),
        ('{"action": "remember", "key": "k", "value": ["v"]}', "value must be of type string"),
        ('{"action": "remember", "key": "k", "value": {"a": 1}}', "value must be of type string"),
        ('{"action": "remember", "key": "k", "value": NaN}', "value must be of type string"),
        (with_more('"run": "r_9"'), "unknown argument 'run'"),
        (with_more('"source_run": "r_9"'), "unknown argument 'source_run'"),
        (with_more('"scope": "global"'), "unknown argument 'scope'"),
        (with_more('"project": null'), "unknown argument 'project'"),
        ('{"action": "forget", "key": "there", "value": null, "from_log": true}', "from_log"),
        (with_more('"\\udcff": 1'), "unknown argument '\\udcff'"),
        ('{"action": "remember", "key": "k", "value": "\\ud800"}', "value is not valid UTF-8"),
        ('{"action": "remember", "key": "\\ud800", "value": "v"}', "key is not valid UTF-8"),
    ],
)
def test_arguments_that_are_refused(run: Run, arguments: str, told: str) -> None:
    run.memory("remember", "there", "old")
    assert told in run.refused("memory", arguments)


@pytest.mark.requirement("P03", "P04", "P09")
@pytest.mark.parametrize(
    ("action", "key", "value", "told"),
    [
        ("remember", "there", "new", "already a fact there"),
        ("replace", "nope", "new", "no fact nope"),
        ("forget", "nope", None, "no fact nope"),
        ("forget", "*", None, "is not a key"),
        ("remember", "a b", "v", "is not a key"),
        ("remember", "k" * 129, "v", "129 characters"),
        ("remember", "k", "", "empty"),
        ("remember", "k", "\u200b", "empty"),
        ("remember", "k", " v", "before or after"),
        ("remember", "k", "a\0b", "NUL"),
        ("remember", "k", "漢" * 1366, "4,098 bytes"),
        ("replace", "there", "v" * 4097, "4,097 bytes"),
    ],
)
def test_the_rules_of_the_command_line_hold(
    run: Run, action: str, key: str, value: str | None, told: str
) -> None:
    run.memory("remember", "there", "old")
    text = run.refused("memory", {"action": action, "key": key, "value": value})
    assert told in text


@pytest.mark.requirement("P12")
@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "remember", "key": "there", "value": "ZEBRA"},
        {"action": "replace", "key": "nope", "value": "ZEBRA"},
        {"action": "remember", "key": "k", "value": " ZEBRA"},
        {"action": "remember", "key": "k", "value": "ZEBRA" * 1000},
        {"action": "remember", "key": "k", "value": ["ZEBRA"]},
        {"action": "forget", "key": "there", "value": "ZEBRA"},
        {"action": "remember", "key": "k", "value": "ZEBRA", "more": "ZEBRA"},
    ],
)
def test_no_answer_repeats_the_value(run: Run, arguments: dict[str, Any]) -> None:
    run.memory("remember", "there", "QUAGGA")
    text = run.refused("memory", arguments)
    assert "ZEBRA" not in text
    assert "QUAGGA" not in text


@pytest.mark.requirement("P09")
@pytest.mark.parametrize("name", ["", "Memory", "note", "project", "config", "shell", "a\n\ud800"])
def test_only_the_tools_of_the_run_exist(run: Run, name: str) -> None:
    assert "there is no tool" in run.refused(name, {"action": "remember", "key": "k", "value": "v"})


@pytest.mark.requirement("P18", "P09")
def test_a_scheduled_run_writes_nothing_whatever_it_calls(run: Run) -> None:
    shown = run.notes("add", title="t", text="x")
    assert shown.outcome == "done"
    run.memory("remember", "there", "old")
    run.begin(kind="scheduled")
    for action, value in (("remember", "v"), ("replace", "v"), ("forget", None)):
        arguments = {"action": action, "key": "there", "value": value}
        assert "no tool 'memory'" in run.refused("memory", arguments)
    assert "action must be one of show, search" in run.refused(
        "notes", {"action": "add", **NULLS, "title": "t", "text": "x"}
    )
    readers = {"action": "search", "id": None, "offset": None, "query": "x"}
    assert run.call("notes", readers).outcome == "done"


@pytest.mark.requirement("P12")
def test_the_next_snapshot_has_to_fit_its_budget(tmp_path: Path) -> None:
    run = Run(tmp_path, MEMORO_FACTS_BYTES="30")
    assert run.memory("remember", "a", "x" * 25).outcome == "done"
    text = run.refused("memory", {"action": "remember", "key": "b", "value": "y"})
    assert "37 bytes" in text
    assert "30" in text
    text = run.refused("memory", {"action": "replace", "key": "a", "value": "x" * 26})
    assert "31 bytes" in text
    assert run.memory("replace", "a", "short").outcome == "done"
    assert run.memory("remember", "b", "y").outcome == "done"
    assert run.memory("forget", "a", None).outcome == "done"
    run.app.close()


@pytest.mark.requirement("P12", "P20")
def test_the_budget_of_a_project_is_8_kib_whatever_the_setting(tmp_path: Path) -> None:
    run = Run(tmp_path, MEMORO_FACTS_BYTES="10")
    run.begin(WEB)
    overhead = len("- a: ") + len("\n- b: ")
    assert run.memory("remember", "a", "x" * 4096).outcome == "done"
    rest = 8192 - 4096 - overhead
    text = run.refused("memory", {"action": "remember", "key": "b", "value": "y" * (rest + 1)})
    assert "8,193 bytes" in text
    assert "in project web" in text
    assert run.memory("remember", "b", "y" * rest).outcome == "done"
    run.app.close()


@pytest.mark.requirement("P11", "P20")
def test_a_project_run_reaches_its_own_facts_alone(run: Run) -> None:
    run.memory("remember", "shared", "global")
    run.begin(project_scope("other"))
    run.memory("remember", "shared", "other")
    run.begin(WEB, run="r_web")
    assert "no fact shared in project web" in run.refused(
        "memory", {"action": "forget", "key": "shared", "value": None}
    )
    assert run.memory("remember", "shared", "web").outcome == "done"
    assert run.memory("replace", "shared", "web 2").outcome == "done"
    assert run.facts() == {"shared": "global"}
    assert run.facts(project_scope("other")) == {"shared": "other"}
    (fact,) = run.services.store.select(SAVED_FACT.name, WEB)
    assert (fact.text, fact.source_run) == ("web 2", "r_web")
    assert run.memory("forget", "shared", None).outcome == "done"
    assert run.facts() == {"shared": "global"}


@pytest.mark.requirement("P09")
def test_a_broken_store_is_not_told_as_a_refusal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(run.services.store, "apply", broken)
    with pytest.raises(StoreError, match="the disk is gone"):
        run.memory("remember", "k", "v")
