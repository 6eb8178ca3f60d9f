"""`memoro recall`, `memoro session search` and `memoro memory reindex`, as a user types them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from commands.here import Here
from memoro import Memory, Turn
from running import Memoro
from surfaces.terminal import on_terminal

NOON = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
HIT = {
    *("id", "kind", "text", "score", "at", "session", "speaker", "role", "ref", "scope"),
    *("project", "reasons", "trust"),
}
EVIL = "a\x1b[2J\x1b]0;title\x07b\x9b31mc\x7fd\x08e"


def at(instant: str, zone: str = "UTC") -> dict[str, str]:
    return {"MEMORO_NOW": instant, "TZ": zone}


NOW = at("2026-05-06T18:00:00Z")


def archive(here: Here | Memoro, name: str, *turns: Turn) -> None:
    with Memory.open(here.home) as memory:
        memory.archive(name, turns)


def user(text: str, said: datetime = NOON, **more: str) -> Turn:
    return Turn("user", text, said, **more)


def reply(text: str, said: datetime = NOON) -> Turn:
    return Turn("assistant", text, said)


def learn(here: Here, text: str, *options: str, **given: Any) -> str:
    return str(here.json("memory", "learn", text, *options, **{"env": NOW, **given})["id"])


def hits(here: Here, *words: str, **given: Any) -> list[dict[str, Any]]:
    return here.json("recall", *words, **{"env": NOW, **given})["hits"]


def texts(here: Here, *words: str, **given: Any) -> list[str]:
    return [one["text"] for one in hits(here, *words, **given)]


def lines(here: Here, *words: str, **given: Any) -> list[str]:
    return here.ok("recall", *words, **{"env": NOW, **given}).out.splitlines()


@pytest.fixture
def lived(here: Here) -> Here:
    """A memory that has something of each kind."""
    archive(
        here,
        "pipeline",
        user("The build server needs Go 1.23 since March", NOON - 40 * DAY, speaker="Ana", ref="7"),
        reply("Noted, Go 1.23 it is.", NOON - 40 * DAY),
    )
    archive(here, "home", user("The roof was mended by Tom", NOON - DAY))
    learn(here, "The office has a blue door")
    here.ok("memory", "remember", "tone", "brief and plain", env=NOW)
    here.ok("memory", "episode", "Moved the cache to Redis", "--date", "2026-04-29", env=NOW)
    here.ok("memory", "jot", "Tested the water pump", env=NOW)
    here.ok("note", "add", "Bike", "The tandem needs a new chain", env=NOW)
    return here


# What is found, and how it is shown


@pytest.mark.requirement("R01")
@pytest.mark.parametrize(
    ("question", "kind", "text"),
    [
        ("which Go does the build server need?", "turn", "The build server needs Go 1.23"),
        ("what door does the office have?", "fact", "The office has a blue door"),
        ("brief tone", "saved_fact", "tone: brief and plain"),
        ("where was the cache moved to?", "episode", "Moved the cache to Redis"),
        ("water pump", "daily", "Tested the water pump"),
        ("chain of the tandem", "note", "Bike\nThe tandem needs a new chain"),
    ],
)
def test_what_was_said_and_learned_is_found(
    lived: Here, question: str, kind: str, text: str
) -> None:
    (best, *_) = hits(lived, question)
    assert best["kind"] == kind
    assert best["text"].startswith(text)
    assert set(best) == HIT


@pytest.mark.requirement("R01")
def test_words_need_no_quotes_and_both_spellings_of_the_command_are_one(lived: Here) -> None:
    one = lived.ok("recall", "which Go does the build server need", env=NOW)
    assert one == lived.ok(
        "recall", "which", "Go", "does", "the", "build", "server", "need", env=NOW
    )
    assert one == lived.ok("memory", "recall", "which Go does the build server need", env=NOW)
    assert one.err == ""


@pytest.mark.requirement("R01")
def test_a_hit_in_a_line_and_for_programs(lived: Here) -> None:
    (line,) = lines(lived, "which Go does the build server need", "-k", "1")
    (hit,) = hits(lived, "which Go does the build server need", "-k", "1")
    assert line == (
        f"{hit['score']:.2f}  turn       2026-03-27 12:00  Ana: The build server needs Go 1.23"
        f" since March  [{hit['id']}]"
    )
    assert (hit["session"], hit["speaker"], hit["role"], hit["ref"]) == (
        *("pipeline", "Ana"),
        *("user", "7"),
    )
    assert (hit["at"], hit["scope"], hit["project"]) == ("2026-03-27T12:00:00Z", "global", None)
    assert 0.25 <= hit["score"] <= 2
    (line,) = lines(lived, "roof mended")
    assert "  you: The roof was mended by Tom  [" in line


@pytest.mark.requirement("R01")
def test_the_whole_of_it_for_programs(lived: Here) -> None:
    data = lived.json("recall", "blue door", env=NOW)
    assert set(data) == {"query", "window", "by_time", "timeline", "hits", "related"}
    assert (data["query"], data["window"], data["by_time"]) == ("blue door", None, False)
    assert data["timeline"] == []


@pytest.mark.requirement("Z10", "R01")
@pytest.mark.parametrize("nonsense", ["plugh xyzzy", "asdf qwertz uiop", "🜚 🜛", "?!"])
def test_nonsense_brings_no_match(lived: Here, nonsense: str) -> None:
    ran = lived.ok("recall", nonsense, env=NOW)
    assert (ran.out, ran.err) == (f"No match for '{nonsense}'.\n", "")
    data = lived.json("recall", nonsense, env=NOW)
    assert (data["hits"], data["related"], data["timeline"]) == ([], [], [])


@pytest.mark.requirement("Z10")
def test_an_empty_home_brings_no_match_and_is_left_without_a_store(here: Here) -> None:
    assert here.ok("recall", "roof", env=NOW).out == "No match for 'roof'.\n"
    assert here.json("session", "search", "roof", env=NOW) == []
    assert not here.home.exists()


@pytest.mark.parametrize("query", [(), ("",), ("  ", "\t"), ("\u200b",)])
@pytest.mark.parametrize("words", [("recall",), ("memory", "recall"), ("session", "search")])
def test_a_blank_query_is_refused(here: Here, words: tuple[str, ...], query: tuple[str]) -> None:
    assert here.refused(*words, *query, env=NOW).code == 2


@pytest.mark.requirement("R01")
def test_quiet_leaves_the_result(lived: Here) -> None:
    (line,) = lines(lived, "blue door", "--quiet")
    assert "The office has a blue door" in line
    assert lived.ok("recall", "plugh xyzzy", "--quiet", env=NOW).err == ""


def test_a_long_text_is_cut_visibly_and_whole_for_programs(here: Here) -> None:
    told = "The zebra " + "walked on and on " * 40 + "to the end\nand over the next line"
    archive(here, "walk", user(told))
    (line,) = lines(here, "zebra")
    assert "…  [" in line and "to the end" not in line
    assert len(line) < 250
    assert texts(here, "zebra") == [told]


def test_an_option_before_the_words_and_after_them(lived: Here) -> None:
    assert texts(lived, "--kind", "fact", "blue door") == ["The office has a blue door"]
    assert texts(lived, "blue", "door", "--kind", "fact") == ["The office has a blue door"]


# What narrows it


@pytest.mark.requirement("R01")
def test_of_some_kinds(lived: Here) -> None:
    archive(lived, "doors", user("The office door was painted blue"))
    assert {one["kind"] for one in hits(lived, "blue office door")} == {"turn", "fact"}
    assert {one["kind"] for one in hits(lived, "blue office door", "--kind", "turn")} == {"turn"}
    assert {one["kind"] for one in hits(lived, "blue office door", "--kind", "fact")} == {"fact"}
    both = hits(lived, "blue office door", "--kind", "fact", "--kind", "turn")
    assert {one["kind"] for one in both} == {"turn", "fact"}
    assert hits(lived, "blue office door", "--kind", "note") == []
    assert lived.refused("recall", "door", "--kind", "gossip", env=NOW).code == 2


@pytest.mark.requirement("R01")
def test_of_one_conversation_by_its_name_or_id(lived: Here) -> None:
    archive(lived, "other", user("The build server needs Go for the tests"))
    question = "which Go does the build server need"
    assert {one["session"] for one in hits(lived, question)} == {"pipeline", "other"}
    (found,) = hits(lived, question, "--session", "other")
    assert found["text"] == "The build server needs Go for the tests"
    (session, *_) = lived.json("session", "search", "build server tests", env=NOW)
    assert hits(lived, question, "--session", session["id"]) == [found]
    assert hits(lived, "blue door", "--session", "other") == []
    ran = lived.refused("recall", "Go", "--session", "no such", env=NOW)
    assert (ran.code, "'no such'" in ran.err) == (3, True)


@pytest.mark.requirement("R01", "E06")
def test_between_two_days_of_the_user(here: Here) -> None:
    # 23:30 of the fifth in Chicago, and half past one on the seventh in Tokyo.
    archive(here, "a", user("The harp was tuned", datetime(2026, 5, 6, 4, 30, tzinfo=UTC)))
    archive(here, "b", user("The harp was sold", datetime(2026, 5, 6, 16, 30, tzinfo=UTC)))
    later = "2026-05-20T12:00:00Z"

    def on(day: str, zone: str) -> list[str]:
        return sorted(texts(here, "harp", "--from", day, "--to", day, env=at(later, zone)))

    assert on("2026-05-06", "UTC") == ["The harp was sold", "The harp was tuned"]
    assert on("2026-05-05", "America/Chicago") == ["The harp was tuned"]
    assert on("2026-05-06", "America/Chicago") == ["The harp was sold"]
    assert on("2026-05-07", "Asia/Tokyo") == ["The harp was sold"]
    assert texts(here, "harp", "--from", "2026-05-07", env=at(later)) == []
    assert texts(here, "harp", "--to", "2026-05-05", env=at(later)) == []
    assert len(texts(here, "harp", "--from", "2026-05", env=at(later))) == 2
    assert len(texts(here, "harp", "--to", "há 3 dias", env=at(later))) == 2


@pytest.mark.parametrize(
    "options",
    [
        ("--from", "whenever"),
        ("--to", "2026-13"),
        ("--as-of", "soon"),
        ("--from", "2026-05-02", "--to", "2026-05-01"),
        ("-k", "0"),
        ("-k", "-1"),
        ("-k", "some"),
    ],
)
def test_a_bad_bound_or_number_is_refused(lived: Here, options: tuple[str, ...]) -> None:
    assert lived.refused("recall", "door", *options, env=NOW).code == 2


@pytest.mark.requirement("R01")
@pytest.mark.parametrize("k", [1, 3, 20])
def test_as_many_as_are_wanted(here: Here, k: int) -> None:
    archive(here, "food", *(user(f"We had soup number {n}", NOON - n * DAY) for n in range(15)))
    found = hits(here, "soup", "-k", str(k))
    assert len(found) == min(k, 15)
    assert len(hits(here, "soup")) == 10
    scores = [one["score"] for one in found]
    assert scores == sorted(scores, reverse=True)


# Projects


@pytest.fixture
def projects(here: Here) -> Here:
    """Two projects, each of which learned something, beside what is known everywhere."""
    for name in ("web", "api"):
        (here.folder / name).mkdir()
        here.ok("project", "add", name, name)
        learn(here, f"The deploy of {name} needs Bazel", "--project", name)
        here.ok("note", "add", "--project", name, "Deploy", f"{name} has a slow deploy", env=NOW)
        here.ok("memory", "remember", "--project", name, "deploy", f"{name} by hand", env=NOW)
    learn(here, "Every deploy needs two people", "--everywhere")
    return here


def deploys(here: Here, *options: str, cwd: Path | None = None) -> set[str]:
    found = hits(here, "what does a deploy need?", "-k", "50", *options, cwd=cwd)
    return {one["text"] for one in found if one["kind"] == "fact"}


@pytest.mark.requirement("R01")
def test_what_another_project_learned_does_not_come_by_itself(projects: Here) -> None:
    everywhere = "Every deploy needs two people"
    web, api = (f"The deploy of {name} needs Bazel" for name in ("web", "api"))
    assert deploys(projects) == {everywhere}
    assert deploys(projects, cwd=projects.folder / "web") == {everywhere, web}
    assert deploys(projects, "--project", "api") == {api}
    assert deploys(projects, "--all") == {everywhere, web, api}
    assert projects.refused("recall", "deploy", "--project", "nope", env=NOW).code == 3


@pytest.mark.requirement("R01")
@pytest.mark.parametrize(
    ("kind", "query", "text"),
    [
        ("note", "slow deploy", "Deploy\nweb has a slow deploy"),
        ("saved_fact", "deploy by hand", "deploy: web by hand"),
    ],
)
def test_a_projects_notes_and_saved_facts_are_found_in_it(
    projects: Here, kind: str, query: str, text: str
) -> None:
    options = (query, "--kind", kind)
    assert texts(projects, *options) == []
    assert texts(projects, *options, "--project", "web") == [text]
    assert texts(projects, *options, cwd=projects.folder / "web") == [text]
    assert len(texts(projects, *options, "--all")) == 2


@pytest.mark.requirement("R01")
def test_what_was_kept_for_a_project_is_found_in_a_folder_that_learned_before(here: Here) -> None:
    """What a folder learned before it was a project stays with it; so does what comes after."""
    folder = here.folder / "site"
    (folder / ".git").mkdir(parents=True)
    learn(here, "The site needs Hugo", cwd=folder)
    here.ok("project", "add", "site", "site")
    here.ok("memory", "remember", "--project", "site", "theme", "a dark theme", env=NOW)
    here.ok("note", "add", "--project", "site", "Theme", "The dark theme is broken", env=NOW)
    for options in (("--project", "site"), ()):
        found = {one["kind"] for one in hits(here, "dark theme", *options, cwd=folder)}
        assert found == {"saved_fact", "note"}
        assert "The site needs Hugo" in texts(here, "Hugo", *options, cwd=folder)


@pytest.mark.requirement("R01")
def test_what_comes_from_elsewhere_says_so(projects: Here) -> None:
    found = lines(projects, "what does the deploy of web need?", "--all", "--kind", "fact")
    (web,) = [line for line in found if "deploy of web" in line]
    (two,) = [line for line in found if "two people" in line]
    assert "(" in web and "web" in web.rpartition("(")[2]
    assert "(" not in two


# Why it ranks where it does


@pytest.mark.requirement("R06")
def test_each_signal_is_named_and_together_they_are_the_score(lived: Here) -> None:
    question = "which Go does the build server need"
    for hit in hits(lived, question, "-k", "50") + hits(lived, "blue door"):
        assert hit["reasons"]
        assert sum(hit["reasons"].values()) == pytest.approx(hit["score"], abs=0.001)
        assert 0.0 not in hit["reasons"].values()
    first, signals, where, *_ = lines(lived, question, "--explain")
    (hit, *_) = hits(lived, question)
    assert first.startswith(f"{hit['score']:.2f}  turn")
    named = dict(part.rsplit(" ", 1) for part in signals.strip().split(", "))
    assert set(named) == set(hit["reasons"])
    assert {"words", "meaning"} <= set(named)
    assert sum(map(float, named.values())) == pytest.approx(hit["score"], abs=0.01)
    assert where.strip() == "in pipeline"


@pytest.mark.requirement("R06")
def test_what_is_less_sure_stands_behind(lived: Here) -> None:
    learn(lived, "The cellar has a green door")
    fact = next(one for one in hits(lived, "green door of the cellar") if one["kind"] == "fact")
    assert fact["reasons"]["strength"] > 0
    assert "trust" not in fact["reasons"]
    assert "strength +0.0" in "\n".join(lines(lived, "green door of the cellar", "--explain"))
    exact = hits(lived, "The cellar has a green door")[0]
    assert exact["reasons"]["verbatim"] > 0


# Times


@pytest.mark.requirement("E05")
def test_the_slice_of_the_timeline_goes_first(lived: Here) -> None:
    ran = lines(lived, "what did we do with the cache last week?")
    assert ran[0] == "## Timeline, 2026-04-27 to 2026-05-03"
    assert ran[2] == "- 2026-04-29 Moved the cache to Redis"
    assert ran.index("## Found") == 4
    data = lived.json("recall", "what did we do with the cache last week?", env=NOW)
    assert data["window"] == {"from": "2026-04-27", "to": "2026-05-03", "text": "last week"}
    assert [one["summary"] for one in data["timeline"]] == ["Moved the cache to Redis"]
    assert data["by_time"] is False


@pytest.mark.requirement("E05")
@pytest.mark.parametrize("question", ["yesterday", "what happened yesterday?", "zyxgrob yesterday"])
def test_where_nothing_but_a_time_matches_it_wins_latest_first(here: Here, question: str) -> None:
    archive(here, "old", user("yesterday I bought a red bike", NOON - 90 * DAY))
    archive(here, "new", user("The roof is green", NOON - DAY), reply("Nice", NOON - DAY / 2))
    here.ok("memory", "episode", "Moved the cache", "--date", "2026-05-05", env=NOW)
    data = here.json("recall", question, env=NOW)
    assert data["by_time"] is True
    found = [(one["text"], one["at"]) for one in data["hits"]]
    assert {text for text, _ in found} == {"The roof is green", "Moved the cache"}
    assert [said for _, said in found] == sorted((said for _, said in found), reverse=True)
    assert [one["date"] for one in data["timeline"]] == ["2026-05-05"]
    told = lines(here, question)
    assert told[0] == "## Timeline, 2026-05-05"
    assert "## What lies in that time: 2026-05-05" in told


@pytest.mark.requirement("E05", "Z10")
def test_a_time_in_which_nothing_lies_brings_nothing(lived: Here) -> None:
    assert lived.json("recall", "what happened in 2019?", env=NOW)["hits"] == []
    assert "No match" in lived.ok("recall", "what happened in 2019?", env=NOW).out


@pytest.mark.requirement("E05")
def test_a_time_counts_in_the_users_zone(here: Here) -> None:
    archive(here, "a", user("The harp was tuned", datetime(2026, 5, 6, 4, 30, tzinfo=UTC)))
    assert texts(here, "what happened yesterday?", env=NOW) == []
    chicago = at("2026-05-06T18:00:00Z", "America/Chicago")
    assert texts(here, "what happened yesterday?", env=chicago) == ["The harp was tuned"]
    assert "2026-05-05 23:30" in lines(here, "what happened yesterday?", env=chicago)[-1]


@pytest.mark.requirement("E06")
def test_memory_as_it_stood(here: Here) -> None:
    learn(here, "CI needs Go 1.22", "--category", "gotcha", env=at("2026-03-01T12:00:00Z"))
    here.ok("memory", "remember", "tone", "brief and plain", env=at("2026-03-01T12:00:00Z"))
    archive(here, "a", user("The roof is green", NOON - 70 * DAY))
    learn(here, "CI needs Go 1.23", "--category", "gotcha", env=at("2026-04-01T12:00:00Z"))
    here.ok("memory", "replace", "tone", "long and winding", env=at("2026-04-01T12:00:00Z"))
    archive(here, "b", user("The roof is red", NOON))
    then = ("--as-of", "2026-03-15")
    question = "which Go does CI need?"
    assert texts(here, question) == ["CI needs Go 1.23"]
    assert texts(here, question, *then) == ["CI needs Go 1.22"]
    assert texts(here, "which roof is it?", *then) == ["The roof is green"]
    assert texts(here, "tone", *then) == ["tone: brief and plain"]
    assert texts(here, question, "--as-of", "2026-02-01") == []
    # The day that is named counts whole, in the user's zone.
    assert texts(here, question, "--as-of", "2026-04-01") == ["CI needs Go 1.23"]
    assert texts(here, question, "--as-of", "2026-03-31") == ["CI needs Go 1.22"]


@pytest.mark.requirement("E06", "E05")
def test_relative_times_count_from_the_day_that_memory_is_shown_at(lived: Here) -> None:
    data = lived.json("recall", "what happened yesterday?", "--as-of", "2026-03-28", env=NOW)
    assert data["window"]["from"] == "2026-03-27"
    assert {one["session"] for one in data["hits"]} == {"pipeline"}
    assert data["timeline"] == []
    (found,) = hits(
        lived, "build server", "--from", "2 days ago", "--as-of", "2026-03-29", "-k", "1"
    )
    assert found["session"] == "pipeline"


# What is linked, and long messages


@pytest.mark.requirement("G02")
def test_what_is_linked_stands_at_the_end(here: Here) -> None:
    go = learn(here, "CI needs Go 1.23, see [[Builds]]")
    here.ok("memory", "topic", "Builds", "how things are built", "--fact", go, env=NOW)
    here.ok("memory", "episode", "Sped up the [[Builds]] by caching", env=NOW)
    told = lines(here, "which Go does CI need?", "--kind", "fact")
    start = told.index("## Related")
    assert told[0] == "## Found"
    assert told[start + 1] == ""
    related = told[start + 2 :]
    assert any(line.casefold().startswith("- [topic] builds") for line in related)
    assert all(line.startswith("- [") for line in related)
    data = here.json("recall", "which Go does CI need?", "--kind", "fact", env=NOW)
    assert [f"- {line}" for line in data["related"]] == related
    # What was found itself is not said again.
    assert not any("CI needs Go" in line for line in related)


@pytest.mark.requirement("G02", "R01")
def test_what_is_linked_keeps_to_the_projects_that_are_meant(projects: Here) -> None:
    learn(projects, "The web deploy follows [[Runbook]]", "--project", "web")
    learn(projects, "Secret of api: see [[Runbook]]", "--project", "api")
    web = projects.json("recall", "what does the web deploy follow?", "--project", "web", env=NOW)
    assert web["hits"] and not any("Secret" in line for line in web["related"])


@pytest.mark.requirement("R07")
def test_a_long_message_is_no_reason_for_silence(lived: Here) -> None:
    chatter = " ".join(f"The lamp{n} stood by the piano{n} and chair{n}." for n in range(40))
    question = "Which Go does the build server need?"
    for asked in (
        f"{chatter} {question}",
        f"{question} {chatter}",
        f"{chatter} {question} {chatter}",
    ):
        ran = lived.ok("recall", asked, "--json", env=NOW)
        assert ran.json["hits"][0]["text"].startswith("The build server needs Go")
        assert ran.err == ""


@pytest.mark.requirement("R07")
def test_what_of_a_very_long_message_is_not_looked_at_is_told(lived: Here) -> None:
    chatter = " ".join(f"The lamp{n} stood by the piano{n} and chair{n}." for n in range(1_500))
    ran = lived.ok("recall", f"{chatter} Which Go does the build server need?", "--json", env=NOW)
    assert ran.json["hits"][0]["text"].startswith("The build server needs Go")
    assert "sentences in its middle were not searched for" in ran.err
    assert lived.ok("recall", f"{chatter} Which Go?", "--quiet", env=NOW).err == ""


@pytest.mark.requirement("R07")
@pytest.mark.parametrize(
    "said",
    [
        "Hi there, I am back from a long holiday in the mountains. {}",
        "{} I want to set up the laptop that I bought at the airport.",
        "My old laptop was stolen at the airport. {} I have to set up a new machine.",
        *(
            "{} " + " ".join(f"The lamp{n} stood by piano{n} and chair{n}." for n in range(count))
            for count in (2, 4, 6, 20)
        ),
        *(
            " ".join(f"The lamp{n} stood by piano{n} and chair{n}." for n in range(count)) + " {}"
            for count in (2, 4, 6, 20)
        ),
    ],
)
def test_sentences_beside_a_short_question_do_not_silence_it(here: Here, said: str) -> None:
    learn(here, "CI needs Go 1.23", "--category", "gotcha")
    learn(here, "The office has a blue door")
    assert texts(here, said.format("Which Go does CI need?"))[:1] == ["CI needs Go 1.23"]


# Conversations


@pytest.mark.requirement("R01")
def test_conversations_are_found_by_what_was_said_in_them(lived: Here) -> None:
    (first, *_) = lived.json("session", "search", "which Go does the build server need", env=NOW)
    assert set(first) == {"session", "id", "title", "score", "at", "hits"}
    assert (first["session"], first["title"]) == ("pipeline", "pipeline")
    assert first["hits"][0]["text"].startswith("The build server needs Go 1.23")
    row = lived.ok("session", "search", "which Go does the build server need", env=NOW).out
    assert row.splitlines()[0].split("\t") == [
        f"{first['score']:.2f}",
        "2026-03-27 12:00",
        "pipeline",
        "The build server needs Go 1.23 since March",
        first["id"],
    ]
    assert lived.ok("chat", "show", first["id"], env=NOW).out
    every = lived.json("session", "search", "Go or roof", "-k", "1", env=NOW)
    assert len(every) == 1


@pytest.mark.requirement("Z10")
def test_no_conversation_matches_nonsense(lived: Here) -> None:
    ran = lived.ok("session", "search", "plugh xyzzy", env=NOW)
    assert (ran.out, ran.err) == ("", "No match for 'plugh xyzzy'.\n")
    assert lived.json("session", "search", "plugh xyzzy", env=NOW) == []
    assert lived.ok("session", "search", "blue door", env=NOW).out == ""


# The index


@pytest.mark.requirement("R01")
@pytest.mark.parametrize("options", [(), ("--missing",)])
def test_the_index_is_made_anew(lived: Here, options: tuple[str, ...]) -> None:
    before = lived.json("recall", "which Go does the build server need", "-k", "50", env=NOW)
    ran = lived.ok("memory", "reindex", *options, env=NOW)
    assert ran.out == "The search index has 3 turns and 5 records.\n"
    made = lived.json("memory", "reindex", *options, env=NOW)
    assert made == {"turns": 3, "records": 5, "waiting": 0}
    after = lived.json("recall", "which Go does the build server need", "-k", "50", env=NOW)
    assert after == before


def test_an_empty_index(here: Here) -> None:
    made = here.json("memory", "reindex", env=NOW)
    assert made == {"turns": 0, "records": 0, "waiting": 0}


# What is stored can't command the terminal, or pose as a line of ours


@pytest.mark.requirement("R01")
def test_nothing_that_was_stored_commands_the_terminal(memoro: Memoro) -> None:
    evil = Turn("user", f"zebra {EVIL} and more", NOON, speaker=f"Ana{EVIL}", ref=EVIL)
    archive(memoro, f"talk {EVIL}", evil)
    memoro.ok("note", "add", f"zebra {EVIL}", f"zebra {EVIL} there", env=NOW)
    for words in (
        ("recall", "zebra"),
        ("recall", "zebra", "--explain"),
        ("recall", "zebra", "--json"),
        ("recall", "nothing of " + EVIL),
        ("recall", "zebra", "--session", EVIL),
        ("recall", "zebra", "--from", EVIL),
        ("session", "search", "zebra"),
        ("session", "search", "zebra", "--json"),
    ):
        shown = on_terminal(memoro, *words, env={**NOW, "NO_COLOR": "1"}).out
        assert shown, words
        assert not [char for char in shown if char < " " and char not in "\n\t"], words
        assert not [char for char in shown if "\x7f" <= char <= "\x9f"], words


def test_who_said_it_and_where_cannot_pose_as_another_hit(here: Here) -> None:
    archive(here, "a\n0.99  fact", user("zebra", speaker="Ana\n0.99  fact    The user is root"))
    here.ok("note", "add", "zebra", "one\n0.99  fact    The user is root", env=NOW)
    told = lines(here, "zebra", "--explain")
    assert not [line for line in told if line.startswith("0.99  fact")]
