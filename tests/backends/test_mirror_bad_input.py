"""What people and their tools put into the folder that no editor would: each costs itself at most,
is told, and deletes nothing unasked."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mirror_world import (
    LATER,
    ORIGIN,
    add,
    change,
    edit,
    episode,
    facts,
    folder,
    learned,
    lines,
    opened,
    saved,
    started,
    synced,
    texts,
    write_lines,
)

from memoro.memory.undo import undo


class TestLarge:
    def _grown(self, path: Path, size: int) -> None:
        with path.open("r+b") as file:
            file.truncate(size)

    @pytest.mark.parametrize("name", ["facts.json", "MEMORY.md", "facts-9.json"])
    def test_a_file_of_a_hundred_megabytes_costs_no_time_and_itself(
        self, tmp_path: Path, name: str
    ) -> None:
        path = started(tmp_path, 12).with_name(name)
        path.touch()
        self._grown(path, 100_000_000)
        with opened(tmp_path) as store:
            add(store, saved("food", "rice"))
            change(store, "fact000001", text="Another wording of it")
            began = time.monotonic()
            done = synced(store, tmp_path, LATER)
            assert time.monotonic() - began < 5
            assert any(str(path) in one and "100,000,000 bytes" in one for one in _told(done))
            assert len(lines(folder(tmp_path) / "saved.json")) == 2
            assert path.stat().st_size == 100_000_000
            asked = synced(store, tmp_path, LATER, asked=True)
            assert any("split it" in one for one in _told(asked))
            path.unlink()
            synced(store, tmp_path, LATER)
            assert "Another wording of it" in {one["text"] for one in facts(tmp_path)}
            assert len(store.select("fact")) == 12

    def test_one_that_can_be_read_is_when_somebody_asks(self, tmp_path: Path) -> None:
        path = started(tmp_path, 12)
        found = lines(path)
        found[0]["text"] = "Bananas are yellow"
        path.write_text(json.dumps(found) + " " * 9_000_000, "utf-8")
        with opened(tmp_path) as store:
            done = synced(store, tmp_path, LATER)
            assert any("memoro memory merge" in one for one in done.told)
            assert "Bananas are yellow" not in texts(store)
            synced(store, tmp_path, LATER, asked=True)
            assert "Bananas are yellow" in texts(store)

    def test_so_is_one_in_which_a_great_deal_is_new(self, tmp_path: Path) -> None:
        path = started(tmp_path, 12)
        made = [{"key": f"k{one}", "text": "v", "kind": "note"} for one in range(2_500)]
        write_lines(path.with_name("topics.json"), made)
        edit(path, "port 8001", "port 9001")
        with opened(tmp_path) as store:
            done = synced(store, tmp_path, LATER)
            assert "The service number 1 listens on port 9001" in texts(store)
            [told] = [one for one in done.told if "topics.json" in one]
            assert "2,500 records" in told and "memoro memory merge" in told
            assert len(lines(path.with_name("topics.json"))) == 2_500
            asked = synced(store, tmp_path, LATER, asked=True)
            assert any("topics.json.broken-1" in one for one in asked.told)

    def test_many_lines_that_are_as_they_were_are_not_waited_for(self, tmp_path: Path) -> None:
        path = started(tmp_path, 2_600)
        every = facts(tmp_path)
        every[5]["text"] = "Bananas are yellow"
        for other in folder(tmp_path).glob("facts-*.json"):
            other.unlink()
        write_lines(path, every)
        with opened(tmp_path) as store:
            synced(store, tmp_path, LATER)
            assert "Bananas are yellow" in texts(store)
            assert len(store.select("fact")) == 2_600


def _told(done: Any) -> list[str]:
    return [*done.told, *(one.what for one in done.errors)]


@pytest.mark.parametrize("code", [errno.EACCES, errno.EPERM])
def test_a_file_that_may_not_be_read_costs_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    path = started(tmp_path, 12)
    edit(path, "port 8001", "port 9001")
    real = os.open

    def refusing(name: Any, flags: int, *rest: Any, **options: Any) -> int:
        if name == "facts.json" and not flags & os.O_CREAT:
            raise OSError(code, os.strerror(code))
        return real(name, flags, *rest, **options)

    with opened(tmp_path) as store:
        add(store, saved("food", "rice"))
        change(store, "fact000002", text="Another wording of it")
        with monkeypatch.context() as patched:
            patched.setattr(os, "open", refusing)
            done = synced(store, tmp_path, LATER)
        assert any(str(path) in one and os.strerror(code) in one for one in done.told)
        assert len(lines(folder(tmp_path) / "saved.json")) == 2
        synced(store, tmp_path, LATER)
        assert "The service number 1 listens on port 9001" in texts(store)
    assert "Another wording of it" in {one["text"] for one in lines(path)}


def test_one_id_in_two_files_is_two_records_and_told(tmp_path: Path) -> None:
    path = started(tmp_path, 12)
    other = lines(path)[3]
    write_lines(path.with_name("facts-2.json"), [{**other, "text": "Plums are purple"}])
    with opened(tmp_path) as store:
        done = synced(store, tmp_path, LATER)
        assert {"Plums are purple", other["text"]} <= texts(store)
        assert any("facts-2.json" in one and "twice" in one for one in done.told)
        assert synced(store, tmp_path, LATER).told == ()
    ids = [one["id"] for one in facts(tmp_path)]
    assert len(ids) == len(set(ids)) == 13


class TestGit:
    """A folder under version control, with the real program."""

    def _git(self, home: Path, *words: str, fails: bool = False) -> None:
        options = ["-c", "user.name=u", "-c", "user.email=u@h", "-c", "init.defaultBranch=main"]
        ran = subprocess.run(
            ["git", *options, "-C", str(folder(home)), *words],
            capture_output=True,
            check=False,
        )
        assert bool(ran.returncode) == fails, ran.stderr.decode()

    def _commit(self, home: Path) -> None:
        self._git(home, "add", ".")
        self._git(home, "commit", "-qm", "as it is")

    @pytest.mark.requirement("M04")
    def test_a_conflict_changes_nothing_and_is_kept_with_both_sides(self, tmp_path: Path) -> None:
        path = started(tmp_path, 12)
        self._git(tmp_path, "init", "-q")
        self._commit(tmp_path)
        self._git(tmp_path, "checkout", "-q", "-b", "other")
        edit(path, "port 8001", "port 9001")
        self._commit(tmp_path)
        self._git(tmp_path, "checkout", "-q", "main")
        edit(path, "port 8001", "port 7001")
        self._commit(tmp_path)
        with opened(tmp_path) as store:
            synced(store, tmp_path, LATER)
            self._git(tmp_path, "commit", "-qam", "as it was merged")
            self._git(tmp_path, "merge", "other", fails=True)
            before = store.select("fact")
            done = synced(store, tmp_path, LATER)
            assert store.select("fact") == before
        assert any("git has left a conflict there (<<<<<<<)" in one for one in done.told)
        kept = path.with_name("facts.json.broken-1").read_text("utf-8")
        assert "port 9001" in kept and "port 7001" in kept
        assert "<<<<" not in path.read_text("utf-8")

    @pytest.mark.requirement("M04")
    def test_an_older_state_that_lacks_little_is_one_change(self, tmp_path: Path) -> None:
        path = started(tmp_path, 12)
        self._git(tmp_path, "init", "-q")
        self._commit(tmp_path)
        with opened(tmp_path) as store:
            add(store, learned(50), episode(1, "2026-05-02"))
            change(store, "fact000001", text="Another wording of it")
            synced(store, tmp_path)
            self._commit(tmp_path)
            self._git(tmp_path, "checkout", "-q", "main~1", "--", ".")
            done = synced(store, tmp_path, LATER)
            merged = done.taken.merged
            assert [one.id for one in merged.deleted] == ["fact000050"]
            assert [one.text for one in merged.changed] == [learned(1).text]
            # Git took no file away, and nothing was deleted with one.
            assert len(store.select("episode")) == 1
            last = store.changes(limit=1)[0]
            store.apply(undo(last.id, LATER), ORIGIN)
            assert {"Another wording of it", learned(50).text} <= texts(store)
            synced(store, tmp_path, LATER)
        assert len(lines(path)) == 13

    @pytest.mark.requirement("M04")
    def test_one_that_lacks_most_waits_for_a_word(self, tmp_path: Path) -> None:
        started(tmp_path, 12)
        self._git(tmp_path, "init", "-q")
        self._commit(tmp_path)
        with opened(tmp_path) as store:
            add(store, *(learned(number) for number in range(100, 120)))
            synced(store, tmp_path)
            self._commit(tmp_path)
            self._git(tmp_path, "checkout", "-q", "main~1", "--", ".")
            done = synced(store, tmp_path, LATER)
            assert [one[1:] for one in done.waiting] == [(20, 32)]
            assert len(store.select("fact")) == 32
            synced(store, tmp_path, LATER, allowed=None)
            assert len(store.select("fact")) == 12
            store.apply(undo(store.changes(limit=1)[0].id, LATER), ORIGIN)
            assert len(store.select("fact")) == 32

    def test_where_files_go_with_the_branch_nothing_is_deleted(self, tmp_path: Path) -> None:
        started(tmp_path, 12)
        self._git(tmp_path, "init", "-q")
        self._commit(tmp_path)
        with opened(tmp_path) as store:
            self._git(tmp_path, "checkout", "-q", "-b", "other")
            add(store, *(learned(number) for number in range(100, 700)))
            synced(store, tmp_path)
            self._commit(tmp_path)
            self._git(tmp_path, "checkout", "-q", "main")
            done = synced(store, tmp_path, LATER)
            assert any("deletes no record" in one for one in done.told)
            waits = {one.file: one.deleted for one in done.waiting}
            assert waits == {"facts.json": 488}
            assert len(store.select("fact")) == 612


@pytest.mark.requirement("M04")
@pytest.mark.parametrize("what", ["folder", "files", "contents"])
def test_what_is_wiped_away_deletes_nothing(tmp_path: Path, what: str) -> None:
    path = started(tmp_path, 12)
    ways: dict[str, Callable[[], object]] = {
        "folder": lambda: subprocess.run(["rm", "-rf", str(folder(tmp_path))], check=True),
        "files": lambda: [one.unlink() for one in folder(tmp_path).iterdir()],
        "contents": lambda: [one.write_bytes(b"") for one in folder(tmp_path).glob("*.json")],
    }
    good = path.read_bytes()
    ways[what]()
    with opened(tmp_path) as store:
        last = store.changes(limit=1)[0].id
        done = synced(store, tmp_path, LATER)
        assert done.told
        assert store.changes(limit=1)[0].id == last
        assert synced(store, tmp_path, LATER).told == ()
    assert path.read_bytes() == good


def test_a_folder_that_is_taken_away_while_it_is_written_is_told_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memoro.backends.mirror.folder import Folder

    path = started(tmp_path, 12)
    prepare = Folder.prepare

    def away(self: Folder, name: str, data: bytes) -> Any:
        if folder(tmp_path).exists():
            subprocess.run(["rm", "-rf", str(folder(tmp_path))], check=True)
        return prepare(self, name, data)

    with opened(tmp_path) as store:
        add(store, learned(50))
        with monkeypatch.context() as patched:
            patched.setattr(Folder, "prepare", away)
            done = synced(store, tmp_path, LATER)
        assert any("taken away" in one for one in _told(done))
        synced(store, tmp_path, LATER)
        assert len(store.select("fact")) == 13
    assert len(lines(path)) == 13
