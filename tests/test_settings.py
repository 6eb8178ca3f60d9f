"""Where settings come from, and what is refused."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoro.errors import SettingsError
from memoro.settings import Settings, local_servers
from memoro.settings.declared import SETTINGS
from memoro.settings.writing import set_in_file, unset_in_file


def settings(home: Path, **environ: str) -> Settings:
    return Settings({"MEMORO_HOME": str(home), **environ})


def test_environment_before_file_before_default(tmp_path: Path) -> None:
    assert settings(tmp_path).value("learn") == ("auto", "default")
    set_in_file(str(tmp_path / "config.toml"), "learn", "review")
    assert settings(tmp_path).value("learn") == ("review", str(tmp_path / "config.toml"))
    assert settings(tmp_path, MEMORO_LEARN="off").value("learn") == ("off", "MEMORO_LEARN")
    assert settings(tmp_path, MEMORO_LEARN="").text("learn") == "review"


def test_every_default_is_a_value_its_setting_takes(tmp_path: Path) -> None:
    given = settings(tmp_path)
    assert [given.text(one.name) for one in SETTINGS] == [one.default for one in SETTINGS]


@pytest.mark.requirement("P27")
@pytest.mark.parametrize("name", ["soul_bytes", "profile_bytes", "facts_bytes"])
def test_the_budgets_are_8_kib(tmp_path: Path, name: str) -> None:
    assert settings(tmp_path).number(name) == 8192
    assert settings(tmp_path, **{f"MEMORO_{name.upper()}": "9"}).number(name) == 9


def test_an_empty_number_is_none(tmp_path: Path) -> None:
    assert settings(tmp_path).number("max_output_tokens") == 0


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "1e3", "1_000", " 1", "٣", "9" * 19, "x"])
def test_a_bad_number_names_its_variable(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError) as raised:
        settings(tmp_path, MEMORO_FACTS_BYTES=text).number("facts_bytes")
    assert f"MEMORO_FACTS_BYTES={text!r}" in raised.value.what
    assert raised.value.fix == "for example: MEMORO_FACTS_BYTES=8192"


def test_a_bad_value_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("learn = 'never'")
    with pytest.raises(SettingsError, match=r"learn in .*config\.toml: 'never'"):
        settings(tmp_path).text("learn")


def test_numbers_stand_in_the_file_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    set_in_file(str(path), "facts_bytes", "0042")
    assert path.read_text() == "facts_bytes = 42\n"
    set_in_file(str(path), "model", "openai:4")
    assert 'model = "openai:4"' in path.read_text()
    assert unset_in_file(str(path), "facts_bytes")
    assert not unset_in_file(str(path), "facts_bytes")
    assert settings(tmp_path).unknown() == []


def test_unknown_names_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("modell = 1\nlearn = 'off'\n[table]\nx = 1\n")
    assert settings(tmp_path).unknown() == ["modell", "table.x"]


def test_a_write_that_fails_leaves_the_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "config.toml"
    set_in_file(str(path), "learn", "off")
    before = path.read_text()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SettingsError, match="No space left"):
        set_in_file(str(path), "learn", "auto")
    assert path.read_text() == before
    assert [one.name for one in tmp_path.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-05-02T16:10:00Z", datetime(2026, 5, 2, 16, 10, tzinfo=UTC)),
        ("2026-05-02T16:10:00+09:00", datetime(2026, 5, 2, 7, 10, tzinfo=UTC)),
        ("2026-05-02 16:10:00.5-03:00", datetime(2026, 5, 2, 19, 10, 0, 500_000, tzinfo=UTC)),
    ],
)
def test_the_clock_can_be_fixed(tmp_path: Path, text: str, instant: datetime) -> None:
    assert settings(tmp_path, MEMORO_NOW=text).now() == instant
    assert settings(tmp_path, MEMORO_NOW="").now() is None


def test_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/account")
    assert Settings({"HOME": "/home/me"}).home == "/home/me/.memoro"
    assert Settings({"HOME": "/home/me", "MEMORO_HOME": "/else"}).home == "/else"
    assert Settings({"HOME": "/home/me", "MEMORO_HOME": ""}).home == "/home/me/.memoro"
    assert Settings({"MEMORO_HOME": "~/else"}).home == "/account/else"
    assert Settings({"MEMORO_HOME": "else/.."}).home == str(tmp_path)


@pytest.mark.parametrize("name", ["HOME", "MEMORO_HOME"])
def test_a_home_whose_name_is_no_text(name: str) -> None:
    with pytest.raises(SettingsError, match="not UTF-8 text"):
        Settings({name: "/tmp/\udcff"})


@pytest.mark.parametrize("environ", [{}, {"HOME": ""}])
def test_without_a_home_folder_the_accounts_counts(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import pwd

    monkeypatch.setenv("HOME", "")
    assert Settings(environ).home == os.path.join(pwd.getpwuid(os.getuid()).pw_dir, ".memoro")

    def nobody(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    with pytest.raises(SettingsError) as raised:
        Settings(environ)
    assert "MEMORO_HOME" in (raised.value.fix or "")


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("", []),
        ("ollama=http://a/v1", [("ollama", "http://a/v1")]),
        (" a = x , b=y=z ,", [("a", "x"), ("b", "y=z")]),
    ],
)
def test_local_servers(text: str, pairs: list[tuple[str, str]]) -> None:
    assert local_servers(text) == pairs


def test_keys_come_from_the_providers_usual_variables(tmp_path: Path) -> None:
    given = settings(tmp_path, OPENAI_API_KEY="k", OPEN_ROUTER_API_KEY="r", ANTHROPIC_API_KEY="")
    assert (given.key("openai"), given.key("open-router")) == ("k", "r")
    assert given.key("anthropic") is None


def test_a_pipe_in_the_files_place_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.toml")
    with pytest.raises(SettingsError, match="it is not a file"):
        settings(tmp_path).text("model")
