"""Conversations of an import: kept in batches under one entry of the log, taken back with it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from datetime import timedelta
from pathlib import Path

import apsw
import pytest
from search_world import TABLES, anew, embed, found, keep, live, say, saying, signed
from store_world import NOW, ORIGIN, adding, done, note, opened

from memoro.backends.sqlite import incoming
from memoro.backends.sqlite.archiving import archived_session
from memoro.backends.sqlite.asking import make_ready
from memoro.backends.sqlite.database import run
from memoro.backends.sqlite.incoming import Incoming
from memoro.backends.sqlite.indexing import is_fresh
from memoro.backends.sqlite.keeping.backups import back_up
from memoro.backends.sqlite.searching.building import is_up
from memoro.backends.sqlite.store import SqliteStore
from memoro.backends.sqlite.transcripts import SqliteTranscripts
from memoro.errors import Reason, Refusal
from memoro.memory.imported import ImportedConversation, ImportedTurn
from memoro.memory.importing.outcome import Counted, ImportPlan, Planned, Rules
from memoro.memory.records import GLOBAL, NOTE, Record
from memoro.memory.store import Applied
from memoro.memory.undo import undo

RULES = Rules(NOW, 0)


@pytest.fixture
def store(tmp_path: Path) -> Generator[SqliteStore]:
    with opened(tmp_path / "home") as (kept, _):
        yield kept


def talk(number: int, *texts: str, first: int = 0) -> ImportedConversation:
    turns = tuple(
        ImportedTurn(
            "user" if at % 2 == 0 else "assistant", text, NOW + timedelta(minutes=at), ref=f"m{at}"
        )
        for at, text in enumerate(texts, first)
    )
    return ImportedConversation(f"chatgpt:c{number}", f"Talk {number}", turns, f"item {number}")


def bring(store: SqliteStore, *talks: ImportedConversation, rehearsal: bool = False) -> Incoming:
    came = Incoming(store, ORIGIN, rehearsal=rehearsal)
    came.keep(iter(talks))
    return came


def planning(*records: Record) -> ImportPlan:
    """A plan that brings these records."""
    return lambda _: Planned(records, {NOTE.name: Counted(new=len(records))}, ())


def take_back(store: SqliteStore, change: int | None) -> Applied | Refusal:
    return store.apply(undo(change, NOW), ORIGIN)


def spoken(store: SqliteStore) -> dict[str, list[str]]:
    rows = run(
        store.connection,
        "SELECT s.title, m.text FROM sessions s JOIN messages m ON m.session = s.id ORDER BY m.seq",
    )
    said: dict[str, list[str]] = {}
    for title, text in rows:
        said.setdefault(str(title), []).append(str(text))
    return said


def refused(outcome: Applied | Refusal) -> Refusal:
    assert isinstance(outcome, Refusal)
    return outcome


@pytest.mark.requirement("M06", "Z03")
def test_all_batches_stand_under_one_entry_with_their_titles_and_times(store: SqliteStore) -> None:
    created, updated = NOW - timedelta(days=9), NOW + timedelta(hours=2)
    many = [talk(number, "a", "b")._replace(created_at=created) for number in range(1_200)]
    came = bring(store, *many, talk(9_999, "z")._replace(updated_at=updated))

    assert (came.brought, came.known, came.turns) == (1_201, 0, 2_401)
    [entry] = store.changes()
    assert (entry.action, entry.id, len(entry.records)) == ("import", came.change, 1_201)
    assert {one.key for one in entry.records} == {"0+2", "0+1"}
    sessions = {one.title: one for one in SqliteTranscripts(store).sessions()}
    assert sessions["Talk 5"].created_at == created
    assert sessions["Talk 9999"].updated_at == updated


@pytest.mark.requirement("M06")
def test_twice_changes_nothing_also_where_times_were_filled_otherwise(store: SqliteStore) -> None:
    bring(store, talk(1, "a", "b"))
    later = tuple(one._replace(at=NOW + timedelta(days=3)) for one in talk(1, "a", "b").turns)
    again = bring(store, talk(1, "a", "b")._replace(turns=later))

    assert (again.change, again.brought, again.known, again.turns) == (None, 0, 1, 0)
    assert spoken(store) == {"Talk 1": ["a", "b"]}


@pytest.mark.requirement("M06")
def test_turns_without_an_id_are_known_as_often_as_they_stand_there(store: SqliteStore) -> None:
    bare = tuple(one._replace(ref=None) for one in talk(1, "yes", "a", "yes").turns)
    bring(store, talk(1)._replace(turns=bare[:1]))
    again = bring(store, talk(1)._replace(turns=bare))

    assert again.turns == 2
    assert spoken(store) == {"Talk 1": ["yes", "a", "yes"]}


@pytest.mark.requirement("M06", "Z03")
def test_undo_takes_added_turns_away_and_leaves_the_others(store: SqliteStore) -> None:
    first = bring(store, talk(1, "a", "b"), talk(2, "c"))
    second = bring(store, talk(1, "a", "b", "d", "e"), talk(3, "f"))
    refusal = refused(take_back(store, first.change))
    assert archived_session("chatgpt:c1") in refusal.what

    assert isinstance(take_back(store, second.change), Applied)
    assert spoken(store) == {"Talk 1": ["a", "b"], "Talk 2": ["c"]}
    assert isinstance(take_back(store, first.change), Applied)
    assert spoken(store) == {}


@pytest.mark.requirement("M06", "Z03")
def test_the_same_conversation_twice_in_one_archive_goes_again_whole(store: SqliteStore) -> None:
    came = bring(store, talk(1, "a"), talk(1, "a", "b"), talk(1, "a"))
    assert (came.brought, came.known, came.turns) == (2, 1, 2)
    assert isinstance(take_back(store, came.change), Applied)
    assert spoken(store) == {}


@pytest.mark.requirement("Z03")
def test_undo_is_refused_whole_where_a_conversation_has_gone_on_here(store: SqliteStore) -> None:
    came = bring(store, talk(1, "a"), talk(2, "b"))
    session = archived_session("chatgpt:c2")
    say(store, session, 1, "and on")

    refusal = refused(take_back(store, came.change))
    assert (refusal.reason, session in refusal.what) == (Reason.CONFLICT, True)
    assert len(spoken(store)) == 2
    SqliteTranscripts(store).delete(session, ORIGIN)
    assert isinstance(take_back(store, came.change), Applied)
    assert spoken(store) == {}


@pytest.mark.requirement("Z03")
def test_an_undoing_is_not_undone_but_importing_again_is(store: SqliteStore) -> None:
    came = bring(store, talk(1, "a"))
    taken = take_back(store, came.change)
    assert isinstance(taken, Applied)
    assert "import" in (refused(take_back(store, taken.change)).fix or "")
    assert bring(store, talk(1, "a")).brought == 1
    assert spoken(store) == {"Talk 1": ["a"]}


@pytest.mark.requirement("P16", "M06")
def test_what_was_deleted_for_good_is_never_imported_again(store: SqliteStore) -> None:
    came = bring(store, talk(1, "a"))
    SqliteTranscripts(store).delete(archived_session("chatgpt:c1"), ORIGIN)
    again = bring(store, talk(1, "a"), talk(2, "b"))

    assert [one.place for one in again.left_out] == ["item 1"]
    assert spoken(store) == {"Talk 2": ["b"]}
    assert "final" in refused(take_back(store, came.change)).what


@pytest.mark.requirement("Z03", "M07")
def test_records_come_under_the_entry_whoever_wrote_in_between(
    store: SqliteStore, tmp_path: Path
) -> None:
    done(store, adding(note("n_old")))
    make_ready(store, None)
    came = bring(store, talk(1, "zebra"))
    with opened(tmp_path / "home") as (other, _):
        done(other, adding(note("n_other", "giraffe")))
    outcome = came.finish(planning(note("n_new", "okapi")), RULES)

    assert [one.id for one in outcome.records] == ["n_new"]
    assert came.change is not None
    entry = store.change(came.change)
    assert entry is not None
    assert [one.record_id for one in entry.records] == [archived_session("chatgpt:c1"), "n_new"]
    assert found(store, "okapi") == {"n_new"}
    assert found(store, "giraffe") == {"n_other"}
    make_ready(store, None)
    assert live(store.connection) == anew(store.connection)
    assert isinstance(take_back(store, came.change), Applied)
    assert (store.get("n_new"), spoken(store)) == (None, {})
    assert live(store.connection) == anew(store.connection)


@pytest.mark.requirement("Z03")
def test_the_graph_follows_records_that_come_late(store: SqliteStore, tmp_path: Path) -> None:
    from memoro.backends.sqlite.graph import SqliteGraph

    done(store, saying("The API listens on port 4000"))
    SqliteGraph(store).overview(1)
    came = bring(store, talk(1, "zebra"))
    with opened(tmp_path / "home") as (other, _):
        done(other, adding(note("n_other")))
    came.finish(planning(note("n_new", tags=("okapi",))), RULES)

    assert is_fresh(store.connection)
    names = {str(name) for (name,) in run(store.connection, "SELECT name FROM derived_nodes")}
    assert any("n_new" in name for name in names)


@pytest.mark.requirement("M06")
def test_a_rehearsal_counts_and_keeps_nothing(store: SqliteStore) -> None:
    bring(store, talk(1, "a"))
    came = bring(store, talk(1, "a", "b"), talk(2, "c"), talk(2, "c"), rehearsal=True)

    assert (came.change, came.brought, came.known, came.turns) == (None, 2, 1, 2)
    assert came.finish(planning(note("n_new")), RULES).records == (note("n_new"),)
    assert (len(store.changes()), spoken(store)) == (1, {"Talk 1": ["a"]})


@pytest.mark.requirement("M06", "P14")
def test_what_was_kept_before_a_failure_stays_and_is_gone_on_with(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incoming, "_BATCH_CONVERSATIONS", 2)

    def breaking() -> Iterator[ImportedConversation]:
        yield from (talk(1, "a"), talk(2, "b"), talk(3, "c"))
        raise KeyboardInterrupt

    came = Incoming(store, ORIGIN)
    with pytest.raises(KeyboardInterrupt):
        came.keep(breaking())
    assert (came.change, came.brought) == (1, 2)
    assert list(spoken(store)) == ["Talk 1", "Talk 2"]
    again = bring(store, talk(1, "a"), talk(2, "b"), talk(3, "c"))
    assert (again.brought, again.known) == (1, 2)


@pytest.mark.requirement("E04", "R01")
def test_what_is_said_here_is_found_while_an_import_waits_for_the_index(
    store: SqliteStore,
) -> None:
    bring(store, *(talk(number, "zebra") for number in range(300)))
    say(store, "s_here", 1, "okapi")
    imported = archived_session("chatgpt:c7")
    say(store, imported, 2, "giraffe")

    assert found(store, "okapi") == {"m_1"}
    assert not is_up(store.connection)
    make_ready(store, None)
    assert len(found(store, "zebra")) == 300
    assert found(store, "giraffe") == {"m_2"}
    assert live(store.connection) == anew(store.connection)


@pytest.mark.requirement("P16", "Z03")
@pytest.mark.parametrize("number", [3, 1_500, 6_000])
def test_nothing_of_an_import_is_left_in_the_index(store: SqliteStore, number: int) -> None:
    keep(store, "before", "zebra one", "zebra two")
    done(store, adding(note("n_1", "zebra three")))
    embed(store)
    came = bring(store, *(talk(one, f"zebra okapi{one % 50}") for one in range(number)))
    make_ready(store, None)
    keep(store, "after", "zebra four")
    embed(store)
    assert len(found(store, "zebra")) == number + 4

    assert isinstance(take_back(store, came.change), Applied)
    assert is_up(store.connection)
    assert found(store, "okapi7") == set()
    assert len(found(store, "zebra")) == 4
    assert live(store.connection) == anew(store.connection)
    units = {unit for (unit,) in run(store.connection, "SELECT id FROM derived_units")}
    vectors = {unit for (unit,) in run(store.connection, "SELECT unit FROM derived_vectors")}
    assert vectors <= units
    assert signed(store.connection) <= units
    assert run(store.connection, "SELECT count(*) FROM derived_sessions") == [(2,)]


@pytest.mark.requirement("M07", "Z03")
def test_a_repair_brings_no_undone_import_back_from_a_backup(tmp_path: Path) -> None:
    from memoro.backends.sqlite.repair.reconciling import reconcile
    from memoro.backends.sqlite.repair.salvaging import Salvaged

    home = tmp_path / "home"
    with opened(home) as (store, _):
        came = bring(store, talk(1, "a"))
        other = bring(store, talk(2, "b"))
        assert store.paths is not None
        backup = back_up(store.connection, store.paths, NOW, "daily")
        assert isinstance(take_back(store, came.change), Applied)
        base = opened_backup(backup)
        # The messages were lost, and come from the backup.
        run(store.connection, "PRAGMA foreign_keys = OFF")
        for table in ("messages", "runs", "sessions", *TABLES):
            run(store.connection, f"DELETE FROM {table}")
        lost = ("sessions", "runs", "messages")
        reconcile(store.connection, Salvaged(1, lost), base)
        base.close()
        assert spoken(store) == {"Talk 2": ["b"]}
        assert isinstance(take_back(store, other.change), Applied)


def opened_backup(path: str) -> apsw.Connection:
    from memoro.backends.sqlite.database import connect

    return connect(path, 0)


def test_scopes_are_those_of_the_conversations(store: SqliteStore) -> None:
    bring(store, talk(1, "a")._replace(scope="project:web"), talk(2, "b"))
    scopes = {one.title: one.scope for one in SqliteTranscripts(store).sessions()}
    assert scopes == {"Talk 1": "project:web", "Talk 2": GLOBAL}
