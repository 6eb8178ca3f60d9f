"""The port to the store: what is read from it, and how it is changed.

Every change goes through `MemoryStore.apply` with a plan: a pure function that is given a reader
inside the write transaction and answers with the changes to make, or with a refusal. What a plan
has read can't change before its changes are committed, whoever else is writing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from memoro.errors import Refusal
from memoro.memory.records import Record

SESSION = "session"
"""What the log calls a conversation, which is no record."""


SWEEP = "sweep"
"""The action that puts a masked text in the place of one that has to go; final."""


REDACT = "redact"
"""The action that takes passages out of a note; final."""


class Origin(NamedTuple):
    """Who makes a change, and when.

    `writer` is the surface ("command line", "model", "library"). `tool_call` is the row of the
    tool log whose outcome is recorded together with the change, in the same transaction.
    """

    writer: str
    at: datetime
    run: str | None = None
    message: str | None = None
    tool_call: int | None = None


class Change(NamedTuple):
    """One record before and after: `before` None makes it, `after` None takes it away."""

    before: Record | None
    after: Record | None

    @property
    def subject(self) -> Record:
        """The record that the change is about."""
        record = self.after or self.before
        assert record is not None, "a change has a before or an after"
        return record


class ChangeSet(NamedTuple):
    """What is changed together, logged together and undone together.

    `action` is the word the log shows ("remember", "replace", "undo" …); `undoes` the set that
    this one takes back. `withdraws` are conversations that an import brought or added to, by ID,
    with the number of turns that stay; one without any goes.
    """

    action: str
    changes: Sequence[Change]
    undoes: int | None = None
    withdraws: Mapping[str, int] = {}


class Removal(NamedTuple):
    """Records that a forgetting takes out of every place, by ID; final.

    `erases` gives a text without the passages that have to go; where it is given, messages, tool
    records and notes lose theirs with the records.
    """

    action: str
    records: Sequence[Record]
    erases: Callable[[str], str] | None = None


class LoggedRecord(NamedTuple):
    """A record as the log tells of it; `before` and `after` are None where there was none, or
    where the content has been forgotten since."""

    record_id: str
    kind: str
    scope: str
    key: str | None
    before: Record | None
    after: Record | None


class LoggedChange(NamedTuple):
    """An entry of the append-only log of changes. `final` marks a forgetting."""

    id: int
    at: datetime
    action: str
    writer: str
    run: str | None
    message: str | None
    undoes: int | None
    undone_by: int | None
    final: bool
    records: tuple[LoggedRecord, ...]


class Applied(NamedTuple):
    """A committed change: the `change` is its ID in the log; `records` those that it left.

    `remains` names the places, if any, that a forgetting could not clean yet.
    """

    change: int
    records: tuple[Record, ...]
    remains: tuple[str, ...] = ()


class Use(NamedTuple):
    """A time at which something was used, and how ("recall", "neighbors" …).

    `score` is how well it matched, `bytes` what was shown of it, where it came from a search.
    """

    at: datetime
    run: str | None
    how: str
    score: float | None = None
    bytes: int | None = None


class Reader(Protocol):
    """Reads the records and their log."""

    def select(
        self, kind: str, scope: str | None = None, *, key: str | None = None
    ) -> list[Record]:
        """Records of one kind, of every scope or of one, in the order of scope, key and ID."""
        ...

    def get(self, record_id: str) -> Record | None:
        """The record of that ID."""
        ...

    def beginning(self, prefix: str, limit: int) -> list[str]:
        """The IDs of records that begin like this, sorted."""
        ...

    def forgotten(self, ids: Collection[str]) -> set[str]:
        """Those of these IDs that are of records which were forgotten for good."""
        ...

    def turns(self, sessions: Collection[str]) -> dict[str, int]:
        """How many turns each of these conversations has; those that are not here are left out."""
        ...

    def change(self, change_id: int) -> LoggedChange | None:
        """One entry of the log."""
        ...

    def changes(
        self,
        *,
        scope: str | None = None,
        record: str | None = None,
        kind: str | None = None,
        key: str | None = None,
        limit: int | None = None,
    ) -> list[LoggedChange]:
        """Entries of the log, newest first, with all the records of each."""
        ...

    def alike(self, kind: str, scope: str, words: Collection[str], limit: int) -> list[Record]:
        """Current records of a scope that share any of these words, those with the rarest first."""
        ...

    def about(self, words: Collection[str], limit: int) -> list[Record]:
        """Records of every kind and scope that share the most of these words, the best first."""
        ...

    def weakest(
        self,
        kind: str,
        scope: str | None,
        *,
        limit: int | None = None,
        below: float | None = None,
    ) -> list[Record]:
        """Current records that fade, the weakest first; with `below`, those of less strength."""
        ...

    def strongest(
        self,
        kind: str,
        scopes: Collection[str] | None,
        *,
        label: str | None = None,
        limit: int | None = None,
    ) -> list[Record]:
        """Current records that fade, the strongest first; of one category with `label`."""
        ...

    def current(self, kind: str, scope: str | None = None) -> int:
        """How many records that fade are current."""
        ...

    def uses(self, record_id: str) -> list[Use]:
        """Each time that a record was used, the latest first."""
        ...

    def used_in(self, run: str) -> list[tuple[str, Use]]:
        """What was used in a run, by ID, in the order in which it was."""
        ...

    def scopes(self, kind: str) -> list[str]:
        """The scopes that have current records of a kind that fades, sorted."""
        ...

    def between(
        self,
        kinds: Collection[str],
        scopes: Collection[str] | None,
        since: datetime | None,
        until: datetime | None,
        *,
        limit: int | None = None,
    ) -> list[Record]:
        """Records whose time lies in [since, until), the latest first."""
        ...


Plan = Callable[[Reader], ChangeSet | Removal | Refusal]


class MemoryStore(Reader, Protocol):
    """The store of everything remembered. Synchronous; may be used from one thread at a time."""

    def apply(self, plan: Plan, origin: Origin) -> Applied | Refusal:
        """Run `plan` under the write lock and commit what it asks for, durably, as one change.

        A refusal changes nothing. A `Removal` also leaves no trace of the content in the log,
        the backups, freed pages or the write-ahead log.

        Raises:
            StoreLockedError: another process kept the lock for too long; nothing was changed.
            StoreError: the change could not be made, or (disk failure while committing) it is
                unknown whether it was.
        """
        ...

    def use(self, ids: Collection[str], at: datetime, run: str | None, how: str) -> None:
        """Note that records were used, which makes them stronger; not a change that is undone."""
        ...

    def note(self, uses: Mapping[str, Use], *, strengthens: bool = True) -> None:
        """Note uses of records and of messages, by ID; records become stronger, unless they were
        only put before a model."""
        ...

    def counts(self) -> dict[str, int]:
        """How many records there are of each kind."""
        ...

    def close(self) -> None:
        """Let go of the store."""
        ...
