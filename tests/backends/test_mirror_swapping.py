"""A file replaced while somebody saves it, at exactly the moment that no look can see: between the
last look and the exchange, where `replace` asks whether what it has found may go."""

from __future__ import annotations

import json
import os
import select
from collections.abc import Callable
from pathlib import Path

import pytest
from mirror_world import NOW, add, folder, learned, lines, opened, synced, texts

from memoro.backends.mirror import exchanging, swapping
from memoro.backends.mirror.folder import Folder
from memoro.backends.mirror.names import is_aside
from memoro.backends.mirror.state import announce, digest_of_bytes
from memoro.backends.mirror.swapping import Swapped, beside, drop_beside, remove, replace
from memoro.errors import FileRefusedError, StoreError

OLD, NEW, MINE = b"as it was", b"as it is to be", b"as a person saved it"
NAME = "facts.json"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A file that is to be replaced."""
    path = tmp_path / NAME
    path.write_bytes(OLD)
    return path


def by_rename(path: Path, data: bytes = MINE) -> None:
    """Save as most editors do."""
    other = path.with_name("4913~")
    other.write_bytes(data)
    other.replace(path)


def in_place(path: Path, data: bytes = MINE) -> None:
    """Save as the simple ones do."""
    path.write_bytes(data)


def over_it(path: Path, data: bytes = MINE) -> None:
    """Write over what is there, and cut it off afterwards."""
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()


def anew(path: Path, data: bytes = MINE) -> None:
    """Remove it, then write another."""
    path.unlink()
    path.write_bytes(data)


def through_a_copy(path: Path, data: bytes = MINE) -> None:
    """Move the old one aside, as editors that keep a backup do."""
    path.replace(path.with_name("facts.json~"))
    path.write_bytes(data)


SAVINGS = (by_rename, in_place, over_it, anew, through_a_copy)


def swap(path: Path, meanwhile: Callable[[], None], *, goes: bool = False) -> Swapped:
    """Replace or remove a file; `meanwhile` happens when it was looked at last."""

    def may_go(data: bytes) -> bool:
        assert data == OLD
        meanwhile()
        return True

    opened_folder = Folder.open(str(path.parent), make=False)
    assert opened_folder is not None
    with opened_folder as found:
        if goes:
            return remove(found, path.name, may_go)
        found.prepare(path.name, NEW)
        return replace(found, path.name, may_go)


def rest(path: Path) -> set[str]:
    """What lies beside a file."""
    return {one.name for one in path.parent.iterdir()} - {path.name}


def taken(path: Path) -> bytes | None:
    """What was taken away of a file and is to be read; it is thrown away."""
    opened_folder = Folder.open(str(path.parent), make=False)
    assert opened_folder is not None
    with opened_folder as found:
        data = beside(found, path.name)
        drop_beside(found, path.name)
        return data


def _no(*_: object) -> bool:
    return False


def test_where_nobody_saves_it_takes_the_place(place: Path) -> None:
    done = swap(place, lambda: None)
    assert (done.done, place.read_bytes()) == (True, NEW)
    assert done.gone is not None and done.gone.late() is None
    assert rest(place) == set()
    place.write_bytes(OLD)
    assert swap(place, lambda: None, goes=True).done
    assert not place.exists() and rest(place) == set()


@pytest.mark.requirement("M04")
@pytest.mark.parametrize("goes", [False, True])
@pytest.mark.parametrize("saving", SAVINGS)
def test_a_save_between_the_last_look_and_the_exchange_is_kept_to_be_read(
    place: Path, saving: Callable[[Path], None], goes: bool
) -> None:
    done = swap(place, lambda: saving(place), goes=goes)
    assert not done.done
    assert rest(place) <= {"facts.json~", ".facts.json.swap"}
    assert taken(place) == MINE
    assert (place.read_bytes() if place.exists() else None) == (None if goes else NEW)
    assert rest(place) <= {"facts.json~"}


@pytest.mark.parametrize("saving", SAVINGS)
def test_a_save_over_the_new_one_stands_in_its_place(
    place: Path, monkeypatch: pytest.MonkeyPatch, saving: Callable[[Path, bytes], None]
) -> None:
    exchange = exchanging.exchange

    def between_two_saves(where: int, one: str, other: str) -> bool:
        saving(place, b"the first")
        done = exchange(where, one, other)
        saving(place, b"the second")
        return done

    monkeypatch.setattr(swapping, "exchange", between_two_saves)
    assert not swap(place, lambda: None).done
    assert (taken(place), place.read_bytes()) == (b"the first", b"the second")


def test_a_file_that_somebody_is_writing_to_is_left(place: Path) -> None:
    with place.open("r+b") as file:
        done = swap(place, lambda: None)
        assert not done.done
        file.write(MINE)
        file.truncate()
    assert place.read_bytes() == MINE
    assert rest(place) == set()


def test_one_that_somebody_only_reads_is_replaced(place: Path) -> None:
    with place.open("rb") as file:
        done = swap(place, lambda: None)
        assert file.read() == OLD
    assert done.done and place.read_bytes() == NEW


def test_what_is_written_afterwards_into_the_old_one_is_seen(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where the system does not tell who has a file open.
    monkeypatch.setattr(swapping, "is_being_written", _no)
    with place.open("r+b") as file:
        done = swap(place, lambda: None)
        assert done.done and done.gone is not None
        file.write(MINE)
        file.truncate()
        file.flush()
        assert done.gone.late() == MINE


@pytest.mark.parametrize("goes", [False, True])
@pytest.mark.parametrize("what", ["link", "folder", "pipe"])
def test_something_else_in_its_place_stays_there(place: Path, what: str, goes: bool) -> None:
    def meanwhile() -> None:
        place.unlink()
        if what == "link":
            place.symlink_to(place.with_name("other"))
        elif what == "folder":
            place.mkdir()
        else:
            os.mkfifo(place)

    with pytest.raises(FileRefusedError):
        swap(place, meanwhile, goes=goes)
    assert place.is_symlink() or place.is_dir() or place.is_fifo()
    with pytest.raises(FileRefusedError):
        swap(place, lambda: None, goes=goes)
    assert rest(place) == set()


def test_one_that_was_taken_away_meanwhile(place: Path) -> None:
    assert swap(place, place.unlink).done
    assert place.read_bytes() == NEW
    assert rest(place) == set()


def test_a_place_that_is_taken_meanwhile(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.unlink()
    link = os.link

    def saved_before(*names: str, **options: int) -> None:
        by_rename(place)
        link(*names, **options)

    monkeypatch.setattr(os, "link", saved_before)
    assert not swap(place, lambda: None).done
    assert place.read_bytes() == MINE
    assert rest(place) == set()


def test_where_names_can_not_be_exchanged(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swapping, "exchange", _no)
    done = swap(place, lambda: None)
    assert done.done and place.read_bytes() == NEW
    place.write_bytes(OLD)
    done = swap(place, lambda: over_it(place))
    assert done.done and done.gone is not None and done.gone.late() == MINE
    assert rest(place) == set()


def test_a_folder_that_is_taken_away_is_told(place: Path) -> None:
    def away() -> None:
        for one in place.parent.iterdir():
            one.unlink()
        place.parent.rmdir()

    with pytest.raises(StoreError) as raised:
        swap(place, away)
    assert str(place) in raised.value.what


@pytest.mark.requirement("M04", "M07")
class TestAfterAKill:
    """What a process has left that was killed between an exchange and whatever comes after it."""

    def _left(self, home: Path, beside: Callable[[bytes, bytes], bytes]) -> None:
        with opened(home) as store:
            add(store, *(learned(number) for number in range(3)))
            synced(store, home)
            path = folder(home) / NAME
            old = path.read_bytes()
            add(store, learned(9))
            # Announced and exchanged, and no more: as the store was before, and the new file.
            connection = store.connection
            rows = {
                table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES
            }
            synced(store, home)
            new, page = path.read_bytes(), path.with_name("MEMORY.md").read_bytes()
            for table, found in rows.items():
                connection.execute(f"DELETE FROM {table}").fetchall()
                marks = ", ".join("?" * len(found[0]))
                connection.executemany(f"INSERT INTO {table} VALUES ({marks})", found)
            coming = {NAME: digest_of_bytes(new), "MEMORY.md": digest_of_bytes(page)}
            announce(connection, coming)
            path.with_name(".facts.json.swap").write_bytes(beside(old, new))

    def test_what_is_ours_goes(self, tmp_path: Path) -> None:
        self._left(tmp_path, lambda old, _: old)
        with opened(tmp_path) as store:
            last = store.changes(limit=1)[0].id
            assert synced(store, tmp_path).told == ()
            assert store.changes(limit=1)[0].id == last
        assert len(lines(folder(tmp_path) / NAME)) == 4
        assert not list(folder(tmp_path).glob(".*"))

    def test_what_somebody_saved_over_the_old_one_is_merged_as_that(self, tmp_path: Path) -> None:
        self._left(tmp_path, lambda old, _: old.replace(b"port 8001", b"port 9001"))
        with opened(tmp_path) as store:
            assert synced(store, tmp_path).told == ()
            assert "The service number 1 listens on port 9001" in texts(store)
            # It did not have what is new yet; that is no deletion.
            assert learned(9).text in texts(store)
            assert len(store.select("fact")) == 4
        assert not list(folder(tmp_path).glob(".*"))

    def test_a_syntax_error_in_it_is_kept_aside(self, tmp_path: Path) -> None:
        self._left(tmp_path, lambda old, _: old[:-20])
        with opened(tmp_path) as store:
            told = synced(store, tmp_path).told
            assert len(store.select("fact")) == 4
        assert len(told) == 1 and "facts.json.broken-1" in told[0]
        assert not list(folder(tmp_path).glob(".*"))

    def test_where_the_store_is_gone_it_is_kept_aside(self, tmp_path: Path) -> None:
        self._left(tmp_path, lambda old, _: old.replace(b"port 8001", b"port 9001"))
        (tmp_path / "memory.db").unlink()
        with opened(tmp_path) as store:
            told = synced(store, tmp_path).told
            assert len(store.select("fact")) == 4
        assert any("facts.json.edited-1" in one for one in told)
        assert b"9001" in (folder(tmp_path) / "facts.json.edited-1").read_bytes()


TABLES = ("derived_mirror", "derived_mirror_files", "derived_mirror_lines")


@pytest.mark.requirement("M04")
@pytest.mark.parametrize("saving", SAVINGS)
def test_a_save_at_that_moment_is_merged_in_the_same_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saving: Callable[[Path, bytes], None]
) -> None:
    path = folder(tmp_path) / NAME
    with opened(tmp_path) as store:
        add(store, *(learned(number) for number in range(3)))
        synced(store, tmp_path)
        exchange, done = exchanging.exchange, list[str]()

        def saved_before(where: int, one: str, other: str) -> bool:
            if other == NAME and not done:
                done.append(other)
                text = path.read_text("utf-8").replace("port 8001", "port 9001")
                saving(path, text.encode())
            return exchange(where, one, other)

        monkeypatch.setattr(swapping, "exchange", saved_before)
        add(store, learned(9))
        told = synced(store, tmp_path).told
        assert done and told == ()
        assert "The service number 1 listens on port 9001" in texts(store)
        assert len(store.select("fact")) == 4
    assert len(lines(path)) == 4 and "9001" in path.read_text("utf-8")


def test_a_page_that_is_saved_at_that_moment_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder(tmp_path) / "MEMORY.md"
    with opened(tmp_path) as store:
        add(store, learned(1))
        synced(store, tmp_path)
        exchange, done = exchanging.exchange, list[str]()

        def saved_before(where: int, one: str, other: str) -> bool:
            if other == path.name and not done:
                done.append(other)
                by_rename(path)
            return exchange(where, one, other)

        monkeypatch.setattr(swapping, "exchange", saved_before)
        add(store, learned(2))
        told = synced(store, tmp_path).told
    assert done and len(told) == 1 and "MEMORY.md.edited-1" in told[0]
    assert path.with_name("MEMORY.md.edited-1").read_bytes() == MINE
    assert b"number 2" in path.read_bytes()


@pytest.mark.requirement("M04")
def test_of_thousands_of_saves_while_it_is_replaced_none_is_lost(place: Path) -> None:
    count = 4 * 500
    place.write_text("[]", "utf-8")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for number in range(count):
                found = json.loads(place.read_text("utf-8"))
                QUICK[number % len(QUICK)](place, json.dumps([*found, number]).encode())
            code = 0
        finally:
            os._exit(code)
    known, replaced = set[int](), 0
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        found = _replaced_by_nothing(place)
        known |= found
        replaced += bool(found)
    assert ended[1] == 0
    known |= set(json.loads(place.read_text("utf-8")))
    assert set(range(count)) - known == set()
    assert replaced > 10


QUICK = (by_rename, in_place, over_it)


def _replaced_by_nothing(place: Path) -> set[int]:
    """Replace a list of numbers by an empty one; gives the numbers that were in it."""
    known = set[int]()

    def may_go(data: bytes) -> bool:
        try:
            found = json.loads(data)
        except ValueError:
            return False
        known.update(found)
        return True

    opened_folder = Folder.open(str(place.parent), make=False)
    assert opened_folder is not None
    with opened_folder as found:
        found.prepare(place.name, b"[]")
        done = replace(found, place.name, may_go)
    taken_away = (taken(place), None if done.gone is None else done.gone.late())
    return known.union(*(json.loads(data) for data in taken_away if data is not None))


@pytest.mark.requirement("M04", "M07")
def test_a_process_that_saves_all_the_time_loses_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        add(store, learned(0))
        synced(store, tmp_path)
    going, stop = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(stop)
        count = 255
        try:
            count = _save_until(going, folder(tmp_path) / NAME)
        finally:
            os._exit(count)
    os.close(going)
    for number in range(1, 16):
        with opened(tmp_path) as store:
            add(store, learned(number))
            synced(store, tmp_path, NOW)
    os.close(stop)
    status = os.waitpid(child, 0)[1]
    assert os.WIFEXITED(status)
    with opened(tmp_path) as store:
        synced(store, tmp_path, NOW, allowed=None)
        after = [logged.after for one in store.changes() for logged in one.records]
        known = {one.text for one in after if one is not None}
    count = os.waitstatus_to_exitcode(status)
    assert 10 < count < 255
    aside = [one for one in folder(tmp_path).iterdir() if is_aside(one.name)]
    known |= {one["text"] for path in aside for one in lines(path)}
    assert {f"My line {one}" for one in range(count)} - known == set()


def _save_until(going: int, path: Path) -> int:
    """Add a line to a file with one editor after another, until nobody is at the other end."""
    for number in range(250):
        if select.select([going], [], [], 0)[0]:
            return number
        saving = SAVINGS[number % len(SAVINGS)]
        try:
            found = lines(path)
        except FileNotFoundError:
            found = []
        data = json.dumps([{"text": f"My line {number}"}, *found]).encode()
        try:
            saving(path, data)
        except FileNotFoundError:
            by_rename(path, data)
    return 250
