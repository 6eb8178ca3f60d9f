"""`memoro memory facts|longterm|why`: what is known, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.commands.learned.ground import Labels, here, visible_scopes
from memoro.commands.naming import shown_text, whole_id
from memoro.commands.registry import Caller, Done, Result, Table, Text
from memoro.errors import Reason, Refusal
from memoro.memory.facts.archive import missing
from memoro.memory.facts.categories import CATEGORIES
from memoro.memory.facts.statement import category, fact_data, state
from memoro.memory.records import FACT, Record, Trust
from memoro.memory.strength import score

if TYPE_CHECKING:
    from memoro.commands.services import Services
    from memoro.memory.claims import Claim
    from memoro.memory.store import Use

SHOWN = 100
"""How many facts are listed where no limit is given."""

_TRUST = {
    Trust.READ: "read in a file or tool result",
    Trust.INFERRED: "inferred from a conversation",
    Trust.APPROVED: "proposed, and approved by you",
    Trust.USER: "said by you",
}


def list_learned(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show the learned facts, the strongest first."""
    wanted = arguments.get("category")
    if wanted is not None and wanted not in CATEGORIES:
        return Refusal(
            Reason.USAGE, f"there is no category {wanted!r}", f"one of: {', '.join(CATEGORIES)}"
        )
    scopes = visible_scopes(services, arguments, caller)
    if isinstance(scopes, Refusal):
        return scopes
    limit = SHOWN if arguments.get("limit") is None else arguments["limit"]
    if limit < 1:
        return Refusal(Reason.USAGE, "--limit must be at least 1")
    found = _found(services, arguments, scopes, wanted, limit)
    if isinstance(found, Refusal):
        return found
    return _listed(services, found[:limit], len(found) > limit, scopes, arguments)


def _found(
    services: Services,
    arguments: Mapping[str, Any],
    scopes: list[str] | None,
    wanted: str | None,
    limit: int,
) -> list[Record] | Refusal:
    if arguments.get("as_of") is not None:
        from memoro.commands.learned.when import end_of
        from memoro.memory.standing import as_it_stood

        until = end_of(services, arguments["as_of"])
        if isinstance(until, Refusal):
            return until
        every = services.store.select(FACT.name)
        near = [one for one in every if scopes is None or one.scope in scopes]
        stood = [as_it_stood(services.store, one, until) for one in near]
        kept = [one for one in stood if one is not None and state(one) == "current"]
        kept = [one for one in kept if wanted in (None, category(one))]
        return sorted(kept, key=lambda one: (-score(one, until), one.id))
    if arguments.get("archived") or arguments.get("past"):
        states = [
            name
            for name, given in (("archived", "archived"), ("superseded", "past"))
            if arguments.get(given)
        ]
        every = services.store.select(FACT.name)
        return [
            one
            for one in sorted(every, key=lambda one: one.updated_at, reverse=True)
            if state(one) in states
            and (scopes is None or one.scope in scopes)
            and wanted in (None, category(one))
        ]
    # One more than is shown tells that there are more.
    return services.store.strongest(FACT.name, scopes, label=wanted, limit=limit + 1)


def _listed(
    services: Services,
    facts: Sequence[Record],
    more: bool,
    scopes: list[str] | None,
    arguments: Mapping[str, Any],
) -> Done:
    now = services.now()
    labels = Labels(services, scopes)
    kept_to = _kept_to_branches(services, facts)
    facts = [one for one in facts if one.id not in kept_to or arguments.get("all")]
    rows = [
        (
            one.id,
            " ".join(
                part for part in (one.text, labels.of(one.scope), kept_to.get(one.id)) if part
            ),
            category(one),
            f"{score(one, now):.2f}",
            f"{one.confidence:.2f}",
            str(one.accesses),
            services.show_time(one.valid_from or one.created_at),
        )
        for one in facts
    ]
    notices = [f"the first {len(facts):,} are shown; more: --limit N"] if more else []
    if kept_to and not arguments.get("all"):
        notices.append(f"left out, kept to other branches: {len(kept_to)} (--all)")
    return Done(
        [
            {
                **fact_data(one, now),
                "from": labels.anywhere(one.scope),
                "branch": one.data.get("branch"),
            }
            for one in facts
        ],
        Table(
            ("id", "fact", "category", "score", "sure", "uses", "since"),
            rows,
            "No facts are learned yet. Tell one: memoro memory learn TEXT",
        ),
        tuple(notices),
    )


def _kept_to_branches(services: Services, facts: Sequence[Record]) -> dict[str, str]:
    """The facts that are kept to a branch on which we are not, and which is not merged here."""
    kept = [one for one in facts if one.data.get("branch")]
    if not kept:
        return {}
    from memoro.memory.places import shown_on

    workspace = services.learned.workspace()
    at = workspace.branch()
    told: dict[str, str] = {}
    for fact in kept:
        branch = str(fact.data["branch"])
        if not shown_on(branch, at, workspace.is_merged(branch, fact.data.get("tip"))):
            told[fact.id] = f"(branch {branch})"
    return told


def show_longterm(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show everything that is known here as one text, by category."""
    scopes = visible_scopes(services, arguments, caller)
    if isinstance(scopes, Refusal):
        return scopes
    now = services.now()
    labels = Labels(services, scopes)
    facts = services.store.strongest(FACT.name, scopes)
    sections: list[str] = []
    for name in CATEGORIES:
        lines = [
            f"- {one.text} {labels.of(one.scope)}".rstrip()
            for one in facts
            if category(one) == name
        ]
        if lines:
            sections.append("\n".join([f"## {name.capitalize()}", "", *lines]))
    text = "\n\n".join(["# Long-term memory", *sections]) if sections else "Nothing is learned yet."
    return Done([fact_data(one, now) for one in facts], Text(text))


def why_fact(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Say where a fact comes from, what it was used for, and whether it still holds."""
    fact_id = whole_id(services, arguments["id"])
    if isinstance(fact_id, Refusal):
        return fact_id
    fact = services.store.get(fact_id)
    if fact is None and (used := services.store.used_in(fact_id)):
        return _why_run(services, fact_id, used)
    if fact is None or fact.kind != FACT.name:
        return missing(fact_id)
    now = services.now()
    passage = _passage(services, fact)
    uses = services.store.uses(fact.id)
    checks = _checked(services, fact)
    place = Labels(services, []).anywhere(fact.scope) or "global"
    lines = [
        fact.text,
        f"  {_TRUST[Trust(fact.trust)]} ({fact.data.get('provenance')}),"
        f" {services.show_time(fact.valid_from or fact.created_at)}; {place}",
        f"  category {category(fact)}; sure {fact.confidence:.2f}; score {score(fact, now):.2f};"
        f" seen or used {fact.accesses} times, last {_last(services, fact)}",
        f"  {_standing(services, fact)}",
        f"  source: {passage['told']}",
    ]
    if passage.get("text"):
        lines += [f"    | {line}" for line in str(passage["text"]).splitlines()[:12]]
    lines += [f"  check: {one['told']}" for one in checks]
    lines += [
        f"  used {services.show_time(use.at)}: {use.how}"
        + (f" in run {use.run}" if use.run else "")
        for use in uses
    ]
    return Done(
        {
            **fact_data(fact, now),
            "source": passage,
            "uses": [use._asdict() for use in uses],
            "checks": checks,
        },
        Text("\n".join(lines)),
    )


def _why_run(services: Services, run: str, used: list[tuple[str, Use]]) -> Done:
    """What was put before the model in a run, and what its reply drew on."""
    rows: list[tuple[str, ...]] = []
    for thing, use in used:
        record, message = services.store.get(thing), services.transcripts.message(thing)
        text = record.text if record is not None else message.text if message is not None else ""
        score = "" if use.score is None else f"{use.score:.2f}"
        size = "" if use.bytes is None else f"{use.bytes:,}"
        rows.append((use.how, score, size, shown_text(text), thing))
    return Done(
        [{"id": thing, **use._asdict()} for thing, use in used],
        Table(("how", "score", "bytes", "what", "id"), rows, f"Nothing was used in {run}."),
    )


def _standing(services: Services, fact: Record) -> str:
    where = state(fact)
    if where == "current":
        beside = ", ".join(fact.data.get("beside", ()))
        return "current" + (f"; may be the same as {beside}" if beside else "")
    if where == "archived":
        return f"archived ({fact.data.get('why')}); back with: memoro memory restore {fact.id}"
    assert fact.valid_to is not None, "a superseded fact has an end"
    until = services.show_time(fact.valid_to)
    return f"held until {until}; replaced by {fact.superseded_by} ({fact.data.get('why')})"


def _last(services: Services, fact: Record) -> str:
    return services.show_time(fact.accessed_at or fact.created_at)


def _passage(services: Services, fact: Record) -> dict[str, Any]:
    """The message that a fact came from."""
    imported = fact.data.get("imported")
    if isinstance(imported, Mapping):
        parts = (str(imported[name]) for name in ("from", "file") if imported.get(name))
        return {"told": f"imported from {', '.join(parts)}", "imported": dict(imported)}
    if fact.source_message is None:
        changes = services.store.changes(record=fact.id)
        writer = changes[-1].writer if changes else "nobody"
        return {"told": f"given by {writer}, not in a conversation", "writer": writer}
    message = services.transcripts.message(fact.source_message)
    if message is None:
        return {
            "told": f"message {fact.source_message}, which was deleted since",
            "message": fact.source_message,
        }
    return {
        "told": f"{message.role} in session {message.session}, {services.show_time(message.at)}",
        "message": message.id,
        "session": message.session,
        "text": message.text,
        "at": message.at,
    }


def _named(claim: Claim) -> str:
    return f"{claim.subject} {claim.what}".strip()


def _checked(services: Services, fact: Record) -> list[dict[str, Any]]:
    """What the fact names, looked up where that is cheap and local; else when it was last seen."""
    from memoro.memory.claims import claims

    found = claims(fact.text)
    if not found:
        return []
    folder = fact.data.get("path") or here(services, unmarked=True).path
    last = services.show_time(fact.accessed_at or fact.created_at)
    return [
        {
            "kind": seen.claim.kind,
            "what": seen.claim.what,
            "state": seen.state,
            "told": seen.told
            if seen.state != "unknown"
            else f"{seen.told or _named(seen.claim) + ' was not looked up'}; last seen true {last}",
        }
        for seen in services.learned.look(found, folder)
    ]
