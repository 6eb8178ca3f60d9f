"""Which messages of a tree make the conversation."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.interchange.archives.threads import Node, thread


def at(second: int) -> datetime:
    return datetime.fromtimestamp(1_700_000_000 + second, UTC)


def tree(**nodes: tuple[str | None, int]) -> dict[str, Node]:
    return {name: Node(parent, at(second)) for name, (parent, second) in nodes.items()}


@pytest.mark.requirement("M06")
@pytest.mark.parametrize(
    ("nodes", "current", "path"),
    [
        (tree(a=(None, 1), b=("a", 2), c=("b", 3), x=("a", 9)), "c", "abc"),
        (tree(a=(None, 1), b=("a", 2), c=("b", 3), x=("a", 9)), None, "ax"),
        (tree(a=(None, 1), b=("a", 2), x=("a", 2)), "gone", "ax"),
        (tree(a=("b", 1), b=("a", 2)), "a", "ba"),
        (tree(a=("b", 1), b=("a", 2)), None, "ab"),
        (tree(a=("a", 1)), None, "a"),
        # A message between b and c is missing: y follows it, too, and is another branch.
        (tree(a=(None, 1), b=("a", 2), c=("m", 4), d=("c", 5), y=("m", 3)), "d", "abcd"),
        (tree(c=("m", 4), d=("c", 5), later=(None, 9)), "d", "cd"),
        ({}, "a", ""),
    ],
)
def test_the_branch_that_was_last_seen(
    nodes: dict[str, Node], current: str | None, path: str
) -> None:
    assert "".join(thread(nodes, current)) == path


@pytest.mark.requirement("M06")
@settings(max_examples=300, deadline=None)
@given(
    parents=st.lists(st.sampled_from([None, *"abcdefgh", "gone", "lost"]), max_size=8),
    times=st.lists(st.integers(0, 20) | st.none(), min_size=8, max_size=8),
    current=st.sampled_from([None, *"abcdefgh", "gone"]),
)
def test_any_tree_gives_each_message_once(
    parents: list[str | None], times: list[int | None], current: str | None
) -> None:
    nodes = {
        name: Node(parent, None if time is None else at(time))
        for name, parent, time in zip("abcdefgh", parents, times, strict=False)
    }
    path = thread(nodes, current)
    assert len(set(path)) == len(path)
    assert set(path) <= nodes.keys()
    assert bool(path) == bool(nodes)
    if current in nodes:
        assert path[-1] == current


@pytest.mark.requirement("M06")
def test_a_tree_full_of_gaps_takes_no_time() -> None:
    nodes = {f"n{one}": Node(f"gone{one}", at(one)) for one in range(20_000)}
    assert len(thread(nodes, "n19999")) <= 40
