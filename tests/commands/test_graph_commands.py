"""`memoro memory neighbors|map`."""

from __future__ import annotations

from typing import Any

import pytest

from commands.here import Here

NOW = {"MEMORO_NOW": "2026-05-06T18:00:00Z", "TZ": "UTC"}
OFF = {**NOW, "MEMORO_MEMORY_GRAPH": "off"}


def filled(here: Here) -> dict[str, str]:
    """Some facts, topics and work that hang together; gives the facts' IDs."""
    ids = {
        name: str(here.json("memory", "learn", text, "--tag", "ci", env=NOW)["id"])
        for name, text in (
            ("go", "CI needs Go 1.23, see [[Builds]]"),
            ("door", "The office has a blue door"),
        )
    }
    here.ok("memory", "topic", "Builds", "how things are built", "--fact", ids["go"], env=NOW)
    here.ok("memory", "work", "Site", "the web site", "--technology", "Go", env=NOW)
    here.ok("memory", "profile", "set", "skills_add=Go", env=NOW)
    here.ok("memory", "episode", "Sped up the [[Builds]]", "--project", "Site", env=NOW)
    return ids


def near(here: Here, subject: str, env: dict[str, str] = NOW) -> Any:
    return here.json("memory", "neighbors", subject, env=env)


@pytest.mark.requirement("G02")
@pytest.mark.parametrize("env", [NOW, OFF])
def test_neighbours_of_a_topic_with_backlinks(here: Here, env: dict[str, str]) -> None:
    ids = filled(here)
    found = near(here, "builds", env)
    assert found["node"]["name"] == "topic:builds"
    first = {one["node"]: one["backlink"] for one in found["near"] if one["hops"] == 1}
    episode = next(name for name in first if name.startswith("ep_"))
    assert first == {ids["go"]: False, episode: True}
    text = here.ok("memory", "neighbors", "BUILDS", env=env).out
    assert text.startswith("[topic] Builds — how things are built\n")
    assert "→ [fact] CI needs Go 1.23" in text and "← [episode] 2026-05-06 [Site] Sped" in text


@pytest.mark.requirement("G02", "G03")
@pytest.mark.parametrize(
    "subject", ["builds", "ci", "go", "Site", "profile", "blue door", "nothing"]
)
def test_derived_and_kept_graph_answer_alike(here: Here, subject: str) -> None:
    filled(here)
    assert near(here, subject) == near(here, subject, OFF)
    assert here.json("memory", "map", env=NOW) == here.json("memory", "map", env=OFF)


@pytest.mark.requirement("G02")
def test_a_subject_may_be_words_or_an_id(here: Here) -> None:
    ids = filled(here)
    assert near(here, ids["door"])["node"]["name"] == ids["door"]
    assert near(here, "blue door of the office")["node"]["name"] == ids["door"]
    assert near(here, "zeppelin")["node"] is None
    assert here.ok("memory", "neighbors", "zeppelin", env=NOW).out == "No match for 'zeppelin'.\n"


@pytest.mark.requirement("G02")
def test_what_happened_on_the_day_of_a_fact_is_near(here: Here) -> None:
    ids = filled(here)
    hops = {one["kind"]: one["hops"] for one in near(here, ids["door"])["near"]}
    assert hops["episode"] == 1


@pytest.mark.requirement("G02")
def test_the_map(here: Here) -> None:
    assert "The graph is empty" in here.ok("memory", "map", env=NOW).err
    filled(here)
    seen = here.json("memory", "map", env=NOW)
    assert seen["kinds"]["fact"] == 2
    assert seen["kinds"]["episode"] == 1
    assert {"topic", "project", "skill", "tag", "profile"} <= set(seen["kinds"])
    assert seen["nodes"] == sum(seen["kinds"].values())
    assert seen["hubs"][0]["links"] >= seen["hubs"][-1]["links"]
    assert " nodes, " in here.ok("memory", "map", env=NOW).out


@pytest.mark.requirement("G01", "P16")
def test_what_is_forgotten_is_near_nothing(here: Here) -> None:
    ids = filled(here)
    here.ok("memory", "forget", ids["go"])
    for env in (NOW, OFF):
        assert ids["go"] not in {one["node"] for one in near(here, "builds", env)["near"]}
        assert here.json("memory", "map", env=env)["kinds"]["fact"] == 1
