"""What handlers are given: the doors to everything outside, opened when first used.

Imported by every command, so it loads nothing itself: start-up is a feature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from memoro.bootstrap.instructions import BootstrapOptions, Instructions
    from memoro.bootstrap.loaders.results import Homes
    from memoro.bootstrap.personal import PersonalFiles
    from memoro.bootstrap.workspace import Match
    from memoro.commands.ports import (
        Configuration,
        Doctor,
        Erasing,
        Exporting,
        Importing,
        Learning,
        Mirroring,
        Places,
        Recalling,
        Terminal,
    )
    from memoro.memory.graph import Graph
    from memoro.memory.store import MemoryStore
    from memoro.session.context import ContextOptions
    from memoro.session.model import ModelClient
    from memoro.session.transcript import TranscriptStore
    from memoro.session.usage import Usage


class Services:
    """Everything a handler may use. The store is opened when it is first asked for."""

    def __init__(
        self,
        *,
        open_store: Callable[[], MemoryStore],
        open_transcripts: Callable[[MemoryStore], TranscriptStore],
        now: Callable[[], datetime],
        show_time: Callable[[datetime], str],
        now_text: Callable[[], str],
        new_id: Callable[[str], str],
        places: Callable[[], Places],
        context: Callable[[], ContextOptions],
        personal: Callable[[], PersonalFiles],
        instructions: Callable[[Sequence[str], Mapping[str, str | None]], Instructions],
        bootstrap: Callable[[], BootstrapOptions],
        tool_homes: Callable[[], Homes],
        identify: Callable[[str], Mapping[str, Any]],
        match_project: Callable[[Sequence[tuple[str, Mapping[str, Any]]]], Match],
        connect: Callable[[], ModelClient],
        offers_tools: Callable[[], bool],
        configuration: Callable[[], Configuration],
        doctor: Callable[[], Doctor],
        terminal: Callable[[], Terminal],
        learning: Callable[[], Learning],
        recalling: Callable[[], Recalling],
        importing: Callable[[], Importing],
        exporting: Callable[[], Exporting],
        erasing: Callable[[], Erasing],
        mirroring: Callable[[], Mirroring],
        keep_up: Callable[[], None],
    ) -> None:
        self._open_store = open_store
        self._open_transcripts = open_transcripts
        self._store: MemoryStore | None = None
        self.now = now
        self.show_time = show_time
        self.now_text = now_text
        self.new_id = new_id
        self.places = places
        self.context = context
        self.personal = personal
        self.instructions = instructions
        self.bootstrap = bootstrap
        self.tool_homes = tool_homes
        self.identify = identify
        self.match_project = match_project
        self.connect = connect
        self.offers_tools = offers_tools
        self.configuration = configuration
        self.doctor = doctor
        self.terminal = terminal
        self._learning = learning
        self._recalling = recalling
        self._importing = importing
        self._exporting = exporting
        self._erasing = erasing
        self._mirroring = mirroring
        self.keep_up = keep_up

    @property
    def store(self) -> MemoryStore:
        """Records and their log; opened when it is first asked for."""
        if self._store is None:
            self._store = self._open_store()
        return self._store

    @property
    def learned(self) -> Learning:
        """What the commands of learned memory need besides."""
        return self._learning()

    @property
    def recalling(self) -> Recalling:
        """What recall needs besides."""
        return self._recalling()

    @property
    def erasing(self) -> Erasing:
        """What an erasing reaches the outside through."""
        return self._erasing()

    @property
    def exporting(self) -> Exporting:
        """What an export reaches the outside through."""
        return self._exporting()

    @property
    def importing(self) -> Importing:
        """What an import needs besides."""
        return self._importing()

    @property
    def mirroring(self) -> Mirroring:
        """The plain files beside the store. Whoever asks for this before the store merges what was
        edited in them by itself."""
        return self._mirroring()

    def graph(self) -> Graph:
        """How what is known hangs together."""
        return self.learned.graph(self.store)

    def usage(self) -> Usage:
        """What Memoro was used for, counted from what the store has."""
        return self.learned.usage(self.store)

    @property
    def transcripts(self) -> TranscriptStore:
        """Conversations."""
        return self._open_transcripts(self.store)
