"""What handlers reach the outside through, and the values that pass there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from memoro.errors import Refusal
    from memoro.memory.claims import Claim, Seen
    from memoro.memory.dates.window import Calendar
    from memoro.memory.graph import Graph
    from memoro.memory.imported import ImportedConversation, ImportedRecord, LeftOut
    from memoro.memory.importing.outcome import ImportPlan, Planned, Rules
    from memoro.memory.plain.exported import Examined
    from memoro.memory.recall.asked import Weights
    from memoro.memory.recall.finding import Finder
    from memoro.memory.records import Record
    from memoro.memory.store import Applied, MemoryStore, Origin, Plan
    from memoro.session.usage import Usage


class SettingView(NamedTuple):
    """A setting as it stands: its value, and where that comes from (a variable, the file, the
    default)."""

    name: str
    value: str
    source: str
    env: str
    help: str


class Configuration(Protocol):
    """Reads and writes the user's settings and keys."""

    def settings(self) -> Sequence[SettingView]: ...

    def set(self, name: str, value: str) -> str:
        """Keep a setting; gives the file it stands in. Raises SettingsError."""
        ...

    def unset(self, name: str) -> bool:
        """Back to the default; False where the file didn't set it."""
        ...

    def store_key(self, provider: str, key: str) -> None:
        """Keep a provider's key in the system keyring."""
        ...

    def delete_key(self, provider: str) -> bool:
        """Take a key out of the keyring; False where there was none."""
        ...


class Check(NamedTuple):
    """One line of `doctor`: what was looked at, how it is, and what to do."""

    name: str
    ok: bool
    told: str
    fix: str = ""


class Doctor(Protocol):
    """Looks at the installation, and mends what it is asked to."""

    def checks(self) -> Sequence[Check]: ...

    def restore(self, backup: str | None) -> tuple[str, str]:
        """Put a backup (the newest sound one by default) in the store's place; gives the backup
        and where the replaced store is now."""
        ...

    def plan_repair(self) -> tuple[str, Sequence[str]]:
        """What is wrong with the store ("" where nothing is), and what a repair will do, a line
        each. Nothing is changed."""
        ...

    def repair(self) -> Sequence[str]:
        """Do it; gives what was done, a line each."""
        ...


class Terminal(Protocol):
    """Asks the person at the keyboard."""

    def edit(self, text: str, name: str = "note.md") -> str:
        """Open a text in the user's editor, as a file of that name, and give it back as it was
        saved."""
        ...

    def keep(self, text: str, name: str = "note.md") -> str:
        """Keep a text that was typed and could not be used; gives the file it is in, whose name
        ends like that."""
        ...

    def confirm(self, question: str) -> bool | None:
        """Ask for a yes or no; None where nobody is there to ask."""
        ...

    def agree(self, question: str, word: str) -> bool | None:
        """Ask for a word that nobody types by mistake; None where nobody is there to ask."""
        ...

    def secret(self, question: str) -> str:
        """Ask for something that must not be shown."""
        ...


class Places(NamedTuple):
    """Where we are: `home` is Memoro's folder, `folder` the current one."""

    home: str
    folder: str


class Masked(NamedTuple):
    """A text without its secrets, and the kinds of those that were there."""

    text: str
    kinds: tuple[str, ...]


class Workspace(Protocol):
    """The workspace that the current folder lies in."""

    @property
    def root(self) -> str:
        """Its folder."""
        ...

    @property
    def marked(self) -> bool:
        """Whether the root holds a marker, such as `.git`; else it is just the current folder."""
        ...

    @property
    def user_home(self) -> str: ...

    def branch(self) -> str | None:
        """The branch that it is on."""
        ...

    def branch_tip(self, branch: str) -> str | None:
        """What to remember of a branch for the day on which it is deleted."""
        ...

    def is_merged(self, branch: str, remembered: str | None) -> bool | None:
        """Whether a branch is merged here; None where that can't be told."""
        ...

    def has_commits(self, commits: Sequence[str]) -> bool | None:
        """Whether the repository here holds these commits; None where that can't be told."""
        ...


class Learning(NamedTuple):
    """What handlers of learned memory need besides."""

    mode: Callable[[], Literal["auto", "review", "off"]]
    max_facts: Callable[[], int]
    mask: Callable[[str], Masked]
    calendar: Callable[[], Calendar]
    workspace: Callable[[], Workspace]
    look: Callable[[Sequence[Claim], str | None], Sequence[Seen]]
    graph: Callable[[MemoryStore], Graph]
    usage: Callable[[MemoryStore], Usage]


class Reindexed(NamedTuple):
    """An index that is up: its turns and records, how many vectors are still waited for, what there
    is to tell, and whether that is that some could not be made."""

    turns: int
    records: int
    waiting: int
    told: str = ""
    failed: bool = False


class Recalling(NamedTuple):
    """What recall needs besides.

    `ready` brings the index up, and says in a line what it still lacks. `row` is the vector of a
    question, empty where there is none, with a line on what is wrong; `by_meaning` whether what is
    near to it is looked at whatever its words, and `weights` what each signal is worth then.
    `finder` opens the index. `keep_embedding` makes vectors that are waited for, at most so many.
    `reindex` makes all of it anew, or just what is missing. `imagined` is an answer that a model
    makes up to find the true one, where that is on. `page_characters` bounds what a prompt has of
    what was learned; 0 means nothing of it. `embedding_costs` are an
    embedder's name, the texts that it was given, and the tokens that it counted.
    """

    ready: Callable[[MemoryStore], str]
    row: Callable[[MemoryStore, str], tuple[bytes, str]]
    finder: Callable[[MemoryStore], AbstractContextManager[Finder]]
    by_meaning: Callable[[MemoryStore], bool]
    weights: Callable[[MemoryStore], Weights]
    keep_embedding: Callable[[MemoryStore, int | None], None]
    reindex: Callable[[MemoryStore, bool], Reindexed]
    imagined: Callable[[MemoryStore, str], tuple[str, str]]
    page_characters: Callable[[], int]
    embedding_costs: Callable[[MemoryStore], Sequence[tuple[str, int, int]]]


class Kept(NamedTuple):
    """What an import has stored: what came of its records; the `change` in the log, None where
    nothing was new; of the conversations how many brought something new and how many nothing, and
    the turns that were new; those that could not be kept; and what there is to tell besides, a line
    each."""

    planned: Planned
    change: int | None = None
    conversations: int = 0
    known: int = 0
    turns: int = 0
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[str, ...] = ()


class Importing(NamedTuple):
    """What an import reaches the outside through.

    `kinds` are what can be read, with a word on each; `kind_of` finds the kind of a path, or
    checks one that was named. `read` gives what is in it, piece by piece; `is_own` says whether
    that is our own export. `project_of` is the registered project that a folder lies in, and
    `place_of` what it is known by, None where it is no place of its own. `peek` opens the store
    without making one. `keep` reads the conversations to their end, then runs the plan for the
    records, and stores what both bring as one change, in pieces that keep nobody waiting; in a
    `rehearsal` nothing is stored. `progress` tells a person who waits how far it is; "" ends that.
    """

    kinds: Callable[[], Sequence[tuple[str, str]]]
    kind_of: Callable[[str, str | None], str | Refusal]
    read: Callable[[str, str], Iterator[ImportedRecord | ImportedConversation | LeftOut]]
    is_own: Callable[[str], bool]
    project_of: Callable[[Sequence[tuple[str, Mapping[str, Any]]], str], str | None]
    place_of: Callable[[str], Mapping[str, Any] | None]
    peek: Callable[[], MemoryStore]
    keep: Callable[
        [MemoryStore, ImportPlan, Rules, Iterator[ImportedConversation], Origin, bool],
        Kept | Refusal,
    ]
    progress: Callable[[str], None]


class Mirrored(NamedTuple):
    """What was written into the `folder` of plain files: each file with its bytes. `ok` is False
    where something could not be written, which `told` says."""

    folder: str
    files: Mapping[str, int]
    told: tuple[str, ...]
    ok: bool


class MergedFiles(NamedTuple):
    """What came of files that a person edited: the `change` in the log, None where nothing changed,
    and the IDs of the records.

    `waiting` are files with the number of records that were deleted in them, and of those that they
    had, where it is so many that somebody has to say that it was meant. `ok` is False where
    something could not be taken, which `told` says.
    """

    change: int | None
    added: tuple[str, ...]
    changed: tuple[str, ...]
    deleted: tuple[str, ...]
    waiting: tuple[tuple[str, int, int], ...]
    told: tuple[str, ...]
    ok: bool


class Unreadable(NamedTuple):
    """Where a text that a person edited stops being a list of records, and why."""

    line: int
    column: int
    what: str


class Mirroring(NamedTuple):
    """The plain files beside the store.

    `write` brings them up, or writes all of them anew. `merge` takes what a person changed in them;
    of the files that are named (None: of all), deletions are meant, however many. `merge_copies`
    takes files that lie anywhere, and `merge_text` what somebody made of the lines of the records
    that were shown, as a file of that name; the flag says that deletions are meant. `kinds` are the
    files' names with the kinds of record in them.
    """

    write: Callable[[MemoryStore, bool], Mirrored]
    merge: Callable[[MemoryStore, Sequence[str] | None], MergedFiles]
    merge_copies: Callable[[MemoryStore, Sequence[str]], MergedFiles]
    merge_text: Callable[[MemoryStore, Sequence[Record], str, str, bool], MergedFiles | Unreadable]
    kinds: Callable[[], Mapping[str, Sequence[str]]]


class Exporting(NamedTuple):
    """What an export, and its way back, reach the outside through.

    `lines` gives what the store holds of what is chosen, as JSON values, after every record of some
    kinds, in all its versions, was given to a function that may want to see them first (True: as it
    stands). `text` writes one as a line; `write` writes a file as a whole, over another only where
    that is said, and gives its bytes.

    `empty` says whether a store holds nothing and has no past, `examine` what an export is as a
    whole, and `read` gives its lines with their places. `bring_back` takes them into an empty
    store, and `join` those of conversations, with what a plan makes of the records, into another
    one; each as one change, or with True at the end only as a rehearsal. The flag before that has
    `join` bring in what was forgotten here, too.
    """

    lines: Callable[
        [
            MemoryStore,
            Mapping[str, Any],
            Collection[str],
            Callable[[Record, bool], None] | None,
        ],
        Iterator[Mapping[str, Any]],
    ]
    text: Callable[[Mapping[str, Any]], str]
    write: Callable[[str, Iterator[str], bool], Refusal | int]
    empty: Callable[[MemoryStore], bool]
    examine: Callable[[str], Examined | Refusal]
    read: Callable[[str, int | None], Iterator[tuple[str, Mapping[str, Any]] | LeftOut]]
    bring_back: Callable[
        [MemoryStore, Iterator[tuple[str, Mapping[str, Any]]], Origin, bool], Restored | None
    ]
    join: Callable[
        [MemoryStore, Iterator[tuple[str, Mapping[str, Any]]], Plan, Origin, bool, bool],
        Joined | Refusal,
    ]


class Restored(NamedTuple):
    """What an export brought into an empty store: `counts` by the type of line, the places that
    were `rejected` with why, and how many more; how often fields came that are `unknown` here, by
    type of line; how many changes came without saying which other one, that is not in the file,
    they take back (`loose`); and the `change` in the log, None where nothing came."""

    counts: Mapping[str, int]
    rejected: Sequence[tuple[str, str]]
    more_rejected: int
    unknown: Mapping[str, Mapping[str, int]]
    loose: int
    change: int | None


class Joined(NamedTuple):
    """What an export brought into a store that held something: the `change` in the log, None where
    nothing came; how many conversations came, with how many `turns`, and how many were `known`. Of
    these `others` have another number of messages: in the file, and here. Those that were
    `forgotten` here, and those whose IDs are `taken`, did not come; nor did the records that were
    `overtaken` by what others did meanwhile. The rest is as in `Restored`."""

    change: int | None
    conversations: int
    turns: int
    known: int
    others: Mapping[str, tuple[int, int]]
    forgotten: Sequence[str]
    taken: Sequence[str]
    overtaken: Sequence[str]
    rejected: Sequence[tuple[str, str]]
    more_rejected: int
    unknown: Mapping[str, Mapping[str, int]]


class Doomed(NamedTuple):
    """What an erasing takes: records, and conversations by their ID; and how many of what belongs
    to the same, by name, stays."""

    records: Sequence[Record]
    sessions: Sequence[str]
    stays: Mapping[str, int] = {}


class Passage(NamedTuple):
    """Words that stand somewhere in a conversation (`kind` says in what), and those that would
    stand there instead."""

    kind: str
    id: str
    session: str
    before: tuple[str, ...]
    after: tuple[str, ...]


class Passages(NamedTuple):
    """What conversations would say otherwise, and notes, as they are and as they would be."""

    spoken: Sequence[Passage]
    notes: Sequence[tuple[Record, Record]]


class Sweeping(NamedTuple):
    """What today's rules let in no more: records, as they are and as they would be; those of whose
    past the log still holds something; and, where conversations and notes are swept too, a text
    without it."""

    masked: Sequence[tuple[Record, Record]]
    cleared: Sequence[Record]
    erases: Callable[[str], str] | None = None


class Scan(NamedTuple):
    """What was searched, and in which files which needles were found; `unread` could not be."""

    files: int
    bytes: int
    hits: Mapping[str, Sequence[str]]
    unread: Sequence[str]


class Erasing(NamedTuple):
    """What an erasing reaches the outside through.

    `of_scope` and `of_session` (with their notes, and a scope's conversations, or without) and
    `of_all` say what would go, `texts` every text that that holds or held, `running` which
    conversations are going on, `passages` what conversations and notes would say otherwise.
    `purge` takes it out of every file, and `sweep` puts other records in the place of some, takes
    what the log held of others, and passages. `scan` searches all files of ours for needles, each
    in several byte forms; `keepers` are what holds a text by right, by ID, and whether each is a
    record; `traces` says where records that went still are.
    """

    of_scope: Callable[[MemoryStore, str, bool], Doomed]
    of_session: Callable[[MemoryStore, str, bool], Doomed]
    of_all: Callable[[MemoryStore], Doomed]
    texts: Callable[[MemoryStore, Doomed], Iterator[str]]
    running: Callable[[MemoryStore, Sequence[str]], list[str]]
    passages: Callable[[MemoryStore, Callable[[str], str]], Passages]
    purge: Callable[[MemoryStore, Doomed, Origin], Applied]
    keepers: Callable[[MemoryStore, str], list[tuple[str, bool]]]
    traces: Callable[[MemoryStore, Collection[str]], list[str]]
    scan: Callable[[Mapping[str, Sequence[bytes]]], Scan]
    logged: Callable[[MemoryStore], Iterator[Record]]
    sweep: Callable[[MemoryStore, Sweeping, Origin], Applied]
