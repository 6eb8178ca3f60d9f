"""The graph of memory: what each record says of its links, as a pure function of that record.

The store keeps the result as a cache; deriving it again from all records gives the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from memoro.memory.facts.statement import category, is_current
from memoro.memory.records import (
    DAILY,
    EPISODE,
    FACT,
    GLOBAL,
    NOTE,
    PLACE,
    PROFILE,
    PROJECT,
    TOPIC,
    WORK,
    Record,
    project_name,
)
from memoro.memory.topics import fold_name

MAX_WIKILINKS = 32
_WIKILINK = re.compile(r"\[\[([^\[\]\n|]{1,200})(?:\|[^\[\]\n]{0,200})?\]\]")

_TAG, _CATEGORY, _PROJECT, _FACT, _SESSION, _WIKI, _BESIDE = 1.0, 0.5, 2.0, 2.0, 1.5, 1.5, 1.0
_SKILL, _SKILL_TAG = 1.0, 0.5


class Node(NamedTuple):
    """A record, or a name that records share. `name` is unique: a record's ID, or "kind:name"."""

    name: str
    kind: str
    title: str


_PROFILE_NODE = Node("profile", "profile", "profile")


class Link(NamedTuple):
    """A link that one record states."""

    a: Node
    b: Node
    weight: float


class Drawn(NamedTuple):
    """The part that one record has in the graph: its own node, and its links."""

    node: Node
    links: tuple[Link, ...]


def named(kind: str, name: str) -> Node:
    """A node that records share."""
    folded = fold_name(name)
    return Node(f"{kind}:{folded}", kind, folded)


def draw(record: Record) -> Drawn | None:
    """What a record adds to the graph; None where it has no place in it (a past fact, say)."""
    node = node_of(record)
    if node is None:
        return None
    links = [Link(node, other, weight) for other, weight in _links(record)]
    links += [Link(node, named("topic", title), _WIKI) for title in wikilinks(_text(record))]
    merged: dict[tuple[str, str], Link] = {}
    for link in links:
        pair = (link.a.name, link.b.name)
        if pair[0] != pair[1]:
            known = merged.get(pair)
            merged[pair] = (
                link if known is None else link._replace(weight=link.weight + known.weight)
            )
    return Drawn(node, tuple(merged.values()))


def node_of(record: Record) -> Node | None:
    """The node that a record is."""
    if record.kind == FACT.name:
        return Node(record.id, "fact", "") if is_current(record) else None
    if record.kind in (EPISODE.name, NOTE.name, DAILY.name):
        return Node(record.id, record.kind, "")
    if record.kind == TOPIC.name:
        return named("topic", str(record.data.get("name", record.key)))
    if record.kind == WORK.name:
        return named("project", str(record.data.get("name", record.key)))
    if record.kind == PROJECT.name:
        return named("project", record.key or "")
    if record.kind == PLACE.name:
        return place_node(record.key or "", record.text)
    if record.kind == PROFILE.name:
        skill = record.data.get("field") == "skills"
        return named("skill", record.text) if skill else _PROFILE_NODE
    return None


def place_node(scope: str, title: str = "") -> Node:
    """The node of a folder that has no name as a project."""
    return Node(f"project:{scope}", "project", title or scope)


def scope_node(scope: str) -> Node | None:
    """The project that a scope belongs to."""
    if scope == GLOBAL:
        return None
    name = project_name(scope)
    return place_node(scope) if name is None else named("project", name)


def wikilinks(text: str) -> list[str]:
    """The names between `[[` and `]]`, each once; at most 32."""
    found = (" ".join(match[1].split()) for match in _WIKILINK.finditer(text))
    return list(dict.fromkeys(name for name in found if name))[:MAX_WIKILINKS]


class Near(NamedTuple):
    """A neighbour: `weight` sums the links between the two; `back` where only the neighbour states
    one."""

    node: Node
    weight: float
    back: bool


class Overview(NamedTuple):
    """The graph at a glance: how many nodes of each kind, how many stated links, and the hubs:
    nodes with the number of links stated of them, the most first."""

    counts: Mapping[str, int]
    links: int
    hubs: tuple[tuple[Node, int], ...]


class Graph(Protocol):
    """Answers about the graph: from the store's cache, or derived anew."""

    def named(self, subject: str) -> list[Node]:
        """The nodes that a subject names exactly (a record's ID, a node's name, a name that
        records share, in any case), the one with the most links first."""
        ...

    def near(self, name: str, limit: int) -> list[Near]:
        """The neighbours of a node, the heaviest link first."""
        ...

    def overview(self, hubs: int) -> Overview:
        """The graph at a glance."""
        ...


SHARED_KINDS = ("project", "topic", "skill", "tag", "session")
"""The kinds of node that are named by what they are, and not by one record's ID."""

RECORD_KINDS = frozenset({"fact", "episode", "note", "daily"})
"""The kinds of node that are one record each: without it they don't count."""


class DerivedGraph:
    """`Graph`, made from records and nothing else."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.nodes: dict[str, Node] = {}
        self.drawn: set[str] = set()
        self.degrees: dict[str, int] = {}
        self._weights: dict[str, dict[str, float]] = {}
        self._stated: set[tuple[str, str]] = set()
        for record in records:
            drawn = draw(record)
            if drawn is not None:
                self.nodes[drawn.node.name] = drawn.node
                self.drawn.add(drawn.node.name)
                for link in drawn.links:
                    self._add(link)

    def _add(self, link: Link) -> None:
        self._stated.add((link.a.name, link.b.name))
        for one, other in ((link.a, link.b), (link.b, link.a)):
            self.nodes.setdefault(one.name, one)
            around = self._weights.setdefault(one.name, {})
            around[other.name] = around.get(other.name, 0.0) + link.weight
            self.degrees[one.name] = self.degrees.get(one.name, 0) + 1

    def named(self, subject: str) -> list[Node]:
        """See `Graph`."""
        found = [self.nodes[name] for name in node_names(subject) if name in self.nodes]
        found = [node for node in found if self._counts(node)]
        return sorted(found, key=lambda node: (-self.degrees.get(node.name, 0), node.name))

    def near(self, name: str, limit: int) -> list[Near]:
        """See `Graph`."""
        found = [
            Near(self.nodes[other], weight, (name, other) not in self._stated)
            for other, weight in self._weights.get(name, {}).items()
            if self._counts(self.nodes[other])
        ]
        return sorted(found, key=lambda one: (-one.weight, one.node.name))[:limit]

    def overview(self, hubs: int) -> Overview:
        """See `Graph`."""
        real = [node for node in self.nodes.values() if self._counts(node)]
        degrees = [(node, self.degrees.get(node.name, 0)) for node in real]
        degrees = [one for one in degrees if one[1]]
        degrees.sort(key=lambda one: (-one[1], one[0].name))
        return Overview(
            dict(Counter(node.kind for node in real)),
            sum(self.degrees.values()) // 2,
            tuple(degrees[:hubs]),
        )

    def _counts(self, node: Node) -> bool:
        return node.kind not in RECORD_KINDS or node.name in self.drawn


def node_names(subject: str) -> list[str]:
    """The names of the nodes that a subject may mean exactly."""
    plain = " ".join(subject.split())
    name = fold_name(plain)
    return list(dict.fromkeys((plain, name, *(f"{kind}:{name}" for kind in SHARED_KINDS))))


def _links(record: Record) -> list[tuple[Node, float]]:
    found: list[tuple[Node, float]] = []
    home = scope_node(record.scope)
    if record.kind in (FACT.name, EPISODE.name, NOTE.name):
        found += [(home, _PROJECT)] if home else []
        found += [(named("tag", tag), _TAG) for tag in record.tags]
        session = record.data.get("session")
        if session:
            found.append((Node(f"session:{session}", "session", str(session)), _SESSION))
    if record.kind == FACT.name:
        found.append((named("tag", category(record)), _CATEGORY))
        # Of these it can't be told whether they are the same: seeing one should show the other.
        found += [(Node(one, "fact", ""), _BESIDE) for one in record.data.get("beside", ())]
    if record.kind == EPISODE.name and record.data.get("project"):
        found.append((named("project", str(record.data["project"])), _PROJECT))
    if record.kind == TOPIC.name:
        found += [(Node(one, "fact", ""), _FACT) for one in record.data.get("facts", ())]
    if record.kind == WORK.name:
        found += [(named("tag", one), _TAG) for one in record.data.get("technologies", ())]
    if record.kind == PROFILE.name and record.data.get("field") == "skills":
        found += [(_PROFILE_NODE, _SKILL), (named("tag", record.text), _SKILL_TAG)]
    return found


def _text(record: Record) -> str:
    title = record.data.get("title")
    return f"{title}\n{record.text}" if title else record.text
