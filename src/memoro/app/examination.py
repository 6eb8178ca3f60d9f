"""The whole installation, looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoro.app.models import model_options, no_model
from memoro.app.storing import options_of
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
            *(Check(*one) for one in examine_store(options_of(self._app), self._app.now())),
            self._settings_check(),
            self._model_check(),
            *self._search_checks(),
            *self._mirror_checks(),
        ]

    def restore(self, backup: str | None) -> tuple[str, str]:
        from memoro.app.mirroring import known_of, part_from_files
        from memoro.backends.sqlite.examining import restore_backup

        app = self._app
        app.close()
        known = known_of(app)
        restored = restore_backup(options_of(app), backup, app.now())
        part_from_files(app, known)
        return restored

    def plan_repair(self) -> tuple[str, Sequence[str]]:
        from memoro.backends.mirror.syncing import path_of
        from memoro.backends.mirror.watching import has_files
        from memoro.backends.sqlite.examining import diagnose_store

        app = self._app
        app.close()
        found = diagnose_store(options_of(app))
        files = path_of(app.settings.home) if has_files(app.settings.home) else ""
        if not found.told or (found.is_missing and not files and found.backup is None):
            return "", ()
        backup = found.backup.path if found.backup is not None else ""
        if found.is_missing:
            steps = [f"make the store from {backup}" if backup else "make an empty store"]
        else:
            rest = f", and fill what is missing from {backup}" if backup else ""
            steps = [
                "keep the damaged bytes, unchanged, beside it as memory.db.corrupt-…",
                f"make a new one of every row that can be read and of the log of changes{rest}",
            ]
        if files and app.mirrors():
            steps.append(f"take back from the plain files in {files} what that has not")
        steps.append("bring back nothing that is known to have been forgotten or removed")
        return found.told, steps

    def repair(self) -> Sequence[str]:
        from memoro.app.mirroring import take_back
        from memoro.backends.sqlite.examining import diagnose_store, rebuild_store

        app = self._app
        found = diagnose_store(options_of(app))
        told = rebuild_store(options_of(app), found, app.now())
        before = len(app.notices)
        take_back(app)
        told += app.notices[before:]
        del app.notices[before:]
        return told

    def _mirror_checks(self) -> Sequence[Check]:
        """How the plain files are; nothing where there is no store that could be asked."""
        from memoro.app.mirroring import aside, state_of_mirror
        from memoro.backends.sqlite.store import SqliteStore

        app = self._app
        try:
            store = app.services(writes=False).store
            assert isinstance(store, SqliteStore), "there is one kind of store"
            checks = [] if store.paths is None else [Check("mirror", *state_of_mirror(app, store))]
        except MemoroError:
            return ()
        fix = "when you no longer need it, delete it; forgetting can't clean it"
        return [
            *checks,
            *(
                Check("set aside", False, f"{path} is a copy of what was edited", fix)
                for path in aside(app.settings.home)
            ),
        ]

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
            options = model_options(self._app)
            if options is None:
                error = no_model(self._app)
                # Everything but chats works without one.
                return Check("model", True, error.what, error.fix or "")
        except SettingsError as error:
            return Check("model", False, error.what, error.fix or "")
        problem = reach(options)
        if problem is None:
            return Check("model", True, f"{options.name} can be reached")
        return Check("model", False, problem.what, problem.fix or "")
