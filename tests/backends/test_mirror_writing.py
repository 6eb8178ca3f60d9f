"""Writing the plain files: only what changed, in one step, for the owner alone."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from mirror_world import (
    NOW,
    add,
    change,
    drop,
    episode,
    erase,
    folder,
    learned,
    lines,
    note,
    opened,
    saved,
    seen,
    synced,
)

from memoro.backends.mirror.names import is_aside, is_ours, is_partial
from memoro.memory.records import DAILY, GLOBAL, Record
from memoro.memory.store import Use


def test_records_stand_a_line_each_the_newest_first(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        add(store, *(learned(number) for number in range(5)), saved("city", "Lisbon"))
        synced(store, tmp_path)
    facts = (folder(tmp_path) / "facts.json").read_text(encoding="utf-8").splitlines()
    assert (facts[0], facts[-1], len(facts)) == ("[", "]", 7)
    assert [json.loads(line.rstrip(","))["id"] for line in facts[1:-1]] == [
        f"fact{number:06d}" for number in (4, 3, 2, 1, 0)
    ]
    assert lines(folder(tmp_path) / "saved.json")[0]["text"] == "Lisbon"


def test_folders_and_files_are_the_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with opened(tmp_path) as store:
            add(store, learned(1), episode(1, "2026-05-02"))
            synced(store, tmp_path)
    finally:
        os.umask(before)
    for path in [folder(tmp_path), *folder(tmp_path).rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


@pytest.mark.requirement("M04")
def test_a_new_fact_is_one_line_of_one_file(tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=u", "-c", "user.email=u@h", "-C", str(folder(tmp_path))]
    with opened(tmp_path) as store:
        add(store, *(learned(number) for number in range(2_001)), saved("a", "b"))
        synced(store, tmp_path)
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-qm", "all"], check=True)
        before = seen(tmp_path)
        add(store, learned(5_000, "The newest of all"))
        done = synced(store, tmp_path)
        after = seen(tmp_path)
    assert set(done.files) == {"facts-5.json", "MEMORY.md"}
    assert {name for name in before if before[name] != after[name]} == set(done.files)
    ran = subprocess.run([*git, "diff", "--numstat"], check=True, capture_output=True, text=True)
    assert "1\t0\tfacts-5.json" in ran.stdout.splitlines()


def test_a_file_of_five_hundred_takes_no_more_and_a_gap_is_filled(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        add(store, *(learned(number) for number in range(1_001)))
        synced(store, tmp_path)
        counts = {one.name: len(lines(one)) for one in folder(tmp_path).glob("facts*.json")}
        assert counts == {"facts.json": 500, "facts-2.json": 500, "facts-3.json": 1}
        drop(store, "fact000003")
        synced(store, tmp_path)
        add(store, learned(2_000))
        done = synced(store, tmp_path)
    assert set(done.files) == {"facts.json", "MEMORY.md"}
    assert lines(folder(tmp_path) / "facts.json")[0]["id"] == "fact002000"


def test_a_file_of_large_notes_takes_no_more(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        for number in range(3):
            add(store, note(f"n{number}", f"{number} " * 300_000))
            synced(store, tmp_path)
    assert len(list(folder(tmp_path).glob("notes*.json"))) == 2


@pytest.mark.requirement("M04")
def test_use_changes_no_file(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        add(store, *(learned(number) for number in range(3)))
        synced(store, tmp_path)
        before = seen(tmp_path)
        store.note({"fact000001": Use(NOW, "r", "recall")})
        synced(store, tmp_path)
        assert seen(tmp_path) == before
        synced(store, tmp_path, usage=True)
        after = seen(tmp_path)
    assert {name for name in after if before.get(name) != after[name]} == {"usage.json"}
    used = json.loads((folder(tmp_path) / "usage.json").read_text(encoding="utf-8"))
    assert [(one["id"], one["accesses"]) for one in used["most_used"]] == [("fact000001", 2)]


def test_everything_again_touches_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        add(store, *(learned(number) for number in range(700)), episode(1, "2026-05-02"))
        synced(store, tmp_path, usage=True)
        before = seen(tmp_path)
        assert not synced(store, tmp_path, everything=True, usage=True).files
    assert seen(tmp_path) == before


def test_a_file_in_which_nothing_is_left(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        add(store, *(learned(number) for number in range(501)), saved("a", "b"))
        synced(store, tmp_path)
        drop(store, "fact000500")
        drop(store, "f_a")
        synced(store, tmp_path)
        assert not (folder(tmp_path) / "facts-2.json").exists()
        assert (folder(tmp_path) / "saved.json").read_text(encoding="utf-8") == "[]\n"
        assert synced(store, tmp_path).told == ()


def test_the_pages_of_days(tmp_path: Path) -> None:
    jot = Record(
        "d_1", DAILY.name, GLOBAL, None, "A line", NOW, NOW, {"date": "2026-05-02"}, valid_from=NOW
    )
    with opened(tmp_path) as store:
        add(store, jot, episode(1, "2026-05-02"), episode(2, "2026-06-01"))
        synced(store, tmp_path)
        page = folder(tmp_path) / "daily" / "202605" / "20260502.md"
        told = page.read_text(encoding="utf-8")
        assert "A line" in told and "part number 1" in told
        before = seen(tmp_path)
        change(store, "ep_1", data={"date": "2026-05-03"})
        done = synced(store, tmp_path)
        assert "part number 1" not in page.read_text(encoding="utf-8")
        moved = page.with_name("20260503.md")
        assert "part number 1" in moved.read_text(encoding="utf-8")
        assert before["daily/202606/20260601.md"] == seen(tmp_path)["daily/202606/20260601.md"]
        assert set(done.files) >= {"daily/202605/20260502.md", "daily/202605/20260503.md"}
        erase(store, "ep_1")
        drop(store, "d_1")
        synced(store, tmp_path)
    assert not page.parent.exists()


@pytest.mark.requirement("M04")
def test_the_page_of_memory_is_generated_and_within_its_size(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        add(store, *(learned(number) for number in range(3_000)))
        synced(store, tmp_path)
    page = (folder(tmp_path) / "MEMORY.md").read_bytes()
    assert len(page) <= 32 * 1024
    assert b"enerated" in page.splitlines()[0]
    [left_out] = re.findall(rb"stays short: ([0-9,]+) facts", page)
    assert page.count(b"\n- ") + int(left_out.replace(b",", b"")) == 3_000


@pytest.mark.requirement("M04")
@pytest.mark.parametrize("name", ["MEMORY.md", "usage.json", "daily/202605/20260502.md"])
def test_what_was_written_into_a_page_is_never_read_nor_lost(tmp_path: Path, name: str) -> None:
    with opened(tmp_path) as store:
        add(store, learned(1), episode(1, "2026-05-02"))
        synced(store, tmp_path, usage=True)
        mine = (folder(tmp_path) / name).read_bytes() + b"\n- a line of mine\n"
        (folder(tmp_path) / name).write_bytes(mine)
        add(store, learned(2), episode(2, "2026-05-02"))
        done = synced(store, tmp_path, usage=True)
        assert (folder(tmp_path) / f"{name}.edited-1").read_bytes() == mine
        assert b"of mine" not in (folder(tmp_path) / name).read_bytes()
        assert any("edited-1" in line for line in done.told)
        assert synced(store, tmp_path, usage=True).told == ()
        assert len(store.select("fact")) == 2


def test_what_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    mine = {"README.md": b"mine", ".gitignore": b"x", "facts.json.swp": b"y", "facts.txt": b"z"}
    folder(tmp_path).mkdir(mode=0o700)
    for name, data in mine.items():
        (folder(tmp_path) / name).write_bytes(data)
    with opened(tmp_path) as store:
        add(store, learned(1))
        synced(store, tmp_path, everything=True)
    assert {name: (folder(tmp_path) / name).read_bytes() for name in mine} == mine


@pytest.mark.parametrize(
    ("name", "ours", "aside", "partial"),
    [
        ("facts.json", True, False, False),
        ("facts-2.json", True, False, False),
        ("facts-1.json", False, False, False),
        ("facts-02.json", False, False, False),
        ("MEMORY.md", True, False, False),
        ("daily/202605/20260502.md", True, False, False),
        ("daily/202605/20260502.md.edited-1", True, True, False),
        ("facts.json.broken-12", True, True, False),
        ("MEMORY.md.bak", True, True, False),
        (".facts.json.partial", True, False, True),
        ("daily/202605/.20260502.md.partial", True, False, True),
        (".facts.json.broken-1.partial", True, False, True),
        ("other.json", False, False, False),
        (".git/config", False, False, False),
        ("facts.json~", False, False, False),
    ],
)
def test_which_files_are_ours(name: str, ours: bool, aside: bool, partial: bool) -> None:
    assert (is_ours(name), is_aside(name), is_partial(name)) == (ours, aside, partial)


@pytest.mark.requirement("M04")
def test_undo_and_redo_reach_the_files(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        add(store, learned(1, "the first wording of it"))
        synced(store, tmp_path)
        change(store, "fact000001", text="the second wording of it")
        synced(store, tmp_path)
        assert lines(folder(tmp_path) / "facts.json")[0]["text"] == "the second wording of it"
        change(store, "fact000001", text="the first wording of it")
        synced(store, tmp_path, NOW + timedelta(days=2))
    assert lines(folder(tmp_path) / "facts.json")[0]["text"] == "the first wording of it"
