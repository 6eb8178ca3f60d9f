"""Which messages of a tree make the conversation as it was last seen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

_MOST_GAPS = 20
"""So many missing messages are gone around; a tree with more is read as far as that."""
_FIRST = datetime.min.replace(tzinfo=UTC)


class Node(NamedTuple):
    """A message in its tree: the one that it follows (None: none), and when it was said."""

    parent: str | None
    at: datetime | None


def thread(nodes: Mapping[str, Node], current: str | None) -> list[str]:
    """The messages from the first to `current`, or to the one that was said last where `current`
    is unknown.

    Other branches are left aside: what was edited away, answers that were made anew. Where a
    message is missing, it goes on with the one before that was said last and belongs to no other
    branch; where messages follow each other in a circle, it ends.
    """
    if not nodes:
        return []
    if current is None or current not in nodes:
        # Where all of them go round in a circle, any may be the end.
        current = _latest(nodes, _leaves(nodes) or list(nodes))
    taken: set[str] = set()
    found: list[str] = []
    pieces: dict[str, str] = {}
    for _ in range(_MOST_GAPS):
        found += _climbed(nodes, current, taken)
        before = _before_gap(nodes, found[-1], taken, pieces)
        if before is None:
            break
        current = before
    return found[::-1]


def _climbed(nodes: Mapping[str, Node], leaf: str, taken: set[str]) -> list[str]:
    """A message and those above it, the last one first."""
    path: list[str] = []
    node: str | None = leaf
    while node is not None and node in nodes and node not in taken:
        taken.add(node)
        path.append(node)
        node = nodes[node].parent
    return path


def _before_gap(
    nodes: Mapping[str, Node], top: str, taken: set[str], pieces: dict[str, str]
) -> str | None:
    """The message that was said last before one whose parent is missing. `pieces` keeps the first
    message above each leaf."""
    missing = nodes[top].parent
    if missing is None or missing in nodes:
        return None
    if not pieces:
        tops: dict[str, str] = {}
        pieces |= {leaf: _top(nodes, leaf, tops) for leaf in _leaves(nodes) if nodes[leaf].at}
    limit = nodes[top].at
    candidates = [
        leaf
        for leaf, first in pieces.items()
        if leaf not in taken
        and (limit is None or _at(nodes, leaf) <= limit)
        and _is_apart(nodes, first, missing, taken)
    ]
    return _latest(nodes, candidates) if candidates else None


def _is_apart(nodes: Mapping[str, Node], top: str, missing: str, taken: set[str]) -> bool:
    """Whether a piece of the tree, by its first message, is no branch of what was taken."""
    return top not in taken and nodes[top].parent != missing


def _top(nodes: Mapping[str, Node], leaf: str, known: dict[str, str]) -> str:
    """The first message above one; in a circle any of them."""
    path: list[str] = []
    seen: set[str] = set()
    node = leaf
    while node not in known and node not in seen:
        seen.add(node)
        path.append(node)
        parent = nodes[node].parent
        if parent is None or parent not in nodes:
            break
        node = parent
    top = known.get(node, node)
    known.update(dict.fromkeys(path, top))
    return top


def _leaves(nodes: Mapping[str, Node]) -> list[str]:
    inner = {node.parent for node in nodes.values()}
    return [name for name in nodes if name not in inner]


def _latest(nodes: Mapping[str, Node], names: list[str]) -> str:
    """The one that was said last; of several the one that stands last."""
    place = max(range(len(names)), key=lambda at: (_at(nodes, names[at]), at))
    return names[place]


def _at(nodes: Mapping[str, Node], name: str) -> datetime:
    return nodes[name].at or _FIRST
