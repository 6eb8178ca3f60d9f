"""Records of an import: written in pieces under one entry, whoever comes in between."""

from __future__ import annotations

import time
from collections.abc import Generator
from pathlib import Path

import pytest
from search_world import anew, found, live
from store_world import (
    IMPORT_RULES,
    NOW,
    ORIGIN,
    adding,
    done,
    erasing,
    facts_plan,
    keep,
    learned,
    note,
    opened,
    other,
)

from memoro.backends.sqlite.asking import make_ready
from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.filing import BATCH_RECORDS
from memoro.backends.sqlite.incoming import Incoming
from memoro.backends.sqlite.indexing import is_fresh
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import StoreError
from memoro.memory.imported import ImportedRecord
from memoro.memory.importing.outcome import Counted, ImportPlan, Planned
from memoro.memory.importing.planning import import_plan
from memoro.memory.records import FACT, GLOBAL, SAVED_FACT, Record, Trust
from memoro.memory.store import Applied, Plan, Reader
from memoro.memory.undo import undo

MANY = 8 * BATCH_RECORDS


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def store(home: Path) -> Generator[SqliteStore]:
    with opened(home) as (kept, _):
        yield kept


def bring(store: SqliteStore, plan: ImportPlan) -> tuple[Incoming, Planned]:
    incoming = Incoming(store, ORIGIN)
    return incoming, incoming.finish(plan, IMPORT_RULES)


def importing(*records: Record) -> ImportPlan:
    return import_plan([ImportedRecord(one, one.id) for one in records], (), IMPORT_RULES)


def while_planning(plan: ImportPlan, home: Path, *deeds: Plan) -> ImportPlan:
    """The plan, during which somebody else does something."""

    def made(reader: Reader) -> Planned:
        planned = plan(reader)
        with opened(home) as (elsewhere, _):
            for deed in deeds:
                done(elsewhere, deed)
        return planned

    return made


def take_back(store: SqliteStore, change: int | None) -> None:
    assert isinstance(store.apply(undo(change, NOW), ORIGIN), Applied)


@pytest.mark.requirement("M06", "M07")
def test_others_write_while_a_large_import_is_written(store: SqliteStore, home: Path) -> None:
    done(store, adding(note("n_before")))
    waited: list[float] = []
    with other(home, "bring_facts", str(MANY)) as process:
        assert process.line().startswith(f"{BATCH_RECORDS} of ")
        for number in range(5):
            started = time.monotonic()
            done(store, adding(note(f"n_{number}")))
            waited.append(time.monotonic() - started)
        assert process.lines()[-1] == "done"

    assert max(waited) < 1
    rows = run(store.connection, "SELECT kind FROM changes ORDER BY rowid")
    kinds = [kind for (kind,) in rows]
    assert (kinds.count("fact"), kinds.count("note")) == (MANY, 6)
    first, last = kinds.index("fact"), len(kinds) - kinds[::-1].index("fact")
    assert kinds[first:last].count("note") == 5, "all of them came in between"
    assert [one.action for one in store.changes()].count("import") == 1
    assert is_fresh(store.connection)
    make_ready(store, None)
    assert live(store.connection) == anew(store.connection)
    assert found(store, "pin7") == {"m7"}


@pytest.mark.requirement("M06", "P14", "Z03")
def test_an_import_that_is_killed_in_between_loses_nothing_and_is_gone_on_with(home: Path) -> None:
    with other(home, "bring_facts", str(MANY)) as process:
        process.line()
        process.line()
        process.kill()
    with opened(home) as (store, _):
        before = len(store.select(FACT.name))
        assert 0 < before < MANY
        assert before % BATCH_RECORDS == 0
        (first,) = store.changes()
        assert len(first.records) == before

        incoming, planned = bring(store, facts_plan(MANY))
        assert planned.counts[FACT.name] == Counted(new=MANY - before, known=before)
        assert len(store.select(FACT.name)) == MANY
        assert is_fresh(store.connection)
        make_ready(store, None)
        assert live(store.connection) == anew(store.connection)
        take_back(store, incoming.change)
        take_back(store, first.id)
        assert store.select(FACT.name) == []


@pytest.mark.requirement("M06", "Z03")
def test_undo_takes_all_batches_back_and_again_changes_nothing(store: SqliteStore) -> None:
    incoming, planned = bring(store, facts_plan(3 * BATCH_RECORDS))
    (entry,) = store.changes()
    assert (entry.id, len(entry.records)) == (incoming.change, 3 * BATCH_RECORDS)
    assert [one.record_id for one in entry.records] == [one.id for one in planned.records]

    again, nothing = bring(store, facts_plan(3 * BATCH_RECORDS))
    assert (again.change, nothing.records) == (None, [])
    assert nothing.counts[FACT.name].known == 3 * BATCH_RECORDS
    assert len(store.changes()) == 1
    take_back(store, incoming.change)
    assert store.select(FACT.name) == []


@pytest.mark.requirement("M06", "F06")
def test_what_was_said_in_between_stands(store: SqliteStore, home: Path) -> None:
    said = learned(900, "The database is Postgres 16")._replace(trust=Trust.USER)
    plan = importing(
        learned(1, "The database is Postgres 15"),
        learned(2, "The database is postgres 16."),
        learned(3, "Bo plays the cello"),
    )
    incoming, planned = bring(store, while_planning(plan, home, adding(said)))

    assert planned.counts[FACT.name] == Counted(new=2, known=1)
    assert planned.aside == {"m1"}
    kept = {one.id: one for one in store.select(FACT.name)}
    assert set(kept) == {"m900", "m1", "m3"}
    assert kept["m900"] == said
    assert (kept["m1"].superseded_by, kept["m1"].valid_to) == ("m900", NOW)
    take_back(store, incoming.change)
    assert store.select(FACT.name) == [said]


@pytest.mark.requirement("M06", "P16")
def test_what_was_forgotten_in_between_stays_so(store: SqliteStore, home: Path) -> None:
    mine = learned(1)
    plan = facts_plan(3)
    _, planned = bring(store, while_planning(plan, home, adding(mine), erasing(mine)))
    assert [one.why for one in planned.left_out] == ["it was forgotten here, and that is final"]
    assert {one.id for one in store.select(FACT.name)} == {"m0", "m2"}


@pytest.mark.requirement("M06")
def test_what_the_same_import_brought_in_between_is_known(store: SqliteStore, home: Path) -> None:
    records = [learned(number) for number in range(5)]
    _, planned = bring(store, while_planning(facts_plan(7), home, adding(*records)))
    assert planned.counts[FACT.name] == Counted(new=2, known=5)

    # Where nothing is left, nothing is logged.
    more = [learned(number) for number in range(7, 9)]
    incoming, planned = bring(store, while_planning(facts_plan(9), home, adding(*more)))
    assert planned.counts[FACT.name] == Counted(known=9)
    assert incoming.change is None
    assert [one.action for one in store.changes()] == ["note add", "import", "note add"]


@pytest.mark.requirement("M06", "P04")
def test_a_key_that_was_set_in_between_keeps_its_value(store: SqliteStore, home: Path) -> None:
    def saved(key: str, value: str) -> Record:
        return Record(f"f_{key}", SAVED_FACT.name, GLOBAL, key, value, NOW, NOW, trust=2)

    plan = importing(saved("editor", "vim"), saved("style", "brief"), saved("shell", "fish"))
    mine = [saved("editor", "emacs"), saved("style", "brief")]
    deed = adding(*(one._replace(id=f"f_mine_{one.key}", trust=4) for one in mine))
    _, planned = bring(store, while_planning(plan, home, deed))
    assert planned.counts[SAVED_FACT.name] == Counted(new=1, known=1, left_out=1)
    assert "editor: it has been set meanwhile" in planned.left_out[0].why
    values = {one.key: one.text for one in store.select(SAVED_FACT.name, GLOBAL)}
    assert values == {"editor": "emacs", "style": "brief", "shell": "fish"}


@pytest.mark.requirement("M06", "Z03")
def test_an_import_that_is_undone_while_it_goes_on_ends(store: SqliteStore, home: Path) -> None:
    def undo_at_once(line: str) -> None:
        if line.startswith(f"{BATCH_RECORDS} of "):
            with opened(home) as (elsewhere, _):
                take_back(elsewhere, incoming.change)

    incoming = Incoming(store, ORIGIN, told=undo_at_once)
    with pytest.raises(StoreError, match="was undone by change 2 while it went on"):
        incoming.finish(facts_plan(MANY), IMPORT_RULES)
    assert incoming.entry.is_undone
    assert store.select(FACT.name) == []
    assert [one.action for one in store.changes()] == ["undo", "import"]


@pytest.mark.requirement("M06")
def test_large_records_come_few_at_a_time(store: SqliteStore) -> None:
    long = "".join(f"word{number} " for number in range(4_000))
    records = [note(f"n_{number}", f"{number} {long}", trust=2) for number in range(40)]
    lines: list[str] = []
    Incoming(store, ORIGIN, told=lines.append).finish(importing(*records), IMPORT_RULES)
    assert len(lines) > 4
    assert lines[-1] == "40 of 40 kept …"


def test_a_saved_fact_of_another_process_is_seen_in_time(store: SqliteStore, home: Path) -> None:
    """The reader of the plan is the store as it is; what comes after it is looked at later."""

    def plan(reader: Reader) -> Planned:
        with opened(home) as (elsewhere, _):
            keep(elsewhere, "editor", "vim")
        return importing(learned(1))(reader)

    _, planned = bring(store, plan)
    assert [one.id for one in planned.records] == ["m1"]
