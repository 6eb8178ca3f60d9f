"""The plain files when things go wrong: kills, other processes, disks, links, damage."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mirror_world import (
    LATER,
    add,
    change,
    drop,
    edit,
    episode,
    erase,
    facts,
    folder,
    learned,
    lines,
    opened,
    saved,
    seen,
    synced,
    texts,
    write_lines,
)

from memoro.backends.mirror import swapping
from memoro.backends.mirror.watching import is_edited, owes
from memoro.backends.sqlite.store import SqliteStore
from memoro.errors import FileRefusedError

STEPS = ("rename", "fsync", "unlink", "link")


def _filled(home: Path) -> None:
    with opened(home) as store:
        add(store, *(learned(number) for number in range(600)), saved("city", "Lisbon"))
        add(store, episode(1, "2026-05-02"), episode(2, "2026-05-03"))
        synced(store, home)
        change(store, "fact000003", text="A third fact that was reworded")
        change(store, "fact000550", text="A later fact that was reworded")
        drop(store, "fact000007")
        drop(store, "ep_2")
        add(store, learned(900))


def _killed_at(home: Path, step: int) -> bool:
    """Sync in another process that kills itself at that step; whether it came so far."""
    child = os.fork()
    if child == 0:
        left = [step]
        for name in STEPS:
            setattr(os, name, _counted(getattr(os, name), left))
        swapping.exchange = _counted(swapping.exchange, left)
        with opened(home) as store:
            synced(store, home)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _counted(real: Callable[..., Any], left: list[int]) -> Callable[..., Any]:
    def step(*arguments: Any, **options: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments, **options)

    return step


@pytest.mark.requirement("M04", "M07")
def test_a_kill_at_any_step_leaves_whole_files_and_is_taken_for_no_edit(tmp_path: Path) -> None:
    step = 0
    while True:
        step += 1 if step < 12 else 4
        home = tmp_path / str(step)
        _filled(home)
        if not _killed_at(home, step):
            break
        for path in folder(home).glob("*.json"):
            assert isinstance(lines(path), list | dict), path
        with opened(home) as store:
            last = store.changes(limit=1)[0].id
            # Somebody changes the same record again before the files are looked at.
            change(store, "fact000003", text="A third fact that was reworded twice")
            done = synced(store, home, LATER)
            assert store.changes(limit=1)[0].id == last + 1, (step, done.told)
            assert done.told == (), step
            found = {one["text"] for one in facts(home)}
            assert found == texts(store)
            assert not is_edited(store.connection, str(folder(home)))
        assert not list(folder(home).rglob(".*.partial"))
    assert step > 10


def test_two_processes_lose_nothing_of_each_other(tmp_path: Path) -> None:
    _filled(tmp_path)
    children: list[int] = []
    for number in range(4):
        child = os.fork()
        if child == 0:
            for one in range(10):
                with opened(tmp_path) as store:
                    add(store, learned(10_000 + 100 * number + one))
                    synced(store, tmp_path)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0, 0]
    with opened(tmp_path) as store:
        done = synced(store, tmp_path)
        assert done.told == ()
        assert {one["id"] for one in facts(tmp_path)} == {one.id for one in store.select("fact")}
        assert len(facts(tmp_path)) == len({one["id"] for one in facts(tmp_path)}) == 640


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT])
def test_a_disk_that_refuses_harms_nothing_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    _filled(tmp_path)
    before = {name: (folder(tmp_path) / name).read_bytes() for name in seen(tmp_path)}

    def refuse(descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    with opened(tmp_path) as store:
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", refuse)
            done = synced(store, tmp_path)
        assert os.strerror(code) in done.errors[0].what
        assert len(done.errors) == 1
        assert {name: (folder(tmp_path) / name).read_bytes() for name in seen(tmp_path)} == before
        done = synced(store, tmp_path)
        assert done.errors == ()
        assert {one["text"] for one in facts(tmp_path)} == texts(store)


def test_a_small_disk_that_is_full(tmp_path: Path) -> None:
    disk = tmp_path / "memory"
    disk.mkdir(mode=0o700)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=96k,mode=700", "tmpfs", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        with opened(tmp_path) as store:
            add(store, *(learned(number) for number in range(20)))
            synced(store, tmp_path)
            good = (disk / "facts.json").read_bytes()
            add(store, *(learned(number) for number in range(100, 600)))
            done = synced(store, tmp_path)
            assert any("No space" in one.what for one in done.errors)
            assert (disk / "facts.json").read_bytes() == good
            assert not list(disk.glob(".*"))
            assert len(store.select("fact")) == 520
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("what", ["file", "link", "dangling"])
def test_something_else_in_the_folders_place_is_refused(tmp_path: Path, what: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    if what == "file":
        folder(tmp_path).write_text("mine")
    else:
        if what == "link":
            elsewhere.mkdir()
        folder(tmp_path).symlink_to(elsewhere)
    with opened(tmp_path) as store:
        add(store, learned(1))
        with pytest.raises(FileRefusedError) as raised:
            synced(store, tmp_path)
    assert str(folder(tmp_path)) in raised.value.what
    assert not elsewhere.exists() or not list(elsewhere.iterdir())


@pytest.mark.parametrize("what", ["link", "dangling", "folder", "pipe"])
def test_something_else_in_a_files_place_is_left_alone_and_the_others_written(
    tmp_path: Path, what: str
) -> None:
    with opened(tmp_path) as store:
        add(store, learned(1), saved("a", "b"))
        synced(store, tmp_path)
        path, target = folder(tmp_path) / "facts.json", tmp_path / "target"
        path.unlink()
        if what in ("link", "dangling"):
            path.symlink_to(target)
        elif what == "folder":
            path.mkdir()
        else:
            os.mkfifo(path)
        if what == "link":
            target.write_text("[]")
        add(store, saved("c", "d"))
        change(store, "fact000001", text="Another wording of it")
        done = synced(store, tmp_path)
        assert any(str(path) in line for line in done.told)
        assert done.stuck == ("facts.json",)
        assert len(lines(folder(tmp_path) / "saved.json")) == 2
        assert not target.exists() or target.read_text() == "[]"
        assert len(store.select("fact")) == 1
        if what == "folder":
            path.rmdir()
        else:
            path.unlink()
        synced(store, tmp_path)
    assert [one["text"] for one in lines(path)] == ["Another wording of it"]


def test_links_below_the_folder_are_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder(tmp_path).mkdir(mode=0o700)
    (folder(tmp_path) / "daily").symlink_to(elsewhere)
    with opened(tmp_path) as store:
        add(store, episode(1, "2026-05-02"))
        done = synced(store, tmp_path)
    assert done.errors and not list(elsewhere.iterdir())
    assert (folder(tmp_path) / "episodes.json").exists()


class TestForgetting:
    def _forgetful(self, home: Path) -> Callable[[SqliteStore], None]:
        def hook(store: SqliteStore) -> None:
            def clean() -> tuple[str, ...]:
                return synced(store, home, LATER, usage=True).stuck

            store.also_clean = clean

        return hook

    @pytest.mark.requirement("P16")
    def test_leaves_every_file_before_it_is_said(self, tmp_path: Path) -> None:
        with opened(tmp_path) as store:
            self._forgetful(tmp_path)(store)
            add(store, *(learned(number) for number in range(700)), episode(3, "2026-05-02"))
            synced(store, tmp_path)
            gone = erase(store, "fact000003", "fact000650", "ep_3")
            assert gone.remains == ()
            held = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert b"number 3 listens" not in held
        assert b"number 650 listens" not in held
        assert b"part number 3" not in held

    @pytest.mark.requirement("P16")
    def test_that_was_cut_short_is_finished_with_the_next_writing(self, tmp_path: Path) -> None:
        with opened(tmp_path) as store:
            add(store, *(learned(number) for number in range(5)))
            synced(store, tmp_path)
            erase(store, "fact000003")
        assert "number 3" in (folder(tmp_path) / "facts.json").read_text()
        with opened(tmp_path) as store:
            assert owes(store.connection)
            synced(store, tmp_path)
            assert not owes(store.connection)
        assert "number 3" not in (folder(tmp_path) / "facts.json").read_text()

    @pytest.mark.requirement("P16")
    def test_names_the_file_that_still_has_it(self, tmp_path: Path) -> None:
        with opened(tmp_path) as store:
            self._forgetful(tmp_path)(store)
            add(store, *(learned(number) for number in range(12)))
            synced(store, tmp_path)
            write_lines(folder(tmp_path) / "facts.json", lines(folder(tmp_path) / "facts.json")[:1])
            assert erase(store, "fact000011").remains == ("facts.json",)


@pytest.mark.requirement("M07")
class TestRecovering:
    def _lost(self, home: Path) -> None:
        with opened(home) as store:
            add(store, *(learned(number) for number in range(20)), saved("city", "Lisbon"))
            change(store, "fact000004", text="The fourth, reworded")
            synced(store, home)

    def test_a_store_that_is_gone_is_made_from_the_files(self, tmp_path: Path) -> None:
        self._lost(tmp_path)
        with opened(tmp_path) as store:
            before = {one.id: one for one in store.select("fact")}
        for name in ("memory.db", "memory.db-wal", "memory.db-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        files = {name: (folder(tmp_path) / name).read_bytes() for name in seen(tmp_path)}
        with opened(tmp_path) as store:
            done = synced(store, tmp_path, LATER)
            assert done.recovered == 21
            after = {one.id: one for one in store.select("fact")}
            assert {one.text for one in store.select("saved_fact")} == {"Lisbon"}
        assert after == {
            one.id: one._replace(revision=1, accessed_at=one.updated_at) for one in before.values()
        }
        now = {name: (folder(tmp_path) / name).read_bytes() for name in seen(tmp_path)}
        assert {name for name in files if files[name] != now[name]} <= {"usage.json"}

    def test_what_a_rebuilt_store_lacks_or_has_in_an_older_version(self, tmp_path: Path) -> None:
        self._lost(tmp_path)
        with opened(tmp_path) as store:
            connection = store.connection
            _lose(connection, "fact000002")
            older = learned(4)
            connection.execute(
                "UPDATE records SET text = ?, updated_at = ?, revision = 1 WHERE id = ?",
                (older.text, older.updated_at.isoformat(), older.id),
            )
            for (table,) in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'derived_*'"
            ).fetchall():
                connection.execute(f"DELETE FROM {table}").fetchall()
            drop(store, "fact000005")
            erase(store, "fact000006")
            done = synced(store, tmp_path, LATER)
            assert done.recovered == 2
            assert {"The fourth, reworded", learned(2).text} <= texts(store)
            assert store.get("fact000005") is None
            assert store.get("fact000006") is None
        held = (folder(tmp_path) / "facts.json").read_text(encoding="utf-8")
        assert "number 5 listens" not in held and "number 6 listens" not in held

    def test_what_a_person_edited_meanwhile_counts_too(self, tmp_path: Path) -> None:
        self._lost(tmp_path)
        edit(folder(tmp_path) / "facts.json", "port 8001", "port 9001")
        with opened(tmp_path) as store:
            _forget_folder(store.connection)
            done = synced(store, tmp_path, LATER)
            assert done.recovered == 0
            assert "The service number 1 listens on port 9001" in texts(store)
            assert len(store.select("fact")) == 20

    def test_a_newer_version_of_the_store_is_not_overwritten(self, tmp_path: Path) -> None:
        self._lost(tmp_path)
        with opened(tmp_path) as store:
            change(store, "fact000001", text="The first, reworded here")
            _forget_folder(store.connection)
            done = synced(store, tmp_path, LATER)
            assert done.recovered == 0 and done.told == ()
            assert "The first, reworded here" in texts(store)
            assert len(store.select("fact")) == 20

    def test_a_torn_file_beside_a_lost_store_costs_itself(self, tmp_path: Path) -> None:
        self._lost(tmp_path)
        (tmp_path / "memory.db").unlink()
        path = folder(tmp_path) / "saved.json"
        path.write_bytes(path.read_bytes()[:-40])
        with opened(tmp_path) as store:
            done = synced(store, tmp_path, LATER)
            assert done.recovered == 20
            assert any("saved.json, line 2" in one for one in done.told)
        assert path.with_name("saved.json.broken-1").exists()


def _lose(connection: Any, record_id: str) -> None:
    """Lose a record as a torn page would: row and log."""
    connection.execute("DELETE FROM records WHERE id = ?", (record_id,)).fetchall()
    connection.execute("DROP TRIGGER changes_are_kept").fetchall()
    connection.execute("DELETE FROM changes WHERE record_id = ?", (record_id,)).fetchall()


def _forget_folder(connection: Any) -> None:
    for table in ("derived_mirror", "derived_mirror_files", "derived_mirror_lines"):
        connection.execute(f"DELETE FROM {table}").fetchall()
