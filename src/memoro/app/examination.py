"""The whole installation, looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoro.commands.ports import Check
from memoro.errors import MemoroError, SettingsError
from memoro.settings.declared import SETTINGS

if TYPE_CHECKING:
    from memoro.app import App


class Examination:
    """`memoro.commands.ports.Doctor` over the whole installation."""

    def __init__(self, app: App) -> None:
        self._app = app

    def checks(self) -> Sequence[Check]:
        from memoro.backends.sqlite.examining import examine_store

        return [
            *(Check(*one) for one in examine_store(self._app.store_options(), self._app.now())),
            self._settings_check(),
            self._model_check(),
            *self._search_checks(),
        ]

    def restore(self, backup: str | None) -> tuple[str, str]:
        from memoro.backends.sqlite.examining import restore_backup

        self._app.close()
        return restore_backup(self._app.store_options(), backup, self._app.now())

    def _search_checks(self) -> Sequence[Check]:
        """How the search index is; nothing where there is no store that could be asked."""
        from memoro.app.recalling import state_of_search

        try:
            told, fix = state_of_search(self._app)
        except MemoroError:
            return ()
        return [Check("search", True, told, fix)] if told else []

    def _settings_check(self) -> Check:
        settings = self._app.settings
        try:
            for one in SETTINGS:
                settings.text(one.name)
            unknown = settings.unknown()
        except SettingsError as error:
            return Check("settings", False, error.what, error.fix or "")
        if unknown:
            told = f"{settings.file} has names that are no settings: {', '.join(unknown)}"
            return Check("settings", False, told, "memoro config list")
        return Check("settings", True, f"home {settings.home}")

    def _model_check(self) -> Check:
        from memoro.backends.reaching import reach

        try:
            options = self._app.model_options()
            if options is None:
                error = self._app.no_model()
                # Everything but chats works without one.
                return Check("model", True, error.what, error.fix or "")
        except SettingsError as error:
            return Check("model", False, error.what, error.fix or "")
        problem = reach(options)
        if problem is None:
            return Check("model", True, f"{options.name} can be reached")
        return Check("model", False, problem.what, problem.fix or "")
