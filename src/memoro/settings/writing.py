"""Changing the configuration file."""

import os
from typing import Any

from memoro.errors import SettingsError
from memoro.settings import flat, problem_of, read_file
from memoro.settings.declared import BY_NAME


def set_in_file(path: str, name: str, value: str) -> None:
    """Keep a setting in the configuration file, whose comments and order stay as they are.

    Raises:
        SettingsError: there is no such setting, or it can't have this value.
    """
    setting = BY_NAME.get(name)
    if setting is None:
        raise SettingsError(f"there is no setting {name!r}", "memoro config list")
    problem = problem_of(setting, value)
    if problem is not None:
        raise SettingsError(
            f"{name} = {value!r} {problem}; nothing was changed",
            f"for example: memoro config set {name} {setting.default or 'openai:gpt-5-mini'}",
        )
    number = setting.kind in ("bytes", "seconds") and value
    _rewrite(path, name, int(value) if number else value)


def unset_in_file(path: str, name: str) -> bool:
    """Take a setting out of the file; False where it does not stand there."""
    if name not in flat(read_file(path)):
        return False
    _rewrite(path, name, None)
    return True


def _rewrite(path: str, name: str, value: str | int | None) -> None:
    import tomlkit

    # Some keep the file elsewhere, behind a link, and the link has to stay.
    path = os.path.realpath(path)
    read_file(path)
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
