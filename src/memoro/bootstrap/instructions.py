"""What the assistant is told before the first word: which files, in which order, as one value.

Five blocks, each optional: AGENTS.md (a hierarchy), SOUL.md, USER.md, IDENTITY.md and RULES.md;
then the rules. A blank file counts as none everywhere. Nothing here raises for what is in a file
or on the disk: what can't be used is left out, with a warning of one line.

The personal files SOUL.md and USER.md in HOME have a strict reader of their own
(`personal.read_personal`), whose errors stop a run; what it has let pass is given here by its path,
for its imports and the scan. Files of these names that stand in the workspace, or in a global
folder that was moved away from HOME, take the place of HOME's.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memoro.bootstrap.agents import AGENTS, load_agents
from memoro.bootstrap.cutting import cut_note, fit, joined
from memoro.bootstrap.imports.expansion import IMPORT_BYTES, Importing, expand
from memoro.bootstrap.loaded import (
    BlockText,
    Findings,
    LoadedFile,
    Places,
    SkippedFile,
    counted,
    lost,
)
from memoro.bootstrap.personal import is_blank
from memoro.bootstrap.reading.source import (
    Reader,
    Readings,
    Source,
    Unusable,
    named,
    read_exact,
    reader_for,
)
from memoro.bootstrap.rules.active import ALWAYS, SCOPED, load_rules
from memoro.bootstrap.workspace import find_root

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SOUL = "SOUL.md"
USER = "USER.md"
PERSONAL = (SOUL, USER)
NAMED = (SOUL, USER, "IDENTITY.md", "RULES.md")
CAP_BYTES = 32_768
_HEADINGS = {ALWAYS: "Rules", SCOPED: "Path-Specific Rules"}

FileCache = Readings
"""Keep one for the life of the process, and give it to each load."""


class BootstrapOptions(NamedTuple):
    """How instruction files are loaded.

    `home` is Memoro's own folder. `global_dir` holds the global instruction files and `rules/`: it
    is `home`, or MEMORO_BOOTSTRAP_DIR; "" for none. `user_home` is the person's home folder, for
    `~/` in imports, None where it isn't known. `fallback_names` are taken where a folder has no
    AGENTS.md, MEMORO.md or CLAUDE.md. `cap_bytes` is the most that a block may have.
    """

    home: str
    global_dir: str
    user_home: str | None = None
    enabled: bool = True
    threat_scan: bool = True
    fallback_names: tuple[str, ...] = ()
    cap_bytes: int = CAP_BYTES


class InstructionBlock(NamedTuple):
    """A part of the prompt. `name` is the file's, or "rules", or "path rules".

    `stable` is False for what depends on the paths in play and so may change from turn to turn.
    """

    name: str
    heading: str
    text: str
    stable: bool = True

    @property
    def rendered(self) -> str:
        """The block as it stands in the prompt, ending with one line end."""
        return f"{self.heading}\n\n{self.text.rstrip()}\n"


class Instructions(NamedTuple):
    """What one load has found.

    `root` is the workspace's root as a real path. `blocks` are in the prompt's order and never
    blank. `files` are in the order of their text, imports behind the file that names them.
    `skipped` are files that were considered and left out. `warnings` are one line each, meant for
    the person; each names its file.
    """

    root: str
    blocks: tuple[InstructionBlock, ...] = ()
    files: tuple[LoadedFile, ...] = ()
    skipped: tuple[SkippedFile, ...] = ()
    warnings: tuple[str, ...] = ()

    def block(self, name: str) -> InstructionBlock | None:
        """The block of this name. None for SOUL.md or USER.md: HOME's own file counts."""
        return next((block for block in self.blocks if block.name == name), None)


def load_instructions(
    cwd: str,
    options: BootstrapOptions,
    in_play: Sequence[str] = (),
    cache: FileCache | None = None,
    own: Mapping[str, str | None] = {},
) -> Instructions:
    """Load the instruction files for a folder. The same disk gives the same bytes.

    Args:
        cwd: the current folder.
        options: how to load; if not enabled, nothing is opened or listed.
        in_play: the paths that the turn speaks of or touches: absolute, from the home folder
            (`~/`), or relative to `cwd`. They need not exist.
        cache: what earlier loads have read. A file is opened again when it has changed.
        own: the paths of HOME's personal files by the name of their block, where the strict reader
            has let them pass. They count where no other folder has one, and where HOME is a folder
            that may be read from.
    """
    root = find_root(cwd, options.home)
    if not options.enabled:
        return Instructions(root)
    places = places_of(cwd, root, options)
    findings = Findings(options.threat_scan, places)
    if places.shared and os.path.isdir(places.shared) and not os.access(places.shared, os.X_OK):
        findings.warn(f"{named(places.shared)} can't be entered; nothing is read from there")
        findings.places = places._replace(shared=None)
    cap = max(options.cap_bytes, 0)
    most = max(cap, IMPORT_BYTES)
    reader = reader_for(findings.places.readable, most, options.threat_scan, cache)
    agents = load_agents(options.fallback_names, cap, reader, findings)
    single = [
        (name, _load_named(name, options.home, own.get(name), cap, reader, findings))
        for name in NAMED
    ]
    rules = load_rules(in_play, cap, reader, findings)
    texts = [(AGENTS, agents), *single, (ALWAYS, rules.always), (SCOPED, rules.scoped)]
    return Instructions(
        root,
        tuple(_block(name, text) for name, (text, _) in texts if not is_blank(text)),
        tuple(file for _, (_, files) in texts for file in files),
        tuple(findings.skipped),
        findings.warnings,
    )


def places_of(cwd: str, root: str, options: BootstrapOptions) -> Places:
    """The folders of a load; a global folder that is not there is still one."""
    shared = os.path.realpath(options.global_dir) if options.global_dir else None
    return Places(root, os.path.realpath(cwd), shared, options.user_home)


def named_places(name: str, home: str, places: Places) -> list[str]:
    """The folders that one of the four single files is looked for in, the first one first.

    Args:
        name: the file's name.
        home: Memoro's own folder, whose personal files are left to their own reader.
        places: the folders of the load.
    """
    folders = [places.root] if places.shared is None else [places.root, places.shared]
    own = os.path.realpath(home)
    return [folder for folder in dict.fromkeys(folders) if name not in PERSONAL or folder != own]


def _block(name: str, text: str) -> InstructionBlock:
    return InstructionBlock(name, f"## {_HEADINGS.get(name, name)}", text, name != SCOPED)


def _load_named(
    name: str, home: str, own: str | None, cap: int, reader: Reader, findings: Findings
) -> BlockText:
    chosen: Source | None = None
    for folder in named_places(name, home, findings.places):
        path = os.path.join(folder, name)
        found = read_exact(path, reader)
        if isinstance(found, Unusable):
            findings.warn(found.warning)
            findings.skip(path, found.why)
        elif found is not None and is_blank(found.text):
            findings.warn(*found.warnings)
            findings.skip(path, "blank")
        elif found is not None and chosen is not None:
            findings.skip(path, f"{named(chosen.path)} comes first")
        elif found is not None:
            chosen = found
    if chosen is None and own is not None:
        found = read_exact(own, reader)
        chosen = found if isinstance(found, Source) and not is_blank(found.text) else None
    if chosen is None:
        return BlockText("", ())
    shown = findings.name(chosen.path)
    draft = expand(Importing(chosen, chosen.text, shown, name, "named"), reader, findings)
    kept = fit([draft.part], cap)[0]
    files = counted(draft, kept)
    gone = lost(draft, files)
    if not gone:
        return BlockText(kept.text, files)
    note = cut_note(cap, gone)
    findings.warn(f"{named(chosen.path)}: {note[5:-4]}")
    return BlockText(joined((kept.text, note + "\n")), files)
