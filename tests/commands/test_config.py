"""`memoro config`: settings in the file, and keys in the keyring."""

from __future__ import annotations

import json
import stat
import tomllib
from pathlib import Path

import pytest

from commands.here import Here
from memoro.settings.declared import SETTINGS

KEY = "sk-ZEBRA-0123456789"
BACKEND = '''
import json, os, pathlib
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

class Keyring(KeyringBackend):
    """Keeps passwords in a file that the test can look into."""

    priority = 9

    def _read(self):
        path = pathlib.Path(os.environ["RING"])
        return json.loads(path.read_text()) if path.exists() else {}

    def _write(self, kept):
        pathlib.Path(os.environ["RING"]).write_text(json.dumps(kept))

    def get_password(self, service, username):
        return self._read().get(f"{service}/{username}")

    def set_password(self, service, username, password):
        self._write({**self._read(), f"{service}/{username}": password})

    def delete_password(self, service, username):
        kept = self._read()
        if kept.pop(f"{service}/{username}", None) is None:
            raise PasswordDeleteError("none")
        self._write(kept)
'''


@pytest.fixture
def ring(here: Here, tmp_path: Path) -> Path:
    """A keyring for `here.process`, and the file that it keeps passwords in."""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "test_ring.py").write_text(BACKEND)
    kept = tmp_path / "ring.json"
    here.env |= {
        "PYTHONPATH": str(modules),
        "PYTHON_KEYRING_BACKEND": "test_ring.Keyring",
        "RING": str(kept),
    }
    return kept


def file_of(here: Here, text: str) -> Path:
    """The configuration file, written by hand."""
    here.home.mkdir(exist_ok=True)
    path = here.home / "config.toml"
    path.write_text(text)
    return path


def test_set_get_list_and_unset(here: Here) -> None:
    file = str(here.home / "config.toml")
    assert here.ok("config", "get", "learn").out == "auto\n"
    ran = here.ok("config", "set", "learn", "off")
    assert ran.out == f"Set learn = off in {file}.\n"
    assert here.ok("config", "get", "learn").out == "off\n"
    assert here.json("config", "get", "learn") == {
        "name": "learn",
        "value": "off",
        "source": file,
        "env": "MEMORO_LEARN",
        "help": next(one.help for one in SETTINGS if one.name == "learn"),
    }
    here.ok("config", "set", "facts_bytes", "100")
    rows = {one["name"]: one for one in here.json("config", "list")}
    assert list(rows) == [one.name for one in SETTINGS]
    assert (rows["facts_bytes"]["value"], rows["facts_bytes"]["source"]) == ("100", file)
    assert (rows["soul_bytes"]["value"], rows["soul_bytes"]["source"]) == ("8192", "default")
    shown = here.ok("config", "list").out
    assert f"facts_bytes\t100\t{file}\t" in shown
    assert "MEMORO_FACTS_BYTES" in shown
    assert here.ok("config", "unset", "learn").out == "learn has its default again.\n"
    assert here.ok("config", "get", "learn").out == "auto\n"
    assert here.refused("config", "unset", "learn").code == 3


def test_what_counts_first(here: Here) -> None:
    given = {"MEMORO_FACTS_BYTES": "55"}
    assert here.json("config", "get", "facts_bytes")["source"] == "default"
    ran = here.ok("config", "set", "facts_bytes", "44", env=given)
    assert "MEMORO_FACTS_BYTES is set and counts before the file" in ran.err
    assert here.json("config", "get", "facts_bytes")["value"] == "44"
    shown = here.json("config", "get", "facts_bytes", env=given)
    assert (shown["value"], shown["source"]) == ("55", "MEMORO_FACTS_BYTES")
    assert (
        here.json("config", "get", "facts_bytes", env={"MEMORO_FACTS_BYTES": ""})["value"] == "44"
    )
    here.ok("memory", "remember", "a", "x" * 60, env={"MEMORO_FACTS_BYTES": "90"})
    assert "budget is 44" in here.ok("memory", "replace", "a", "x" * 50).err


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("nope", "1", "no setting 'nope'"),
        ("", "1", "no setting ''"),
        ("Learn", "off", "no setting 'Learn'"),
        ("MEMORO_LEARN", "off", "no setting"),
        ("learn", "sometimes", "auto, review, off"),
        ("learn", "", "auto, review, off"),
        ("facts_bytes", "0", "whole number above 0"),
        ("facts_bytes", "-1", "whole number above 0"),
        ("facts_bytes", "1.5", "whole number above 0"),
        ("facts_bytes", "8k", "whole number above 0"),
        ("facts_bytes", "", "whole number above 0"),
        ("facts_bytes", "٣", "whole number above 0"),
        ("facts_bytes", "9" * 19, "whole number above 0"),
        ("facts_bytes", "9" * 5000, "whole number above 0"),
        ("model_timeout", "soon", "whole number above 0"),
        ("model", "gpt", "provider:model"),
        ("model", ":gpt", "provider:model"),
        ("model", "openai:", "provider:model"),
        ("local_servers", "ollama", "provider=URL"),
        ("local_servers", "ollama=", "provider=URL"),
    ],
)
def test_bad_settings_are_refused(here: Here, name: str, value: str, told: str) -> None:
    file_of(here, 'learn = "off"\n')
    ran = here.refused("config", "set", "--", name, value)
    assert ran.code == 2
    assert told in ran.err
    assert (here.home / "config.toml").read_text() == 'learn = "off"\n'


def test_names_that_are_no_settings(here: Here) -> None:
    assert here.refused("config", "get", "nope").code == 3
    assert here.refused("config", "unset", "nope").code == 2
    assert not here.home.exists()


def test_the_rest_of_the_file_stays_as_it_is(here: Here) -> None:
    text = (
        "# My settings\r\n\r\nlearn = 'review' # for now\r\nunknown = [1,  2]\r\n\r\n"
        "[later]\r\n  key = 1   # kept\r\n"
    )
    path = file_of(here, "")
    path.write_bytes(text.encode())
    here.ok("config", "set", "learn", "off")
    assert path.read_bytes().decode() == text.replace("'review'", '"off"')
    here.ok("config", "set", "model", "openai:x")
    assert here.ok("config", "get", "model").out == "openai:x\n"
    here.ok("config", "unset", "model")
    here.ok("config", "unset", "learn")
    left = path.read_bytes().decode()
    for kept in ("# My settings", "unknown = [1,  2]", "[later]", "  key = 1   # kept"):
        assert kept in left
    assert "learn" not in left
    assert left.count("\n") == left.count("\r\n")


def test_a_setting_is_never_put_into_a_table(here: Here) -> None:
    file_of(here, "[table]\nkey = 1\n")
    here.ok("config", "set", "learn", "off")
    assert here.ok("config", "get", "learn").out == "off\n"


def test_a_setting_with_a_dot_stands_in_its_table(here: Here) -> None:
    path = file_of(here, "# mine\n[bootstrap] # also mine\nother = 1\n\n[last]\nx = 1\n")
    here.ok("config", "set", "bootstrap.enabled", "off")
    assert here.json("config", "get", "bootstrap.enabled")["value"] == "off"
    assert tomllib.loads(path.read_text())["bootstrap"] == {"other": 1, "enabled": "off"}
    assert "# also mine" in path.read_text()
    here.ok("config", "unset", "bootstrap.enabled")
    assert here.json("config", "get", "bootstrap.enabled")["source"] == "default"
    path.unlink()
    here.ok("config", "set", "bootstrap.enabled", "off")
    assert tomllib.loads(path.read_text()) == {"bootstrap": {"enabled": "off"}}


def test_a_value_in_the_place_of_a_table_is_left_alone(here: Here) -> None:
    path = file_of(here, "bootstrap = 1\n")
    ran = here.refused("config", "set", "bootstrap.enabled", "off")
    assert ran.code == 2
    assert "bootstrap in" in ran.err
    assert path.read_text() == "bootstrap = 1\n"


def test_the_file_is_private_and_whole(here: Here) -> None:
    here.ok("config", "set", "learn", "off")
    path = here.home / "config.toml"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(here.home.stat().st_mode) == 0o700
    path.chmod(0o644)
    here.ok("config", "set", "learn", "auto")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in here.home.iterdir()] == ["config.toml"]


def test_a_file_behind_a_link_stays_behind_it(here: Here, tmp_path: Path) -> None:
    elsewhere = tmp_path / "dotfiles.toml"
    elsewhere.write_text("# mine\n")
    here.home.mkdir()
    (here.home / "config.toml").symlink_to(elsewhere)
    here.ok("config", "set", "learn", "off")
    assert (here.home / "config.toml").is_symlink()
    assert "# mine" in elsewhere.read_text()
    assert 'learn = "off"' in elsewhere.read_text()


@pytest.mark.parametrize(
    "text", [b"learn = off\n", b"learn\n", b"\xff\n", b"a = 1\na = 2\n", b"a = " + b"[" * 9999]
)
def test_a_file_that_is_no_toml_is_named_and_left_alone(here: Here, text: bytes) -> None:
    path = file_of(here, "")
    path.write_bytes(text)
    for words in (
        ("config", "list"),
        ("config", "get", "model"),
        ("config", "set", "learn", "off"),
        ("config", "unset", "learn"),
        ("memory", "remember", "a", "v"),
    ):
        ran = here(*words)
        assert ran.code == 2
        assert f"{path} is not TOML" in ran.err
        assert ran.out == ""
    assert path.read_bytes() == text
    assert not (here.home / "memory.db").exists()


def test_a_file_that_cannot_be_read(here: Here) -> None:
    here.home.mkdir()
    (here.home / "config.toml").mkdir()
    ran = here("config", "list")
    assert ran.code == 2
    assert "config.toml can't be read" in ran.err


@pytest.mark.parametrize("value", ["true", "[1]", "1.5", "{a = 1}", "1979-05-27"])
def test_values_of_another_type(here: Here, value: str) -> None:
    for name in ("facts_bytes", "model", "openai_base_url"):
        model = "" if name == "model" else "model = 'openai:x'\n"
        path = file_of(here, f"{model}{name} = {value}\n")
        ran = here("chat", "new", "hello")
        assert (ran.code, ran.out) == (2, "")
        assert f"{name} in {path}: " in ran.err
        here.ok("config", "list")


def test_nothing_is_read_from_the_current_folder(here: Here) -> None:
    bad = 'model = "evil:model"\nfacts_bytes = 1\nopenai_base_url = "http://evil"\n'
    (here.folder / "config.toml").write_text(bad)
    (here.folder / ".env").write_text("MEMORO_MODEL=evil:model\nOPENAI_API_KEY=evil\n")
    (here.folder / ".memoro").mkdir()
    (here.folder / ".memoro/config.toml").write_text(bad)
    (here.folder / "~/.memoro").mkdir(parents=True)
    (here.folder / "~/.memoro/config.toml").write_text(bad)
    before = here.json("config", "list")
    assert "evil" not in json.dumps(before)
    assert {one["source"] for one in before} == {"default", "MEMORO_LOCAL_SERVERS"}
    here.ok("memory", "remember", "a", "v")
    assert here.ok("memory", "list").err == ""
    assert "no model is configured" in here("chat", "new", "hello").err


def test_the_key_goes_to_the_keyring_and_nowhere_else(here: Here, ring: Path) -> None:
    here.process.ok("memory", "remember", "a", "v")
    ran = here.process.ok("config", "set-key", "openai", stdin=f"  {KEY}\n")
    assert ran.out == "Stored the key of openai in the keyring.\n"
    assert KEY not in ran.out + ran.err
    assert json.loads(ring.read_text()) == {"memoro/openai": KEY}
    assert here.holds(KEY) == []
    for words in (("config", "list"), ("config", "list", "--json"), ("memory", "log")):
        assert KEY not in here.process.ok(*words).out
    ran = here.process.ok("config", "delete-key", "openai")
    assert ran.out == "Deleted the key of openai.\n"
    assert json.loads(ring.read_text()) == {}
    ran = here.process("config", "delete-key", "openai")
    assert (ran.code, ran.out) == (3, "")


@pytest.mark.parametrize("stdin", [b"", b"\n", b"   \n"])
def test_an_empty_key_is_refused(here: Here, ring: Path, stdin: bytes) -> None:
    ran = here.process("config", "set-key", "openai", stdin=stdin)
    assert ran.code == 2
    assert "nothing was stored" in ran.err
    assert not ring.exists()


def test_without_a_keyring_the_variable_is_named(here: Here) -> None:
    ran = here.process("config", "set-key", "openai", stdin=f"{KEY}\n")
    assert ran.code == 1
    assert "export OPENAI_API_KEY" in ran.err
    assert KEY not in ran.err + ran.out


def test_a_key_is_never_an_argument(here: Here, ring: Path) -> None:
    ran = here("config", "set-key", "openai", KEY)
    assert ran.code == 2
    assert not ring.exists()
