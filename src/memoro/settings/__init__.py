"""The only reader of the environment and the configuration file.

A setting is taken from the environment, else from `config.toml` in Memoro's home, else its default.
Nothing is read from the folder we are in: a cloned project can't set what spends, sends or widens
access.
"""

import os
import stat
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from memoro.errors import SettingsError
from memoro.settings.declared import BY_NAME, Setting


class Value(NamedTuple):
    """A setting's text, and where it comes from."""

    text: str
    source: str


class Settings:
    """The settings as they stand for this process.

    `home` is Memoro's folder. Numbers are checked when they are asked for, so that a bad one
    stops only what needs it.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.home: str = _home(environ)
        self.file: str = os.path.join(self.home, "config.toml")
        self._read: Mapping[str, Any] | None = None

    def value(self, name: str) -> Value:
        """A setting's value and source; unchecked.

        Raises:
            SettingsError: the configuration file can't be read.
        """
        setting = BY_NAME[name]
        given = self.environ.get(setting.env)
        if given:
            return Value(given, setting.env)
        if name in self._in_file():
            return Value(_as_text(self._in_file()[name]), self.file)
        return Value(setting.default, "default")

    def text(self, name: str) -> str:
        """A setting's text, checked.

        Raises:
            SettingsError: it is not what the setting takes.
        """
        value = self.value(name)
        problem = problem_of(BY_NAME[name], value.text)
        if value.source == self.file and not _is_usable(self._in_file()[name], BY_NAME[name]):
            problem = "is neither a text nor a whole number"
        if problem is not None:
            raise SettingsError(
                f"{_named(name, value)} {problem}", f"for example: {_example(BY_NAME[name])}"
            )
        return value.text

    def number(self, name: str) -> int:
        """A setting that is a whole number above zero; 0 where it is empty."""
        text = self.text(name)
        return int(text) if text else 0

    def items(self, name: str) -> list[str]:
        """A setting that is a list of names."""
        return [item for part in self.text(name).split(",") if (item := part.strip())]

    def folder(self, name: str) -> str:
        """A setting that is a folder; "" where it is empty.

        Raises:
            SettingsError: it is relative: it would mean another folder in each project.
        """
        path = self.text(name)
        if path.startswith("~/") and self.user_home:
            path = os.path.join(self.user_home, path[2:])
        if path and not os.path.isabs(path):
            value = self.value(name)
            raise SettingsError(
                f"{_named(name, value)} is not an absolute path", "write it from the root: /…"
            )
        return path

    @property
    def user_home(self) -> str | None:
        """The person's home folder, for `~/`; None where it isn't known."""
        return self.environ.get("HOME") or None

    def tool_homes(self) -> tuple[str | None, str | None]:
        """Where Codex and ChatCLI keep their global files, where their variables say so."""
        return self.environ.get("CODEX_HOME"), self.environ.get("CHATCLI_BOOTSTRAP_DIR")

    def unknown(self) -> list[str]:
        """The names in the configuration file that no setting has."""
        return sorted(set(self._in_file()) - set(BY_NAME))

    def now(self) -> datetime | None:
        """The instant that `MEMORO_NOW` fixes the clock to.

        Raises:
            SettingsError: it is no instant with a zone.
        """
        text = self.environ.get("MEMORO_NOW")
        if not text:
            return None
        try:
            at = datetime.fromisoformat(text)
            # At either end of the calendar a time can't be shown in every zone.
            if at.tzinfo is not None and 1 < at.year < 9999:
                return at.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        raise SettingsError(
            f"MEMORO_NOW={text!r} is not an instant with a zone",
            "for example: MEMORO_NOW=2026-05-02T16:10:00Z",
        )

    def key_variable(self, provider: str) -> str:
        """The variable in which a provider's key is usually kept."""
        return f"{provider.upper().replace('-', '_')}_API_KEY"

    def key(self, provider: str) -> str | None:
        """A provider's key from the environment."""
        return self.environ.get(self.key_variable(provider)) or None

    def editor(self) -> str | None:
        """The user's editor, as a command line."""
        return self.environ.get("VISUAL") or self.environ.get("EDITOR") or None

    def plain(self) -> bool:
        """Whether colours are unwanted (`NO_COLOR`)."""
        return bool(self.environ.get("NO_COLOR")) or self.environ.get("TERM") == "dumb"

    def _in_file(self) -> Mapping[str, Any]:
        if self._read is None:
            self._read = flat(read_file(self.file))
        return self._read


def process_environment() -> Mapping[str, str]:
    """The environment of this process."""
    return os.environ


def local_servers(text: str) -> Sequence[tuple[str, str]]:
    """The setting `local_servers` as pairs of provider and URL."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    return [(provider.strip(), url.strip()) for provider, _, url in pairs]


def read_file(path: str) -> Mapping[str, Any]:
    """What stands in the configuration file; nothing where there is none.

    Raises:
        SettingsError: it can't be read.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            # Opening a pipe would wait for its writer.
            raise SettingsError(
                f"{path} can't be read: it is not a file", "mend it or move it away"
            )
        with open(path, "rb") as file:
            import tomllib

            return tomllib.load(file)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise SettingsError(
            f"{path} can't be read: {error.strerror or error}", "mend it or move it away"
        ) from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path} is not TOML: {error}", "mend it or move it away") from error


def flat(read: Mapping[str, Any]) -> Mapping[str, Any]:
    """The file's settings by their whole names, those of a table with its name in front."""
    flat: dict[str, Any] = {}
    for name, value in read.items():
        if isinstance(value, dict) and name not in BY_NAME:
            flat |= {f"{name}.{key}": one for key, one in value.items()}
        else:
            flat[name] = value
    return flat


def _as_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _is_usable(value: Any, setting: Setting) -> bool:
    if setting.kind == "names" and isinstance(value, list):
        return all(isinstance(item, str) for item in value)
    return type(value) in (str, int)


def _home(environ: Mapping[str, str]) -> str:
    chosen = environ.get("MEMORO_HOME")
    path = (
        os.path.expanduser(chosen)
        if chosen
        else os.path.join(environ.get("HOME") or _account_home(), ".memoro")
    )
    try:
        path.encode()
        return os.path.abspath(path)
    except UnicodeEncodeError as error:
        raise SettingsError(
            f"the name of the home folder, {path!r}, is not UTF-8 text",
            "set MEMORO_HOME to another folder",
        ) from error
    except FileNotFoundError as error:
        raise SettingsError(
            f"{path} is a relative path, and the current folder does not exist any more",
            "set MEMORO_HOME to an absolute path",
        ) from error


def _account_home() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError as error:
        raise SettingsError(
            "there is no home folder: HOME is not set and this user has no account",
            "export MEMORO_HOME=/path/to/a/folder",
        ) from error


def problem_of(setting: Setting, text: str) -> str | None:
    """What is wrong with a text as the value of a setting; None where nothing is."""
    if setting.kind == "choice" and text not in setting.choices:
        return f"is not one of {', '.join(setting.choices)}"
    if setting.kind in ("bytes", "seconds"):
        if not text and not setting.default:
            return None
        if not (text.isascii() and text.isdigit() and int(text[:19]) > 0 and len(text) < 19):
            return "is not a whole number above 0"
    if setting.kind == "list" and any(not (a and b) for a, b in local_servers(text)):
        return "is not a list of provider=URL"
    if setting.name == "model" and text and not all(text.partition(":")):
        return "is not of the form provider:model"
    return None


def _named(name: str, value: Value) -> str:
    setting = BY_NAME[name]
    start = setting.env if value.source == setting.env else f"{name} in {value.source}:"
    return f"{start}={value.text!r}" if value.source == setting.env else f"{start} {value.text!r}"


def _example(setting: Setting) -> str:
    return f"{setting.env}={setting.default or 'openai:gpt-5-mini'}"
