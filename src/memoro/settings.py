"""The only reader of the environment and the configuration file.

A setting is taken from the environment, else from `config.toml` in Memoro's home, else its default.
Nothing is read from the folder we are in: a cloned project can't set what spends, sends or widens
access.
"""

import os
import stat
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from memoro.errors import SettingsError

Kind = Literal["text", "bytes", "seconds", "choice", "list", "names"]


class Setting(NamedTuple):
    """One setting: its name in the file, its variable, its default, and what it is for."""

    name: str
    env: str
    default: str
    kind: Kind
    help: str
    choices: tuple[str, ...] = ()


_ON_OFF = ("on", "off")

SETTINGS: tuple[Setting, ...] = (
    Setting("model", "MEMORO_MODEL", "", "text", "the model of chats, as provider:model"),
    Setting(
        "learn",
        "MEMORO_LEARN",
        "auto",
        "choice",
        "whether conversations are learned from; off switches all of it off",
        ("auto", "review", "off"),
    ),
    Setting(
        "max_facts",
        "MEMORO_MAX_FACTS",
        "500",
        "bytes",
        "how many learned facts a scope has; the weakest beyond go to the archive",
    ),
    Setting(
        "memory_graph",
        "MEMORO_MEMORY_GRAPH",
        "on",
        "choice",
        "whether the graph of memory is kept with the store; off derives it each time",
        _ON_OFF,
    ),
    Setting(
        "tools",
        "MEMORO_TOOLS",
        "auto",
        "choice",
        "whether tools are offered to the model; auto asks it",
        ("auto", "on", "off"),
    ),
    Setting("soul_bytes", "MEMORO_SOUL_BYTES", "8192", "bytes", "limit of SOUL.md"),
    Setting("profile_bytes", "MEMORO_PROFILE_BYTES", "8192", "bytes", "limit of USER.md"),
    Setting(
        "facts_bytes",
        "MEMORO_FACTS_BYTES",
        "8192",
        "bytes",
        "limit of the global saved facts in a prompt",
    ),
    Setting(
        "context_bytes",
        "MEMORO_CONTEXT_BYTES",
        "262144",
        "bytes",
        "limit of one request: prompt, tools and conversation",
    ),
    Setting(
        "model_timeout", "MEMORO_MODEL_TIMEOUT", "120", "seconds", "how long a model may be silent"
    ),
    Setting(
        "max_output_tokens",
        "MEMORO_MAX_OUTPUT_TOKENS",
        "",
        "bytes",
        "limit of one answer in tokens; the provider's own where it is empty",
    ),
    Setting(
        "local_context",
        "MEMORO_LOCAL_CONTEXT",
        "8192",
        "bytes",
        "context of a local: model in tokens",
    ),
    Setting(
        "local_servers",
        "MEMORO_LOCAL_SERVERS",
        "",
        "list",
        "where local servers are looked for, as provider=URL, separated by commas",
    ),
    Setting(
        "lock_seconds",
        "MEMORO_LOCK_SECONDS",
        "10",
        "seconds",
        "how long to wait for another process that writes",
    ),
    Setting(
        "openai_base_url",
        "OPENAI_BASE_URL",
        "",
        "text",
        "an OpenAI-compatible endpoint other than OpenAI's own",
    ),
    Setting(
        "anthropic_base_url",
        "ANTHROPIC_BASE_URL",
        "",
        "text",
        "an endpoint other than Anthropic's own",
    ),
    Setting(
        "embed_provider",
        "MEMORO_EMBED_PROVIDER",
        "static",
        "choice",
        "what makes vectors of texts for recall: static and onnx on this machine, the others by "
        "sending the texts to that provider; off leaves recall to words",
        ("static", "off", "onnx", "openai", "voyage", "google", "bedrock"),
    ),
    Setting(
        "embed_model",
        "MEMORO_EMBED_MODEL",
        "",
        "text",
        "the provider's model for vectors, or the folder of an onnx one; the provider's usual one "
        "where it is empty",
    ),
    Setting(
        "embed_base_url",
        "MEMORO_EMBED_BASE_URL",
        "",
        "text",
        "where vectors are asked for, other than at the provider's own address",
    ),
    Setting(
        "memory_mode",
        "MEMORO_MEMORY_MODE",
        "full",
        "choice",
        "whether a chat is told what was learned that bears on a message: full, or off",
        ("full", "off"),
    ),
    Setting(
        "memory_characters",
        "MEMORO_MEMORY_CHARACTERS",
        "4000",
        "bytes",
        "how many characters of that a prompt has at most",
    ),
    Setting(
        "recall_hyde",
        "MEMORO_RECALL_HYDE",
        "off",
        "choice",
        "on has the model imagine an answer first when it recalls something, which finds what is "
        "said in other words; each time is one more request",
        ("off", "on"),
    ),
    Setting(
        "bootstrap.enabled",
        "MEMORO_BOOTSTRAP",
        "on",
        "choice",
        "whether instruction files are loaded",
        _ON_OFF,
    ),
    Setting(
        "bootstrap.threatscan",
        "MEMORO_THREATSCAN",
        "on",
        "choice",
        "whether planted overrides in instruction files are masked",
        _ON_OFF,
    ),
    Setting(
        "bootstrap.dir",
        "MEMORO_BOOTSTRAP_DIR",
        "",
        "text",
        "the folder of the global instruction files and rules; Memoro's home where it is empty",
    ),
    Setting(
        "bootstrap.fallback_names",
        "MEMORO_BOOTSTRAP_FALLBACK_NAMES",
        "",
        "names",
        "names that stand in for AGENTS.md where a folder has none, separated by commas",
    ),
)

_BY_NAME = {setting.name: setting for setting in SETTINGS}


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
        setting = _BY_NAME[name]
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
        problem = _problem(_BY_NAME[name], value.text)
        if value.source == self.file and not _is_usable(self._in_file()[name], _BY_NAME[name]):
            problem = "is neither a text nor a whole number"
        if problem is not None:
            raise SettingsError(
                f"{_named(name, value)} {problem}", f"for example: {_example(_BY_NAME[name])}"
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
        return sorted(set(self._in_file()) - set(_BY_NAME))

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
            self._read = _flat(_read_file(self.file))
        return self._read


def process_environment() -> Mapping[str, str]:
    """The environment of this process."""
    return os.environ


def local_servers(text: str) -> Sequence[tuple[str, str]]:
    """The setting `local_servers` as pairs of provider and URL."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    return [(provider.strip(), url.strip()) for provider, _, url in pairs]


def set_in_file(path: str, name: str, value: str) -> None:
    """Keep a setting in the configuration file, whose comments and order stay as they are.

    Raises:
        SettingsError: there is no such setting, or it can't have this value.
    """
    setting = _BY_NAME.get(name)
    if setting is None:
        raise SettingsError(f"there is no setting {name!r}", "memoro config list")
    problem = _problem(setting, value)
    if problem is not None:
        raise SettingsError(
            f"{name} = {value!r} {problem}; nothing was changed",
            f"for example: memoro config set {name} {setting.default or 'openai:gpt-5-mini'}",
        )
    number = setting.kind in ("bytes", "seconds") and value
    _rewrite(path, name, int(value) if number else value)


def unset_in_file(path: str, name: str) -> bool:
    """Take a setting out of the file; False where it does not stand there."""
    if name not in _flat(_read_file(path)):
        return False
    _rewrite(path, name, None)
    return True


def _rewrite(path: str, name: str, value: str | int | None) -> None:
    import tomlkit

    # Some keep the file elsewhere, behind a link, and the link has to stay.
    path = os.path.realpath(path)
    _read_file(path)
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    document = tomlkit.parse(text)
    table, _, key = name.rpartition(".")
    if table and table not in document:
        document[table] = tomlkit.table()
    place: Any = document[table] if table else document
    if not isinstance(place, dict):
        raise SettingsError(f"{table} in {path} is not a table", "mend it or take it out")
    if value is None:
        del place[key]
    else:
        place[key] = value
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        _put(path, tomlkit.dumps(document))
    except OSError as error:
        raise SettingsError(
            f"{path} can't be written: {error.strerror or error}", "check the folder's permissions"
        ) from error


def _put(path: str, text: str) -> None:
    """Replace a private file as a whole."""
    partial = f"{path}.{os.getpid()}.partial"
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        os.remove(partial)
        raise


def _read_file(path: str) -> Mapping[str, Any]:
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


def _flat(read: Mapping[str, Any]) -> Mapping[str, Any]:
    """The file's settings by their whole names, those of a table with its name in front."""
    flat: dict[str, Any] = {}
    for name, value in read.items():
        if isinstance(value, dict) and name not in _BY_NAME:
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


def _problem(setting: Setting, text: str) -> str | None:
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
    setting = _BY_NAME[name]
    start = setting.env if value.source == setting.env else f"{name} in {value.source}:"
    return f"{start}={value.text!r}" if value.source == setting.env else f"{start} {value.text!r}"


def _example(setting: Setting) -> str:
    return f"{setting.env}={setting.default or 'openai:gpt-5-mini'}"
