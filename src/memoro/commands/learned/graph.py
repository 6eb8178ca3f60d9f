"""`memoro memory neighbors|map`: how what is known hangs together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from memoro.commands.learned.ground import Labels
from memoro.commands.naming import shown_text
from memoro.commands.registry import Caller, Done, Result, Table, Text
from memoro.errors import Reason, Refusal
from memoro.memory.comparing import terms
from memoro.memory.episodes import day_of, episode_line
from memoro.memory.graph import RECORD_KINDS, Graph, Near, Node
from memoro.memory.records import EPISODE, FACT, GLOBAL, TOPIC, WORK, Record, shown

if TYPE_CHECKING:
    from memoro.commands.services import Services

SHOWN = 12
HUBS = 8
_SAME_DAY = 5


class _Found(NamedTuple):
    near: Near
    hops: int
    record: Record | None


def show_neighbours(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show what a subject is linked with."""
    words = arguments["subject"]
    subject = words if isinstance(words, str) else " ".join(words)
    limit = SHOWN if arguments.get("limit") is None else arguments["limit"]
    if limit < 1:
        return Refusal(Reason.USAGE, "--limit must be at least 1")
    graph = services.graph()
    node = _resolved(services, graph, subject)
    if node is None:
        return Done(
            {"subject": subject, "node": None, "near": []},
            Text(f"No match for {shown(subject)}."),
        )
    found = _around(services, graph, node, limit)
    if caller.run is not None:
        pulled = [one.record.id for one in found if one.record and one.record.kind == FACT.name]
        services.store.use(pulled, services.now(), caller.run, "neighbors")
    return _shown(services, node, found)


def _resolved(services: Services, graph: Graph, subject: str) -> Node | None:
    """The node of that name, else the record that shares the most telling words."""
    named = graph.named(subject)
    if named:
        return named[0]
    words = terms(subject)
    if not words:
        return None
    best = services.store.about(words, limit=1)
    from memoro.memory.graph import node_of

    return node_of(best[0]) if best else None


def _around(services: Services, graph: Graph, center: Node, limit: int) -> list[_Found]:
    seen = {center.name}
    found: list[_Found] = []
    first = [*graph.near(center.name, limit), *_same_day(services, center)]
    for near in first:
        if near.node.name not in seen and len(found) < limit:
            seen.add(near.node.name)
            found.append(_Found(near, 1, _record(services, near.node)))
    for step in list(found):
        if len(found) >= limit or step.near.node.kind == "tag":
            # Whatever shares a tag with it would crowd out what is really near.
            continue
        for near in graph.near(step.near.node.name, limit):
            if near.node.name not in seen and len(found) < limit:
                seen.add(near.node.name)
                found.append(_Found(near, 2, _record(services, near.node)))
    return found


def _same_day(services: Services, center: Node) -> list[Near]:
    """What was learned where and when an episode happened, and the other way round."""
    record = services.store.get(center.name) if center.kind in ("fact", "episode") else None
    if record is None:
        return []
    calendar = services.learned.calendar()
    day = calendar.day(record.valid_from or record.created_at)
    other = EPISODE if record.kind == FACT.name else FACT
    window = (calendar.start(day), calendar.start(day + timedelta(days=1)))
    others = services.store.between([other.name], [record.scope], *window, limit=_SAME_DAY)
    return [Near(Node(one.id, other.name, ""), 1.0, False) for one in others]


def _record(services: Services, node: Node) -> Record | None:
    if node.kind in RECORD_KINDS:
        return services.store.get(node.name)
    for kind in (TOPIC, WORK):
        if node.name.startswith(f"{'topic' if kind is TOPIC else 'project'}:"):
            found = services.store.select(kind.name, GLOBAL, key=node.name.partition(":")[2])
            if found:
                return found[0]
    return None


def _shown(services: Services, node: Node, found: list[_Found]) -> Done:
    own = _record(services, node)
    labels = Labels(services, None)
    lines = [f"[{node.kind}] {_title(services, node, own, labels)}"]
    data: list[dict[str, Any]] = []
    for near, hops, record in found:
        title = _title(services, near.node, record, labels)
        arrow = "  " * (hops - 1) + ("←" if near.back else "→")
        lines.append(f"{arrow} [{near.node.kind}] {title}")
        data.append(
            {
                "node": near.node.name,
                "kind": near.node.kind,
                "title": title,
                "weight": round(near.weight, 3),
                "hops": hops,
                "backlink": near.back,
            }
        )
    if not found:
        lines.append("It has no links.")
    return Done(
        {
            "node": {
                "name": node.name,
                "kind": node.kind,
                "title": _title(services, node, own, labels),
            },
            "near": data,
        },
        Text("\n".join(lines)),
    )


def _title(services: Services, node: Node, record: Record | None, labels: Labels) -> str:
    if node.kind == "session":
        session = services.transcripts.session(node.name.partition(":")[2])
        return node.title if session is None else f"{session.session.title} ({session.session.id})"
    if record is None:
        return labels.path(node.title or node.name)
    if record.kind == EPISODE.name:
        return shown_text(f"{day_of(record)} {episode_line(record)} {labels.of(record.scope)}")
    if record.kind == FACT.name:
        return shown_text(f"{record.text} {labels.of(record.scope)}") + f" ({record.id})"
    title = str(record.data.get("title") or record.data.get("name") or record.text)
    told = record.text if record.text != title and "title" not in record.data else ""
    return shown_text(f"{title} — {told}" if told else title)


def show_map(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show the graph at a glance."""
    seen = services.graph().overview(HUBS)
    counts = dict(sorted(seen.counts.items(), key=lambda one: (-one[1], one[0])))
    labels = Labels(services, None)
    hubs = [
        {
            "node": node.name,
            "kind": node.kind,
            "title": _title(services, node, _record(services, node), labels),
            "links": degree,
        }
        for node, degree in seen.hubs
    ]
    total = sum(counts.values())
    return Done(
        {"nodes": total, "links": seen.links, "kinds": counts, "hubs": hubs},
        Table(
            ("kind", "hub", "links"),
            [(str(one["kind"]), str(one["title"]), str(one["links"])) for one in hubs],
            "Nothing is linked yet."
            if total
            else "The graph is empty: nothing is learned yet. memoro memory learn TEXT",
            f"{_counted(total, 'node')}, {_counted(seen.links, 'link')}"
            + (
                f" ({', '.join(f'{kind} {count:,}' for kind, count in counts.items())})"
                if total
                else ""
            ),
        ),
    )


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
