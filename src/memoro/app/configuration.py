"""The user's settings and keys, read and written."""

from __future__ import annotations

from collections.abc import Sequence

from memoro.commands.ports import SettingView
from memoro.errors import SettingsError
from memoro.settings import Settings
from memoro.settings.declared import SETTINGS
from memoro.settings.writing import set_in_file, unset_in_file


class ConfigurationFile:
    """`memoro.commands.ports.Configuration` over the settings and the keyring."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def settings(self) -> Sequence[SettingView]:
        return [
            SettingView(one.name, *self._settings.value(one.name), one.env, one.help)
            for one in SETTINGS
        ]

    def set(self, name: str, value: str) -> str:
        set_in_file(self._settings.file, name, value)
        return self._settings.file

    def unset(self, name: str) -> bool:
        if name not in {one.name for one in SETTINGS}:
            raise SettingsError(f"there is no setting {name!r}", "memoro config list")
        return unset_in_file(self._settings.file, name)

    def store_key(self, provider: str, key: str) -> None:
        from memoro.backends.secrets import store_key

        store_key(provider, key)

    def delete_key(self, provider: str) -> bool:
        from memoro.backends.secrets import delete_key

        return delete_key(provider)
