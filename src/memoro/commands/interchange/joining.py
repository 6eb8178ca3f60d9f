"""Our own export into a store that holds something: what is new comes, and nothing here gives way
unless that is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memoro.commands.interchange.restoring import SHOWN, Source, unknown_told
from memoro.commands.registry import Caller, Done, Result, Text
from memoro.commands.scopes import origin, over_budget
from memoro.errors import Refusal
from memoro.memory.imported import ImportedRecord, LeftOut
from memoro.memory.importing.joining import Outcome, Terms, join_plan
from memoro.memory.plain.exported import record_in
from memoro.memory.records import SAVED_FACT

if TYPE_CHECKING:
    from memoro.commands.ports import Joined
    from memoro.commands.services import Services
    from memoro.memory.plain.exported import Examined
    from memoro.memory.store import ChangeSet, MemoryStore, Plan, Reader, Removal

_CONVERSATIONS = frozenset({"session", "run", "message", "tool_call"})
_STAYS = {
    "change": "changes stay behind: this store has a history of its own",
    "use": "uses stay behind: they are counted where they happen",
    "embedding_cost": "embedding costs stay behind: they were paid elsewhere",
}


class _Joining(NamedTuple):
    """An import that was made, or rehearsed. `wrong` are the IDs of records that are not in the
    store as they were to be."""

    arguments: Mapping[str, Any]
    seen: Examined
    reading: _Reading
    outcome: Outcome
    joined: Joined
    wrong: Sequence[str]

    @property
    def rehearsal(self) -> bool:
        """Whether nothing was changed."""
        return bool(self.arguments.get("dry_run"))

    @property
    def new(self) -> int:
        """How much is new."""
        return len(self.outcome.records) + self.joined.conversations


def join_export(
    services: Services,
    store: MemoryStore,
    seen: Examined,
    arguments: Mapping[str, Any],
    caller: Caller,
) -> Result:
    """Bring in what an export has and the store has not."""
    rehearsal, bring_back = bool(arguments.get("dry_run")), bool(arguments.get("bring_back"))
    as_mine = bool(arguments.get("as_mine")) or not any(store.counts().values())
    terms = Terms(services.now(), services.learned.max_facts(), as_mine, bring_back)
    reading = _Reading(Source(services, arguments["path"], seen))
    outcomes: list[Outcome] = []
    plan = _late(lambda: join_plan(reading.records, terms, outcomes.append))
    joined = services.exporting.join(
        store, reading.conversations(), plan, origin(services, caller), bring_back, rehearsal
    )
    services.importing.progress("")
    if isinstance(joined, Refusal):
        return joined
    outcome = outcomes[-1]
    made = not rehearsal and joined.change is not None
    late = set(joined.overtaken)
    outcome = outcome._replace(records=[one for one in outcome.records if one.id not in late])
    wrong = [one.id for one in outcome.records if store.get(one.id) != one] if made else []
    reading.note(outcome, joined)
    done = _Joining(arguments, seen, reading, outcome, joined, wrong)
    behind = services.recalling.ready(store) if made and joined.turns else ""
    if made and not joined.turns:
        services.recalling.keep_embedding(store, None)
    scopes = dict.fromkeys(one.scope for one in outcome.records if one.kind == SAVED_FACT.name)
    budgets = [line for scope in scopes if made for line in over_budget(services, scope)]
    told = (*unknown_told(reading.all_unknown(joined)), *([behind] if behind else ()), *budgets)
    return Done(_data_of(done), Text("\n".join(_lines_of(done))), told, ok=not wrong)


def _late(make: Any) -> Plan:
    """A plan that is made when it is first run: by then everything has been read."""
    made: list[Plan] = []

    def plan(reader: Reader) -> ChangeSet | Removal | Refusal:
        if not made:
            made.append(make())
        return made[0](reader)

    return plan


class _Reading:
    """What is read: records are put aside, what conversations are made of is given on."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.records: list[ImportedRecord] = []
        self.behind: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()

    @property
    def left_out(self) -> list[LeftOut]:
        """What is left out, and why."""
        return self._source.left_out

    @property
    def more_left_out(self) -> int:
        """How much is left out besides."""
        return self._source.more_left_out

    def conversations(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Read everything."""
        for place, line in self._source.lines():
            kind = str(line.get("type"))
            if kind in _CONVERSATIONS:
                yield place, line
            elif kind == "record":
                found, unknown = record_in(place, line)
                self.unknown.update(unknown)
                if isinstance(found, LeftOut):
                    self._source.leave_out(found)
                else:
                    self.records.append(found)
            elif kind in _STAYS:
                self.behind[kind] += 1
            elif kind != "change_record":
                why = f"lines of type {line.get('type')!r} are not known"
                self._source.leave_out(LeftOut(place, why))

    def note(self, outcome: Outcome, joined: Joined) -> None:
        """Note what did not come of what was read."""
        told = [*outcome.left_out, *(LeftOut(*one) for one in joined.rejected)]
        told += [LeftOut(one, "something of it came in between") for one in joined.overtaken]
        told += [LeftOut(f"conversation {one}", why) for one, why in _kept_out(joined)]
        for one in told:
            self._source.leave_out(one)
        self._source.more_left_out += joined.more_rejected

    def all_unknown(self, joined: Joined) -> dict[str, Mapping[str, int]]:
        """The fields that nothing here has, by type of line."""
        own = {"record": self.unknown} if self.unknown else {}
        return {**own, **joined.unknown}


def _kept_out(joined: Joined) -> Iterator[tuple[str, str]]:
    for one, (there, here) in joined.others.items():
        yield one, f"it has {there:,} messages there and {here:,} here, and stays as it is here"
    for one in joined.forgotten:
        yield one, "it was deleted here, and that is final (to have it again: --bring-back)"
    for one in joined.taken:
        yield one, "other conversations here have the IDs of its runs or messages"


def _data_of(done: _Joining) -> dict[str, Any]:
    joined, outcome, reading = done.joined, done.outcome, done.reading
    return {
        "kind": "memoro",
        "path": done.arguments["path"],
        "form": done.seen.form,
        "missing": done.seen.missing,
        "dry_run": done.rehearsal,
        "change": joined.change,
        "new": done.new,
        "known": joined.known + sum(one.get("known", 0) for one in outcome.counts.values()),
        "counts": {
            **{kind: _counts(counts) for kind, counts in outcome.counts.items()},
            **({"conversation": _conversations(joined)} if any(_conversations(joined)) else {}),
        },
        "turns": joined.turns,
        "stays_behind": dict(reading.behind),
        "left_out": [{"place": one.place, "why": one.why} for one in reading.left_out],
        "more_left_out": reading.more_left_out,
        "unknown_fields": {k: dict(names) for k, names in reading.all_unknown(joined).items()},
        "archived": list(outcome.archived),
        "checked": None if done.rehearsal else len(outcome.records) - len(done.wrong),
        "wrong": list(done.wrong),
    }


def _counts(counts: Mapping[Any, int]) -> dict[str, int]:
    return {one: counts.get(one, 0) for one in ("new", "changed", "known", "left_out")}


def _conversations(joined: Joined) -> dict[str, int]:
    lost = len(joined.forgotten) + len(joined.taken)
    return {"new": joined.conversations, "changed": 0, "known": joined.known, "left_out": lost}


def _lines_of(done: _Joining) -> Iterator[str]:
    would = "Would import" if done.rehearsal else "Imported"
    path, data = done.arguments["path"], _data_of(done)
    if done.new:
        yield f"{would} {done.new:,} new from {path} (memoro)."
    else:
        yield f"Nothing new in {path} (memoro); nothing was changed."
    for kind, counts in data["counts"].items():
        told = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in counts.items() if n)
        yield f"  {kind}: {told}"
    if done.outcome.archived:
        yield (
            f"Archived: {len(done.outcome.archived):,} facts, the weakest of what came; a scope has"
            " no room for more (more room: memoro config set max_facts N)."
        )
    for kind, count in done.reading.behind.items():
        yield f"{count:,} {_STAYS[kind]}"
    yield from _left_out(done)
    if done.rehearsal:
        yield "Nothing was changed. To import it: the same without --dry-run"
    elif done.joined.change is not None:
        yield _checked(done)
        yield f"To take it back: memoro memory undo {done.joined.change}"


def _left_out(done: _Joining) -> Iterator[str]:
    reading = done.reading
    count = len(reading.left_out) + reading.more_left_out
    if count:
        yield f"Left out: {count:,}"
        for one in reading.left_out[:SHOWN]:
            yield f"  {one.place}: {one.why}"
        if count > SHOWN:
            yield f"  … and {count - SHOWN:,} more (with --json: which)"


def _checked(done: _Joining) -> str:
    count = len(done.outcome.records)
    if done.wrong:
        return (
            f"Checked: {len(done.wrong):,} of {count:,} records are not in the store as they were"
            f" read: {', '.join(done.wrong[:SHOWN])}"
        )
    return f"Checked: all {count:,} new records are in the store as they were read."
