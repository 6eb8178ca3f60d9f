"""What others got wrong: a deleted memory that lives on in copies, and a deletion that takes more
than was meant. And what a person types who is careless, or means harm."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from commands.erasing import holders
from commands.here import Here
from memoro import Memory, Turn
from store.embedding_server import EmbeddingServer

NOON = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
TOKEN = "ZEBRA-9431"
TEXT = f"The zebra gate of Porto opens with {TOKEN}"

# A deleted memory lives on in vectors, graph and copies


@pytest.fixture(params=["the one built in", "a provider's"])
def embedded(here: Here, request: pytest.FixtureRequest) -> Iterator[Here]:
    """A memory whose vectors one of the embedders makes."""
    if request.param == "the one built in":
        yield here
        return
    with EmbeddingServer(384) as server:
        here.ok("config", "set", "embed_provider", "openai")
        here.ok("config", "set", "embed_base_url", server.url)
        here.ok("config", "set", "embed_model", "bag")
        yield here
        assert any(TOKEN in text for text in server.texts)


def learned(here: Here) -> str:
    """The ID of the fact, that is in all places which there are."""
    fact = str(here.json("memory", "learn", TEXT)["id"])
    here.ok("memory", "learn", "The zoo of Porto opens at nine")
    here.ok("memory", "learn", "Porto lies at the Douro")
    here.ok("memory", "reindex", "--missing")
    assert here.json("recall", "zebra")["hits"][0]["id"] == fact
    assert "No match" not in here.ok("memory", "neighbors", fact).out
    here.ok("memory", "mirror")
    assert TOKEN in (here.home / "memory" / "MEMORY.md").read_text()
    return fact


def rows(here: Here, sql: str, *values: str) -> list[Any]:
    connection = apsw.Connection(str(here.home / "memory.db"))
    try:
        return connection.execute(sql, values).fetchall()
    finally:
        connection.close()


@pytest.mark.requirement("Z04", "P16", "F09")
@pytest.mark.parametrize("options", [(), ("--verify",), ("--everywhere", "--verify", "--yes")])
def test_a_forgotten_memory_lives_on_in_no_copy(embedded: Here, options: tuple[str, ...]) -> None:
    fact = learned(embedded)
    sql = "SELECT v.data FROM derived_vectors v JOIN derived_units u ON u.id = v.unit"
    vectors = [bytes(one) for (one,) in rows(embedded, f"{sql} WHERE u.owner = ?", fact)]
    assert vectors
    assert rows(embedded, "SELECT 1 FROM derived_nodes WHERE name = ?", fact)
    backups = list((embedded.home / "backups").glob("*.db"))
    assert backups

    embedded.ok("memory", "forget", fact, *options)

    assert holders(embedded.home, TOKEN, "zebra gate") == []
    held = b"".join(one.read_bytes() for one in embedded.home.rglob("*") if one.is_file())
    assert not any(one in held for one in vectors)
    for table, column in (
        ("records", "id"),
        ("derived_units", "owner"),
        ("derived_nodes", "name"),
        ("derived_mirror_lines", "record"),
    ):
        assert rows(embedded, f"SELECT 1 FROM {table} WHERE {column} = ?", fact) == []
    for path in holders(embedded.home, fact):
        # That something had this ID, and was forgotten, is what the log keeps.
        assert Path(path).name == "memory.db" or path in map(str, backups), path
    assert not any(
        "zebra" in one["text"].lower() for one in embedded.json("recall", "zebra")["hits"]
    )
    assert "No match" in embedded.ok("memory", "neighbors", fact).out
    assert "zebra" not in embedded.ok("memory", "neighbors", "Porto").out.lower()
    for one in embedded.json("memory", "facts"):
        assert fact not in embedded.ok("memory", "neighbors", one["id"]).out
    assert len(embedded.json("memory", "facts")) == 2
    assert embedded("doctor").code == 0


# Forget removes far more than was meant

LINES = (
    "The gate nine probe entry was kept for a test and may be dropped.",
    "The pressure probe in shed four is the standard; keep it for good.",
    "Gate nine was shown to visitors on the fifth of April.",
)
BAD = (
    *("", " ", "   ", "\n", "*", "%", "_", "?", ".", "..", "/", "*.*", "%%", "\\", "\\0", "\\x00"),
    *("\\u0000", "%00", "'; DROP TABLE records; --", '" OR "1"="1', "' OR 1=1 --", "nine OR probe"),
    *("pro%", "p_obe", "gate nine probes", "agate", "\u200b", "\u202e", "\ud83e\udd93"),
    *("-", "--", "$(id)", "`id`", "null", "None", "0", "-1", "a" * 10_000, "probe " * 2_000 + "no"),
)


@pytest.fixture
def three(here: Here) -> Here:
    """The three facts, a saved one, a note, a project with its own, a conversation."""
    for text in LINES:
        here.ok("memory", "learn", text)
    here.ok("memory", "remember", "probe", "gate nine")
    here.ok("project", "add", "web", str(here.folder))
    here.ok("memory", "learn", "the probe of web is green", "--project", "web")
    here.ok("note", "add", "Probe", "gate nine probe")
    with Memory.open(here.home) as memory:
        memory.archive("probe", [Turn("user", "gate nine probe", NOON)])
    return here


def everything(here: Here) -> Any:
    return [
        rows(here, "SELECT * FROM records ORDER BY id"),
        rows(here, "SELECT * FROM changes ORDER BY change_set, position"),
        rows(here, "SELECT * FROM messages ORDER BY id"),
        rows(here, "SELECT * FROM sessions ORDER BY id"),
    ]


@pytest.mark.requirement("Z04", "P16")
@pytest.mark.parametrize(
    "words",
    [
        ("forget", "{}", "--yes"),
        ("forget", "{}", "--verify", "--yes"),
        ("forget", "{}", "--everywhere", "--yes"),
        ("forget", "{}", "--from-log", "--verify", "--yes"),
        ("forget", "{}", "--project", "web", "--verify", "--yes"),
        ("forget", "probe", "--project", "{}", "--everywhere", "--yes"),
        ("forget", "--match={}", "--yes"),
        ("forget", "--match={}", "--verify", "--everywhere", "--yes"),
        ("purge", "--project={}", "--yes"),
        ("purge", "--project={}", "--everywhere", "--yes"),
        ("purge", "--session={}", "--yes"),
        ("purge", "--session={}", "--everywhere", "--yes"),
    ],
    ids=" ".join,
)
def test_what_names_nothing_exactly_erases_nothing(three: Here, words: tuple[str, ...]) -> None:
    before = everything(three)
    for bad in BAD:
        ran = three("memory", *(word.replace("{}", bad) for word in words))
        assert ran.code in (2, 3, 7), (bad, ran)
        assert ran.out == "" and ran.err.startswith("memoro: "), (bad, ran)
        assert len(ran.err) < 1_000 and "\x1b" not in ran.err, bad
    assert everything(three) == before


@pytest.mark.requirement("Z04", "P16")
@pytest.mark.parametrize("options", [(), ("--verify",), ("--everywhere",)])
def test_words_take_what_has_them_all_and_ask_first(three: Here, options: tuple[str, ...]) -> None:
    before = everything(three)
    assert three("memory", "forget", "gate nine probe", *options, "--yes").code == 2
    ran = three("memory", "forget", "--match", "gate nine probe", *options)
    assert ran.code == 4 and "nothing was changed" in ran.err and "gate nine probe" in ran.err
    assert everything(three) == before
    three.ok("memory", "forget", "--match", "gate nine probe", *options, "--yes")
    facts = {one["text"] for one in three.json("memory", "facts", "--all")}
    assert facts == {*LINES[1:], "the probe of web is green"}
    assert three.facts() == {"probe": "gate nine"}


@pytest.mark.requirement("Z04", "P16")
@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("кот", ("который час", "скоты в поле")),
        ("δεν", ("δενδρο στον κηπο",)),
        ("été", ("répété souvent",)),
        ("ب", ("بيت كبير",)),
    ],
)
def test_words_of_any_alphabet_are_whole(here: Here, word: str, others: tuple[str, ...]) -> None:
    for text in (f"{word} 7", *others):
        here.ok("memory", "learn", text)
    here.ok("memory", "forget", "--match", word, "--yes")
    assert {one["text"] for one in here.json("memory", "facts")} == set(others)


@pytest.mark.requirement("Z04", "P16")
def test_a_script_without_spaces_is_matched_within(here: Here) -> None:
    here.ok("memory", "learn", "王芳今天去图书馆")
    here.ok("memory", "learn", "明天下雨")
    here.ok("memory", "forget", "--match", "图书馆", "--yes")
    assert [one["text"] for one in here.json("memory", "facts")] == ["明天下雨"]


@pytest.mark.requirement("Z04", "P16")
def test_forgetting_everywhere_takes_no_word_that_many_texts_have(here: Here) -> None:
    fact = here.json("memory", "learn", "the build of web uses python3.11 since 2026-05-06")["id"]
    with Memory.open(here.home) as memory:
        said = ["python3.11 is out", "on 2026-05-06 we met", "the build of web is slow"]
        memory.archive("talk", [Turn("user", text, NOON) for text in said])
    done = here.json("memory", "forget", fact, "--everywhere", "--verify", "--yes")
    assert done["receipt"]["passages"] == {}
    assert [text for (text,) in rows(here, "SELECT text FROM messages ORDER BY seq")] == said


@pytest.mark.requirement("Z04", "P16")
def test_what_is_too_short_to_be_looked_for_is_said_to_be(here: Here) -> None:
    with Memory.open(here.home) as memory:
        memory.archive("talk", [Turn("user", "my pin is 0815", NOON)])
    here.ok("memory", "remember", "pin", "0815")
    ran = here.ok("memory", "forget", "pin", "--everywhere", "--verify", "--yes")
    assert "No message, tool record or note said it." not in ran.out
    assert "too short to be looked for" in ran.out


# What is left of other texts


def call(here: Here, arguments: str) -> None:
    """Put a tool call into the only run that there is."""
    connection = apsw.Connection(str(here.home / "memory.db"))
    connection.execute(
        "INSERT INTO tool_calls (run, tool, arguments, outcome, detail, requested_at)"
        " SELECT id, 'learn', ?, 'done', 'stored', '2026-05-06T12:00:00.000000Z' FROM runs",
        [arguments],
    )
    connection.close()


@pytest.mark.requirement("Z04", "P16")
@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        (json.dumps({"text": f"Note: {TEXT}.", "n": 3}), {"text": "Note: [erased].", "n": 3}),
        (f'\n {{"a": [{{"b": "the zebra gate\\nof Porto opens\\twith {TOKEN}"}}]}}', None),
        (json.dumps({"text": TEXT, "half": "\ud800 x", "n": 1e400}), None),
        (json.dumps({TEXT: 1, "list": [TEXT.upper(), None, True, 0.5]}), None),
        (json.dumps({"tёxt": f"«{TEXT}»"}, ensure_ascii=False), {"tёxt": "«[erased]»"}),
        ("[" * 3_000 + json.dumps(TEXT) + "]" * 3_000, None),
        (f'{{"cut off": "{TEXT}', None),
        (json.dumps(TEXT), "[erased]"),
    ],
    ids=["plain", "spaces", "half", "key", "unicode", "deep", "cut off", "string"],
)
def test_arguments_of_tool_calls_stay_what_they_were(here: Here, arguments: str, left: Any) -> None:
    with Memory.open(here.home) as memory:
        memory.archive("talk", [Turn("user", "keep it", NOON)])
    call(here, arguments)
    fact = here.json("memory", "learn", TEXT)["id"]
    done = here.json("memory", "forget", fact, "--everywhere", "--verify", "--yes")
    assert done["receipt"]["is_clean"] and done["receipt"]["passages"] == {"tool_call": 1}
    assert holders(here.home, TOKEN) == []
    ((kept,),) = rows(here, "SELECT arguments FROM tool_calls")
    if left is not None:
        assert json.loads(kept) == left
    elif "cut off" not in arguments and "[[[" not in arguments:
        assert "[erased]" in str(json.loads(kept))
    assert "[erased]" in kept
    assert here("doctor").code == 0


@pytest.mark.requirement("Z04", "P16")
def test_all_that_a_conversation_held_is_looked_for(here: Here) -> None:
    with Memory.open(here.home) as memory:
        session = memory.archive("talk", [Turn("user", "keep it", NOON)]).session
    call(here, json.dumps({"text": TEXT}))
    (here.home / "stray.txt").write_text(f"so: {TEXT}")
    ran = here("memory", "purge", "--session", session, "--yes")
    assert ran.code == 1 and "stray.txt" in ran.out


@pytest.mark.requirement("Z04", "P16")
def test_a_time_in_a_text_is_no_hit_and_no_file_of_ours_is_to_be_removed(here: Here) -> None:
    now = {"MEMORO_NOW": "2026-05-06T12:00:00Z"}
    here.ok("memory", "learn", "the roof is green", env=now)
    fact = here.json("memory", "learn", "it was seen at 2026-05-06T12:00:00Z", env=now)["id"]
    here.ok("memory", "mirror", env=now)
    ran = here.ok("memory", "forget", fact, "--verify", env=now)
    assert "rm " not in ran.out
