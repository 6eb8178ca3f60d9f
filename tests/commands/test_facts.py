"""`memoro memory remember|replace|forget`: what is saved, what is refused, and how that is told."""

from __future__ import annotations

import json

import pytest

from commands.here import Here
from memoro import Memory

NO_MODEL = {"MEMORO_MODEL": "", "http_proxy": "http://127.0.0.1:9", "https_proxy": "x"}

C07 = [
    ("a" * 4096, True),
    ("a" * 4097, False),
    ("漢" * 1365, True),
    ("漢" * 1366, False),
    ("😀" * 1024, True),
]
C26 = (
    "The gate seven probe entry was stored for a trial and can go.",
    "The temperature probe in hall two is the reference; never remove it.",
    "Gate seven opened to the public on the third of March.",
)


@pytest.mark.requirement("P01", "P03")
def test_the_four_commands_need_no_model_and_no_network(here: Here) -> None:
    here.ok("memory", "remember", "tone", "brief", env=NO_MODEL)
    assert "tone\tbrief\t" in here.ok("memory", "list", env=NO_MODEL).out
    here.ok("memory", "replace", "tone", "long", env=NO_MODEL)
    assert here.facts() == {"tone": "long"}
    here.ok("memory", "forget", "tone", env=NO_MODEL)
    assert here.facts() == {}


@pytest.mark.requirement("P03")
def test_remember_refuses_an_existing_key(here: Here) -> None:
    here.ok("memory", "remember", "answer.style", "X")
    ran = here.refused("memory", "remember", "answer.style", "X")
    assert ran.code == 4
    assert "there is already a fact answer.style" in ran.err
    assert "memoro memory replace answer.style VALUE" in ran.err
    assert here.refused("memory", "remember", "answer.style", "Y").code == 4
    assert here.facts() == {"answer.style": "X"}


@pytest.mark.requirement("P03")
@pytest.mark.parametrize("words", [("replace", "nope", "v"), ("forget", "nope")])
def test_replace_and_forget_refuse_a_missing_key(here: Here, words: tuple[str, ...]) -> None:
    here.ok("memory", "remember", "other", "v")
    ran = here.refused("memory", *words)
    assert ran.code == 3
    assert "there is no fact nope" in ran.err


@pytest.mark.requirement("P04")
@pytest.mark.parametrize(
    "key", ["", " ", "*", "%", "a b", "é", "名前", "a\n", ".a", "-", "a/b", "аpple"]
)
def test_what_is_no_key_is_a_usage_error(here: Here, key: str) -> None:
    for words in (("remember", key, "v"), ("replace", key, "v"), ("forget", key)):
        ran = here.refused("memory", *words)
        assert ran.code == 2
        assert "is not a key" in ran.err


@pytest.mark.requirement("P04")
def test_a_key_may_have_128_characters(here: Here) -> None:
    here.ok("memory", "remember", "k" * 128, "v")
    ran = here.refused("memory", "remember", "k" * 129, "v")
    assert ran.code == 7
    assert "129 characters; at most 128" in ran.err
    assert here.facts() == {"k" * 128: "v"}


@pytest.mark.requirement("P04")
def test_values_are_limited_in_bytes(here: Here) -> None:
    for number, (value, fits) in enumerate(C07):
        words = ("memory", "remember", f"v{number}", value)
        if fits:
            here.ok(*words)
            continue
        ran = here.refused(*words)
        assert ran.code == 7
        assert f"{len(value.encode()):,} bytes" in ran.err
        assert "4,096" in ran.err
    assert here.facts() == {f"v{number}": one for number, (one, fits) in enumerate(C07) if fits}


@pytest.mark.requirement("P04")
@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("\n", "empty"),
        ("\u200b", "empty"),
        (" x ", "before or after"),
        ("x\n", "before or after"),
        ("\udcff", "UTF-8"),
    ],
)
def test_blank_and_padded_values_are_refused(here: Here, value: str, told: str) -> None:
    here.ok("memory", "remember", "there", "v")
    for verb, key in (("remember", "new"), ("replace", "there")):
        ran = here.refused("memory", verb, key, value)
        assert ran.code == 2
        assert told in ran.err


@pytest.mark.requirement("P04")
def test_a_value_is_needed(here: Here) -> None:
    ran = here.refused("memory", "remember", "key")
    assert ran.code == 2
    assert "VALUE" in ran.err
    assert here.refused("memory", "remember", "--", "key", "--").code == 2


@pytest.mark.requirement("P04")
@pytest.mark.parametrize("value", ["-5", "a -x", "*", "null", "-", "C:\\new\\table", "@x", "--x"])
def test_values_that_look_like_something_else(here: Here, value: str) -> None:
    here.ok("memory", "remember", "--", "key", value)
    assert here.facts() == {"key": value}


@pytest.mark.requirement("P03", "P04")
@pytest.mark.parametrize("key", ["gate", "gate.seven", "gate-seven-prob", "", " ", "*", "%", "g%"])
def test_forgetting_needs_the_exact_key(here: Here, key: str) -> None:
    for name, value in zip(("gate-seven-probe", "probe", "gate-seven"), C26, strict=True):
        here.ok("memory", "remember", name, value)
    ran = here.refused("memory", "forget", key)
    assert ran.code == (3 if key.startswith("gate") else 2)
    here.ok("memory", "forget", "gate-seven-probe")
    assert here.facts() == {"probe": C26[1], "gate-seven": C26[2]}


@pytest.mark.requirement("P04", "P19")
def test_a_scope_takes_128_facts(here: Here) -> None:
    here.ok("project", "add", "web")
    here.fill(127)
    here.fill(127, project="web")
    for scope in ((), ("--project", "web")):
        here.ok("memory", "remember", *scope, "last", "v")
        ran = here.refused("memory", "remember", *scope, "more", "v")
        assert ran.code == 7
        assert "128" in ran.err
        assert "memory forget" in ran.err
        assert len(here.facts(*scope)) == 128
        here.ok("memory", "replace", *scope, "last", "w")
    here.ok("memory", "forget", "last")
    here.ok("memory", "remember", "more", "v")


@pytest.mark.requirement("P12")
def test_a_budget_only_warns_on_the_command_line(here: Here) -> None:
    small = {"MEMORO_FACTS_BYTES": "40"}
    assert here.ok("memory", "remember", "a", "x" * 35, env=small).err == ""
    ran = here.ok("memory", "remember", "b", "y", env=small)
    assert "47 bytes" in ran.err
    assert "MEMORO_FACTS_BYTES is raised to 47" in ran.err
    assert here.ok("memory", "replace", "b", "yy", env=small).err.startswith("memoro: ")
    assert here.ok("memory", "replace", "b", "yy", "-q", env=small).err == ""
    assert here.facts() == {"a": "x" * 35, "b": "yy"}
    here.ok("memory", "replace", "a", "x")
    ran = here.ok("memory", "undo", env=small)
    assert "48 bytes" in ran.err


@pytest.mark.requirement("P12", "P20")
def test_a_projects_budget_is_fixed(here: Here) -> None:
    here.ok("project", "add", "web")
    large = {"MEMORO_FACTS_BYTES": "1000000"}
    here.ok("memory", "remember", "--project", "web", "a", "x" * 4096, env=large)
    ran = here.ok("memory", "remember", "--project", "web", "b", "x" * 4096, env=large)
    assert "8,192" in ran.err
    assert "MEMORO_FACTS_BYTES" not in ran.err
    assert here.ok("memory", "remember", "a", "x" * 4096).err == ""


@pytest.mark.requirement("P01")
def test_a_budget_that_is_no_number_stops_no_command(here: Here) -> None:
    ran = here.ok("memory", "remember", "a", "v", env={"MEMORO_FACTS_BYTES": "many"})
    assert "MEMORO_FACTS_BYTES='many'" in ran.err
    assert here.facts() == {"a": "v"}


@pytest.mark.requirement("P05")
def test_what_is_said_after_a_change(here: Here) -> None:
    assert here.ok("memory", "remember", "a", "secret-1").out == "Remembered a.\n"
    assert here.ok("memory", "replace", "a", "secret-2").out == "Replaced a.\n"
    assert here.ok("memory", "replace", "a", "secret-3", "--quiet").out == ""
    given = here.json("memory", "replace", "a", "secret-4")
    assert set(given) == {
        *("scope", "key", "value", "created_at", "updated_at", "source_run", "change")
    }
    assert (given["value"], given["change"], given["source_run"]) == ("secret-4", 4, None)
    ran = here.ok("memory", "forget", "a")
    assert ran.out.startswith("Forgot a for good.")
    assert "not redacted" in ran.out
    with Memory.open(here.home) as memory:
        memory.remember("b", "v")
    given = here.json("memory", "forget", "b")
    assert given == {"scope": "global", "key": "b", "change": 7, "remains": []}


@pytest.mark.requirement("P16")
def test_what_was_forgotten_is_in_no_file(here: Here) -> None:
    here.ok("memory", "remember", "a", "ZEBRA-9431")
    here.ok("memory", "replace", "a", "ZEBRA-9432")
    here.ok("memory", "undo")
    here.ok("memory", "remember", "kept", "QUAGGA-1")
    assert here.holds("ZEBRA-943")
    here.ok("memory", "forget", "a")
    assert here.holds("ZEBRA-943") == []
    assert here.holds("QUAGGA-1")
    assert here.facts() == {"kept": "QUAGGA-1"}
    entry = here.json("memory", "history", "a")[0]
    assert (entry["action"], entry["final"], entry["writer"]) == ("forget", True, "command line")
    assert "ZEBRA" not in json.dumps(here.json("memory", "log"))


@pytest.mark.requirement("P16")
def test_a_key_that_only_the_log_still_knows(here: Here) -> None:
    here.ok("memory", "remember", "a", "ZEBRA-9431")
    here.ok("memory", "undo")
    ran = here.refused("memory", "forget", "a")
    assert ran.code == 3
    assert "memoro memory forget a --from-log" in ran.err
    here.ok("memory", "forget", "a", "--from-log")
    assert here.holds("ZEBRA") == []
    assert here.refused("memory", "forget", "a", "--from-log").code == 3
    assert "--from-log" not in here.refused("memory", "forget", "a").err


@pytest.mark.requirement("P16")
def test_forgetting_takes_older_records_of_the_key_along(here: Here) -> None:
    here.ok("memory", "remember", "a", "ZEBRA-9431")
    here.ok("memory", "undo")
    here.ok("memory", "remember", "a", "second")
    here.ok("memory", "forget", "a")
    assert here.holds("ZEBRA") == []


@pytest.mark.requirement("P16", "P19")
def test_forgetting_stays_in_its_scope(here: Here) -> None:
    here.ok("project", "add", "web")
    here.ok("memory", "remember", "a", "HERE-1")
    here.ok("memory", "remember", "--project", "web", "a", "THERE-1")
    assert here.refused("memory", "forget", "--project", "other", "a").code == 3
    here.ok("memory", "forget", "--project", "web", "a")
    assert here.facts() == {"a": "HERE-1"}
    assert here.facts("--project", "web") == {}
    assert here.holds("THERE-1") == []
    assert here.holds("HERE-1")
