"""The plain files as people use them: read, edited, merged, taken back."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from commands.here import Here
from running import Memoro, Ran


def _folder(memoro: Here | Memoro) -> Path:
    return memoro.home / "memory"


def _lines(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def _facts(memoro: Here) -> set[str]:
    return {one["text"] for one in memoro.ok("memory", "facts", "--all", "--json").json}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that was filled by commands."""
    made = Memoro(tmp_path_factory.mktemp("filled"))
    made.ok("memory", "remember", "city", "Lisbon")
    made.ok("memory", "learn", "I prefer tea over coffee")
    made.ok("memory", "learn", "The API runs on port 8080")
    made.ok("memory", "learn", "Releases are cut on Thursdays")
    made.ok("memory", "profile", "set", "name=Ana", "skills_add=python")
    made.ok("memory", "topic", "DNS", "how names are found")
    made.ok("memory", "work", "website", "the public site")
    made.ok("memory", "episode", "Shipped the new search", "--date", "2026-05-02")
    return made.home


@pytest.fixture
def memoro(here: Here) -> Here:
    """`memoro`, in this process: one each would take minutes."""
    return here


@pytest.fixture
def filled(memoro: Here, kept: Path) -> Here:
    """`memoro`, in a home of its own that has something."""
    shutil.copytree(kept, memoro.home)
    return memoro


def _editor(memoro: Here, program: str) -> dict[str, str]:
    """An editor that runs a line of Python over the file's `text`."""
    script = memoro.root / "editor.py"
    script.write_text(
        "import json, sys\npath = sys.argv[1]\ntext = open(path, encoding='utf-8').read()\n"
        f"{program}\nopen(path, 'w', encoding='utf-8').write(text)\n",
        encoding="utf-8",
    )
    return {"EDITOR": f"{shutil.which('python3')} {script}"}


@pytest.mark.requirement("M04")
class TestFollowing:
    def test_what_a_command_changes_stands_in_the_files(self, filled: Here) -> None:
        names = {path.name for path in _folder(filled).iterdir()}
        assert names == {
            "MEMORY.md", "usage.json", "facts.json", "saved.json", "profile.json", "topics.json",
            "projects.json", "episodes.json", "daily",
        }  # fmt: skip
        assert stat.S_IMODE(_folder(filled).stat().st_mode) == 0o700
        assert "Lisbon" in (_folder(filled) / "MEMORY.md").read_text(encoding="utf-8")
        filled.ok("memory", "replace", "city", "Porto")
        assert [one["text"] for one in _lines(_folder(filled) / "saved.json")] == ["Porto"]

    def test_reading_writes_nothing(self, filled: Here) -> None:
        before = {path: path.stat().st_mtime_ns for path in _folder(filled).rglob("*")}
        for words in (("memory", "list"), ("memory", "facts"), ("memory", "recall", "port")):
            filled.ok(*words)
        assert {path: path.stat().st_mtime_ns for path in _folder(filled).rglob("*")} == before

    def test_edits_are_merged_at_the_next_start_and_undone_as_one(self, filled: Here) -> None:
        _edit(_folder(filled) / "saved.json", "Lisbon", "Porto")
        _edit(_folder(filled) / "facts.json", "8080", "9090")
        ran = filled.ok("memory", "list", "--json")
        assert [one["value"] for one in ran.json] == ["Porto"]
        assert "2 changed" in ran.err and "memoro memory undo" in ran.err
        assert "The API runs on port 9090" in _facts(filled)
        filled.ok("memory", "undo")
        assert "The API runs on port 8080" in _facts(filled)
        assert [one["value"] for one in filled.ok("memory", "list", "--json").json] == ["Lisbon"]
        assert "8080" in (_folder(filled) / "facts.json").read_text(encoding="utf-8")

    def test_said_by_the_user(self, filled: Here) -> None:
        _edit(_folder(filled) / "facts.json", "8080", "9090")
        filled.ok("memory", "facts")
        [found] = [one for one in _lines(_folder(filled) / "facts.json") if "9090" in one["text"]]
        assert found.get("trust", "user") == "user"
        assert found.get("confidence", 1.0) == 1.0
        assert found["data"]["provenance"] == "corrected"

    def test_switched_off_nothing_is_written_or_read(self, memoro: Here) -> None:
        memoro.env["MEMORO_MIRROR"] = "off"
        memoro.ok("memory", "remember", "city", "Lisbon")
        assert not _folder(memoro).exists()
        memoro.ok("memory", "mirror")
        _edit(_folder(memoro) / "saved.json", "Lisbon", "Porto")
        memoro.ok("memory", "learn", "Something that is new")
        assert [one["value"] for one in memoro.ok("memory", "list", "--json").json] == ["Lisbon"]
        assert "Porto" in (_folder(memoro) / "saved.json").read_text(encoding="utf-8")

    def test_a_setting_that_is_none_stops_no_command(self, memoro: Here) -> None:
        ran = memoro.ok("memory", "remember", "a", "b", env={"MEMORO_MIRROR": "sometimes"})
        assert "MEMORO_MIRROR" in ran.err

    def test_the_library_writes_on_close_and_reads_on_opening(
        self, memoro: Here, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from memoro import Memory

        monkeypatch.setenv("MEMORO_HOME", str(memoro.home))
        with Memory.open(memoro.home) as memory:
            memory.remember("city", "Lisbon")
        _edit(_folder(memoro) / "saved.json", "Lisbon", "Porto")
        with Memory.open(memoro.home) as memory:
            assert [one.text for one in memory.facts()] == ["Porto"]
            assert any("merged" in one for one in memory.notices)

    def test_a_secret_in_a_file_is_masked_or_refused(self, filled: Here) -> None:
        secret = "ghp_" + "aB3" * 12
        path = _folder(filled) / "facts.json"
        path.write_text(
            json.dumps([*_lines(path), {"text": f"The token of the CI is {secret}"}]), "utf-8"
        )
        _edit(_folder(filled) / "saved.json", "Lisbon", secret)
        ran = filled.ok("memory", "facts")
        assert "masked" in ran.err and "secret" in ran.err
        stored = b"".join(one.read_bytes() for one in filled.home.glob("memory.db*"))
        assert secret.encode() not in stored
        assert secret not in path.read_text(encoding="utf-8")
        assert [one["value"] for one in filled.ok("memory", "list", "--json").json] == ["Lisbon"]

    def test_many_records_are_left_to_a_process_behind(self, memoro: Here) -> None:
        memoro.ok("memory", "remember", "a", "b", env={"MEMORO_MIRROR": "off"})
        from datetime import UTC, datetime

        from memoro.backends.sqlite.opening import StoreOptions, open_store
        from memoro.memory.records import GLOBAL, NOTE, Record
        from memoro.memory.store import Change, ChangeSet, Origin

        now = datetime.now(UTC)
        notes = [
            Record(f"n{one}", NOTE.name, GLOBAL, None, "text", now, now, {"title": "t"})
            for one in range(4_000)
        ]
        store = open_store(StoreOptions(str(memoro.home)), now).store
        wanted = ChangeSet("add", [Change(None, one) for one in notes])
        store.apply(lambda _: wanted, Origin("test", now))
        store.close()
        memoro.ok("memory", "remember", "c", "d")
        # Whoever holds the lock is at work; with the lock ours, it has ended.
        memoro.ok("memory", "mirror")
        held = [one for path in _folder(memoro).glob("notes*.json") for one in _lines(path)]
        assert len(held) == 4_000


@pytest.mark.requirement("M07")
@pytest.mark.parametrize("name", ["facts", "profile", "topics", "projects", "episodes", "saved"])
def test_a_torn_file_is_told_kept_and_harms_nothing(filled: Here, name: str) -> None:
    before = {
        kind: filled.ok("memory", kind, "--json").out
        for kind in ("list", "profile", "topics", "projects")
    }
    facts = _facts(filled)
    path = _folder(filled) / f"{name}.json"
    torn = path.read_bytes()[:-40]
    path.write_bytes(torn)
    ran = filled.ok("memory", "facts")
    assert f"{name}.json, line" in ran.err and f"{name}.json.broken-1" in ran.err
    filled.ok("memory", "learn", "A new fact after the damage")
    assert _folder(filled).joinpath(f"{name}.json.broken-1").read_bytes() == torn
    assert _facts(filled) == facts | {"A new fact after the damage"}
    after = {kind: filled.ok("memory", kind, "--json").out for kind in before}
    assert after == before
    assert _lines(path)


class TestMerge:
    def test_says_what_it_did(self, filled: Here) -> None:
        _edit(_folder(filled) / "saved.json", "Lisbon", "Porto")
        ran = filled.ok("memory", "merge")
        assert "1 changed" in ran.out and "memoro memory undo" in ran.out
        again = filled.ok("memory", "merge", "--json")
        assert again.json["change"] is None

    def test_a_file_with_a_syntax_error(self, filled: Here) -> None:
        _edit(_folder(filled) / "facts.json", "},\n", "}\n")
        ran = filled("memory", "merge")
        assert "line 3, column 1: a comma is missing" in ran.err
        copy = _folder(filled) / "facts.json.broken-1"
        _edit(copy, "}\n{", "},\n{")
        _edit(copy, "8080", "9090")
        filled.ok("memory", "learn", "Something learned meanwhile")
        ran = filled.ok("memory", "merge", str(copy))
        assert "1 changed" in ran.out
        assert {"The API runs on port 9090", "Something learned meanwhile"} <= _facts(filled)
        assert len(_facts(filled)) == 4

    def test_many_deletions_need_a_word(self, filled: Here) -> None:
        path = _folder(filled) / "facts.json"
        path.write_text("[]\n", encoding="utf-8")
        ran = filled("memory", "merge")
        assert (ran.code, len(_facts(filled))) == (4, 3)
        assert "memoro memory merge --allow-deletions" in ran.err
        assert path.read_text(encoding="utf-8") == "[]\n"
        ran = filled.ok("memory", "merge", "--allow-deletions", "--json")
        assert len(ran.json["deleted"]) == 3
        assert _facts(filled) == set()
        filled.ok("memory", "undo")
        assert len(_facts(filled)) == len(_lines(path)) == 3

    def test_or_to_be_taken_back(self, filled: Here) -> None:
        path = _folder(filled) / "facts.json"
        good = path.read_bytes()
        path.write_text("[]\n", encoding="utf-8")
        assert "mirror --all" in filled.ok("memory", "list").err
        filled.ok("memory", "mirror", "--all")
        assert path.read_bytes() == good
        assert filled.ok("memory", "list").err == ""

    @pytest.mark.parametrize("text", ["[", "{}", "[1,]"])
    def test_another_file_that_is_broken_changes_nothing(self, filled: Here, text: str) -> None:
        other = filled.root / "other.json"
        other.write_text(text, encoding="utf-8")
        ran = filled("memory", "merge", str(other))
        assert ran.code == 1 and "line 1, column" in ran.err
        assert filled("memory", "merge", str(filled.root / "none.json")).code == 2
        assert len(_facts(filled)) == 3

    def test_a_file_of_another_machine(self, filled: Here, tmp_path: Path) -> None:
        other = Memoro(_made(tmp_path / "machine"))
        other.ok("memory", "learn", "I prefer trains over planes")
        other.ok("memory", "remember", "office", "third floor")
        for name in ("facts.json", "saved.json"):
            filled.ok("memory", "merge", str(_folder(other) / name))
        assert "I prefer trains over planes" in _facts(filled)
        assert len(filled.ok("memory", "list", "--json").json) == 2

    def test_a_project_of_another_machine_comes_with_what_it_remembers(
        self, filled: Here, tmp_path: Path
    ) -> None:
        other = Memoro(_made(tmp_path / "machine"))
        other.ok("project", "add", "website", str(other.folder))
        other.ok("memory", "remember", "port", "8080", "--project", "website")
        other.ok("memory", "learn", "The website uses Vue", "--project", "website")
        for name in ("places.json", "saved.json", "facts.json"):
            theirs = _folder(other) / name
            ours = _folder(filled) / name
            # As git leaves it where both have added lines.
            lines = [*(_lines(ours) if ours.exists() else []), *_lines(theirs)]
            ours.write_text(json.dumps(lines), encoding="utf-8")
        ran = filled.ok("memory", "list", "--project", "website", "--json")
        assert [one["value"] for one in ran.json] == ["8080"]
        assert "project website, of another machine, is known here now" in ran.err
        assert "The website uses Vue" in _facts(filled)
        filled.ok("memory", "undo")
        assert filled("memory", "list", "--project", "website").code == 3
        assert "The website uses Vue" not in _facts(filled)

    def test_without_its_record_it_is_known_by_its_name(self, filled: Here, tmp_path: Path) -> None:
        other = Memoro(_made(tmp_path / "machine"))
        other.ok("project", "add", "website", str(other.folder))
        other.ok("memory", "remember", "port", "8080", "--project", "website")
        ran = filled.ok("memory", "merge", str(_folder(other) / "saved.json"))
        assert "memoro project add website PATH" in ran.err
        filled.ok("project", "add", "website", str(filled.folder))
        ran = filled.ok("memory", "list", "--project", "website", "--json")
        assert [one["value"] for one in ran.json] == ["8080"]


def _made(path: Path) -> Path:
    path.mkdir()
    return path


class TestEdit:
    def test_changes_adds_and_deletes(self, filled: Here) -> None:
        program = (
            "found = json.loads(text)\nfound[0]['text'] = 'Releases are cut on Mondays'\n"
            "del found[1]\nfound.append({'text': 'Oranges are round'})\n"
            "text = json.dumps(found, indent=1)"
        )
        ran = filled.ok("memory", "edit", env=_editor(filled, program))
        assert "1 added, 1 changed, 1 deleted" in ran.out
        assert _facts(filled) == {
            "Releases are cut on Mondays", "I prefer tea over coffee", "Oranges are round",
        }  # fmt: skip
        assert len(_lines(_folder(filled) / "facts.json")) == 3

    def test_of_another_kind(self, filled: Here) -> None:
        editor = _editor(filled, "text = text.replace('Lisbon', 'Porto')")
        filled.ok("memory", "edit", "saved", env=editor)
        assert [one["value"] for one in filled.ok("memory", "list", "--json").json] == ["Porto"]
        assert filled("memory", "edit", "dreams", env=editor).code == 2

    def test_has_the_edits_of_the_files(self, filled: Here) -> None:
        _edit(_folder(filled) / "saved.json", "Lisbon", "Porto")
        editor = _editor(filled, "text = text.replace('Porto', 'Porto and Braga')")
        filled.ok("memory", "edit", "saved", env=editor)
        [found] = filled.ok("memory", "list", "--json").json
        assert found["value"] == "Porto and Braga"

    def test_of_a_project(self, filled: Here) -> None:
        filled.ok("project", "add", "web", str(filled.folder))
        filled.ok("memory", "remember", "port", "8080", "--project", "web")
        editor = _editor(filled, "assert 'Lisbon' not in text\ntext = text.replace('8080', '9')")
        filled.ok("memory", "edit", "saved", "--project", "web", env=editor)
        [found] = filled.ok("memory", "list", "--project", "web", "--json").json
        assert found["value"] == "9"
        assert filled("memory", "edit", "--project", "none", env=editor).code == 3

    def test_without_a_change_says_so(self, filled: Here) -> None:
        assert "Nothing was changed" in filled.ok("memory", "edit", env=_editor(filled, "pass")).out

    def test_a_syntax_error_keeps_what_was_typed(self, filled: Here) -> None:
        editor = _editor(filled, "text = text.replace('8080', '9090').replace('},\\n', '}\\n', 1)")
        ran = filled("memory", "edit", env=editor)
        assert ran.code == 2 and "line 3, column 1" in ran.err and "nothing was changed" in ran.err
        kept = Path(ran.err.split("memoro memory merge ")[1].strip())
        assert "9090" in kept.read_text(encoding="utf-8")
        _edit(kept, "}\n{", "},\n{")
        filled.ok("memory", "merge", str(kept))
        kept.unlink()
        assert "The API runs on port 9090" in _facts(filled)

    def test_emptied_deletes_nothing_unasked(self, filled: Here) -> None:
        ran = filled.ok("memory", "edit", env=_editor(filled, "text = '[]'"))
        assert len(_facts(filled)) == 3
        assert "none of the 3 records was deleted" in ran.err

    def test_a_bad_record_keeps_what_was_typed(self, filled: Here) -> None:
        program = (
            "found = json.loads(text)\nfound[0]['confidence'] = 'sure'\ntext = json.dumps(found)"
        )
        ran = filled("memory", "edit", env=_editor(filled, program))
        assert ran.code == 1 and "confidence" in ran.err
        [kept] = [Path(one) for one in ran.err.split() if one.endswith("-facts.json")]
        assert "sure" in kept.read_text(encoding="utf-8")
        kept.unlink()


class TestTrouble:
    @pytest.mark.parametrize("what", ["file", "link"])
    def test_a_folder_that_is_none_stops_no_command(self, memoro: Here, what: str) -> None:
        memoro.home.mkdir(mode=0o700)
        elsewhere = memoro.root / "elsewhere"
        if what == "file":
            _folder(memoro).write_text("mine", encoding="utf-8")
        else:
            elsewhere.mkdir()
            _folder(memoro).symlink_to(elsewhere)
        ran = memoro.ok("memory", "remember", "city", "Lisbon")
        told = [line for line in ran.err.splitlines() if str(_folder(memoro)) in line]
        assert len(told) == 1 and len(ran.err.splitlines()) == 1
        assert [one["value"] for one in memoro.ok("memory", "list", "--json").json] == ["Lisbon"]
        if what == "file":
            assert _folder(memoro).read_text(encoding="utf-8") == "mine"
        else:
            assert not list(elsewhere.iterdir())
        _folder(memoro).unlink()
        memoro.ok("memory", "remember", "a", "b")
        assert len(_lines(_folder(memoro) / "saved.json")) == 2

    def test_mirror_itself_says_that_it_could_not(self, memoro: Here) -> None:
        memoro.home.mkdir(mode=0o700)
        _folder(memoro).write_text("mine", encoding="utf-8")
        memoro.ok("memory", "remember", "city", "Lisbon")
        ran = memoro("memory", "mirror")
        assert (ran.code, "up to date" in ran.out) == (1, False)

    def test_usage_is_written_hourly_and_when_asked(self, filled: Here) -> None:
        path = _folder(filled) / "usage.json"

        def is_written(time: str, *words: str) -> bool:
            path.unlink(missing_ok=True)
            filled.ok("memory", *words, env={"MEMORO_NOW": f"2050-01-01T{time}Z"})
            return path.exists()

        assert is_written("01:00:00", "remember", "a", "1")
        assert not is_written("01:59:59", "remember", "b", "2")
        assert is_written("02:00:00", "remember", "c", "3")
        assert is_written("02:00:01", "mirror")

    def test_a_large_file_stops_no_command_and_is_told(self, filled: Here) -> None:
        path = _folder(filled) / "facts.json"
        with path.open("r+b") as file:
            file.truncate(100_000_000)
        assert "100,000,000 bytes, and was left alone" in filled.ok("memory", "list").err
        assert filled("memory", "merge").code == 1
        path.unlink()
        filled.ok("memory", "list")
        assert len(_lines(path)) == 3

    @pytest.mark.requirement("P16")
    def test_forgetting_names_the_copies_that_were_kept(self, filled: Here) -> None:
        path = _folder(filled) / "facts.json"
        path.write_bytes(path.read_bytes()[:-40])
        filled.ok("memory", "list")
        [tea] = [one for one in filled.ok("memory", "facts", "--json").json if "tea" in one["text"]]
        ran = filled.ok("memory", "forget", tea["id"], "--json")
        assert ran.json["remains"] == [f"{path}.broken-1"]
        os.remove(f"{path}.broken-1")
        held = [
            one
            for one in filled.home.rglob("*")
            if one.is_file() and b"tea over" in one.read_bytes()
        ]
        assert held == []

    @pytest.mark.requirement("P16")
    def test_forgetting_reaches_the_files_before_it_is_said(self, filled: Here) -> None:
        [tea] = [one for one in filled.ok("memory", "facts", "--json").json if "tea" in one["text"]]
        off = {"MEMORO_MIRROR": "off"}
        ran = filled.ok("memory", "forget", tea["id"], "--json", env=off)
        assert ran.json["remains"] == []
        held = [
            one
            for one in filled.home.rglob("*")
            if one.is_file() and b"tea over" in one.read_bytes()
        ]
        assert held == []

    @pytest.mark.requirement("M07")
    def test_commands_at_once_lose_nothing(self, filled: Here) -> None:
        started = [
            filled.process.start("memory", "remember", f"key.{one}", f"value {one}")
            for one in range(8)
        ]
        assert [one.wait(60) for one in started] == [0] * 8
        for one in started:
            one.communicate()
        filled.ok("memory", "remember", "last", "one")
        assert {one["key"] for one in _lines(_folder(filled) / "saved.json")} == {
            "city", "last", *(f"key.{one}" for one in range(8)),
        }  # fmt: skip
        assert [one["action"] for one in filled.ok("memory", "log", "--json").json].count(
            "merge"
        ) == 0


@pytest.mark.requirement("M05")
class TestLegacy:
    TEXT = "# Preferences\n\n- Tabs over spaces\n\n# Gotchas\n\n- The cache is never cleared\n"

    @pytest.mark.parametrize("where", ["", "memory"])
    def test_a_page_without_a_store_is_taken_once(self, memoro: Here, where: str) -> None:
        folder = memoro.home / where
        folder.mkdir(parents=True, mode=0o700)
        (folder / "MEMORY.md").write_text(self.TEXT, encoding="utf-8")
        ran = memoro.ok("memory", "facts", "--all", "--json")
        assert {(one["text"], one["category"]) for one in ran.json} == {
            ("Tabs over spaces", "preference"), ("The cache is never cleared", "gotcha"),
        }  # fmt: skip
        assert "MEMORY.md.bak" in ran.err
        assert (folder / "MEMORY.md.bak").read_text(encoding="utf-8") == self.TEXT
        again = memoro.ok("memory", "facts", "--all", "--json")
        assert (len(again.json), again.err) == (2, "")
        memoro.ok("memory", "undo")
        assert _facts(memoro) == set()

    def test_a_kept_page_is_never_overwritten(self, memoro: Here) -> None:
        memoro.home.mkdir(mode=0o700)
        (memoro.home / "MEMORY.md").write_text(self.TEXT, encoding="utf-8")
        (memoro.home / "MEMORY.md.bak").write_text("older", encoding="utf-8")
        memoro.ok("memory", "list")
        assert (memoro.home / "MEMORY.md.bak").read_text(encoding="utf-8") == "older"
        assert (memoro.home / "MEMORY.md.bak-2").read_text(encoding="utf-8") == self.TEXT

    def test_beside_a_store_it_is_no_truth(self, memoro: Here) -> None:
        memoro.ok("memory", "remember", "a", "b")
        (memoro.home / "MEMORY.md").write_text(self.TEXT, encoding="utf-8")
        (_folder(memoro) / "MEMORY.md").write_text(self.TEXT, encoding="utf-8")
        memoro.ok("memory", "remember", "c", "d")
        assert _facts(memoro) == set()
        assert (memoro.home / "MEMORY.md").read_text(encoding="utf-8") == self.TEXT
        kept = _folder(memoro) / "MEMORY.md.edited-1"
        assert kept.read_text(encoding="utf-8") == self.TEXT

    def test_a_page_of_ours_has_no_facts(self, filled: Here) -> None:
        page = (_folder(filled) / "MEMORY.md").read_bytes()
        other = filled.root / "other"
        other.mkdir()
        (other / "MEMORY.md").write_bytes(page)
        ran = filled.ok("memory", "facts", "--all", "--json", env={"MEMORO_HOME": str(other)})
        assert ran.json == []


@pytest.mark.requirement("M07")
class TestRepair:
    def test_a_damaged_store_gets_back_what_only_the_files_have(self, filled: Here) -> None:
        before = _facts(filled)
        raw = (filled.home / "memory.db").read_bytes()
        (filled.home / "memory.db").write_bytes(bytes(len(raw)))
        shutil.rmtree(filled.home / "backups")
        (filled.home / "backups").mkdir()
        ran = filled.ok("memory", "facts", "--all", "--json")
        assert {one["text"] for one in ran.json} == before
        assert "taken back from" in ran.err and "corrupt" in ran.err
        [kept] = filled.home.glob("memory.db.corrupt-*")
        assert kept.read_bytes() == bytes(len(raw))
        assert [one["value"] for one in filled.ok("memory", "list", "--json").json] == ["Lisbon"]

    def test_a_store_that_is_gone(self, filled: Here) -> None:
        before = _facts(filled)
        shutil.rmtree(filled.home / "backups")
        (filled.home / "memory.db").unlink()
        assert _facts(filled) == before

    def test_what_was_forgotten_does_not_come_back(self, filled: Here) -> None:
        old = (_folder(filled) / "facts.json").read_bytes()
        [tea] = [one for one in filled.ok("memory", "facts", "--json").json if "tea" in one["text"]]
        filled.ok("memory", "forget", tea["id"])
        raw = (filled.home / "memory.db").read_bytes()
        (filled.home / "memory.db").write_bytes(raw[:-40])
        (_folder(filled) / "facts.json").write_bytes(old)
        assert "I prefer tea over coffee" not in _facts(filled)

    def test_says_first_what_it_will_do(self, filled: Here) -> None:
        filled.ok("doctor", "--repair")
        raw = (filled.home / "memory.db").read_bytes()
        torn = raw[:-40]
        (filled.home / "memory.db").write_bytes(torn)
        ran = filled("doctor", "--repair")
        assert ran.code == 4
        for told in ("cut off", "corrupt", "backups", str(_folder(filled)), "--repair --yes"):
            assert told in ran.err
        assert (filled.home / "memory.db").read_bytes() == torn
        assert not list(filled.home.glob("*corrupt*"))
        ran = filled.ok("doctor", "--repair", "--yes")
        assert "corrupt" in ran.out
        [kept] = filled.home.glob("memory.db.corrupt-*")
        assert kept.read_bytes() == torn
        assert len(_facts(filled)) == 3
        assert "sound" in filled.ok("doctor", "--repair").out

    def test_a_missing_store_from_backup_and_files(self, filled: Here) -> None:
        (filled.home / "memory.db").unlink()
        ran = filled.ok("doctor", "--repair", "--yes")
        assert "was made from" in ran.out
        assert len(_facts(filled)) == 3

    def test_where_there_is_nothing(self, memoro: Here) -> None:
        assert "nothing to repair" in memoro.ok("doctor", "--repair").out
        assert not memoro.home.exists()

    def test_a_restored_backup_stands_and_edits_are_kept(self, filled: Here) -> None:
        path = _folder(filled) / "saved.json"
        filled.ok("memory", "remember", "later", "value")
        _edit(path, '"value"', '"mine"')
        mine = path.read_bytes()
        ran = filled.ok("doctor", "--restore", "newest")
        assert "saved.json.edited-1" in ran.err
        assert path.with_name("saved.json.edited-1").read_bytes() == mine
        assert not list(_folder(filled).glob("facts.json.*"))
        keys = {one["key"] for one in filled.ok("memory", "list", "--json").json}
        assert keys == {one["key"] for one in _lines(path)} == {"city"}
        assert _facts(filled) == set()

    def test_doctor_tells_how_the_files_are(self, filled: Here) -> None:

        def told(ran: Ran) -> list[str]:
            return [one["told"] for one in ran.json if one["name"] == "mirror"]

        assert "up to date" in told(filled("doctor", "--json"))[0]
        filled.ok("memory", "remember", "a", "b", env={"MEMORO_MIRROR": "off"})
        assert "lacks 1 record" in told(filled("doctor", "--json"))[0]


def test_git_shows_one_line_for_one_fact(filled: Here) -> None:
    git = ["git", "-c", "user.name=u", "-c", "user.email=u@h", "-C", str(_folder(filled))]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "all"], check=True)
    filled.ok("memory", "learn", "Grapes grow on vines")
    ran = subprocess.run(
        [*git, "diff", "--numstat", "facts.json"], check=True, capture_output=True, text=True
    )
    assert ran.stdout == "1\t0\tfacts.json\n"
    subprocess.run([*git, "checkout", "-q", "."], check=True)
    filled.ok("memory", "list")
    assert "Grapes grow on vines" not in _facts(filled)
    ran = subprocess.run(
        [*git, "status", "--porcelain"], check=True, capture_output=True, text=True
    )
    assert "facts.json" not in ran.stdout
