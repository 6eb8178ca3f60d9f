"""What is asked of an emulation, and what it answers."""

from __future__ import annotations

from typing import Literal, NamedTuple

Tool = Literal["claude-code", "codex", "gemini", "cursor", "chatcli"]
How = Literal["always", "matched", "on demand", "import"]
ClaudeInstructions = Literal[
    "claude-md-or-agents-md", "claude-md-and-agents-md", "claude-md", "managed-only"
]

TOOLS: tuple[Tool, ...] = ("claude-code", "codex", "gemini", "cursor", "chatcli")
TITLES: dict[Tool, str] = {
    "claude-code": "Claude Code",
    "codex": "Codex",
    "gemini": "Gemini CLI",
    "cursor": "Cursor",
    "chatcli": "ChatCLI",
}
MEMORO = "Memoro"


class Homes(NamedTuple):
    """The folders that belong to a person and not to a project; None where there is none.

    `user` is the home folder; `claude`, `codex`, `gemini` and `chatcli` are the tools' own
    folders. `claude_managed` is where an organization puts Claude Code's policy. `memoro` is
    Memoro's own folder, which marks no workspace.
    """

    user: str | None = None
    claude: str | None = None
    codex: str | None = None
    gemini: str | None = None
    chatcli: str | None = None
    claude_managed: str | None = None
    memoro: str | None = None


class Config(NamedTuple):
    """What the tools' own settings change about the files; the values here are their defaults.

    `codex_max_bytes` is in bytes; 0 switches the project's files off, as it does in Codex.
    `codex_root_markers` and `gemini_root_markers` are the names that mark a project's root;
    without any, neither tool looks above the current folder.
    """

    claude_instructions: ClaudeInstructions = "claude-md-or-agents-md"
    codex_fallback_names: tuple[str, ...] = ()
    codex_max_bytes: int = 32_768
    codex_root_markers: tuple[str, ...] = (".git",)
    gemini_names: tuple[str, ...] = ("GEMINI.md",)
    gemini_root_markers: tuple[str, ...] = (".git",)


class LoadedAs(NamedTuple):
    """One file as a tool would take it.

    `label` is its path from the workspace's root, or from the home folder with `~`. `order`
    counts from 1. `bytes` is its size on disk and `kept_bytes` what the tool's limits leave of
    it; what a tool strips besides (headers, comments) still counts as kept. `how` is "always",
    "matched" (by a path in play, or by the folder), "on demand" (not now) or "import".
    """

    path: str
    label: str
    order: int
    bytes: int
    kept_bytes: int
    how: How
    note: str = ""


class Cut(NamedTuple):
    """What a tool's limit costs: the limit, all that is lost, and a line that names the files."""

    limit_bytes: int
    lost_bytes: int
    text: str


class Loaded(NamedTuple):
    """What a tool would load, in its order. `cut` is None where nothing is lost to a limit."""

    tool: Tool
    files: tuple[LoadedAs, ...]
    cut: Cut | None
    warnings: tuple[str, ...]


class Own(NamedTuple):
    """A file that Memoro has loaded: how many of its bytes are in the prompt, and how many lost."""

    path: str
    kept_bytes: int
    cut_bytes: int = 0


class Difference(NamedTuple):
    """One disagreement, as a readable line.

    `kind` is "loaded" (not all have the file), "order" or "cut". `paths` are the files, `loaders`
    those on the smaller side of a disagreement over loading, else all that have the files.
    """

    kind: Literal["loaded", "order", "cut"]
    text: str
    paths: tuple[str, ...]
    loaders: tuple[str, ...]


def homes_of(user: str | None, codex: str | None = None, chatcli: str | None = None) -> Homes:
    """The tools' folders in their usual places.

    Args:
        user: the home folder, None where it is not known.
        codex: `CODEX_HOME`, where it is set.
        chatcli: `CHATCLI_BOOTSTRAP_DIR`, where it is set.
    """
    import sys

    def below(name: str) -> str | None:
        return None if user is None else f"{user.rstrip('/')}/{name}"

    darwin = sys.platform == "darwin"
    return Homes(
        user=user,
        claude=below(".claude"),
        codex=codex or below(".codex"),
        gemini=below(".gemini"),
        chatcli=chatcli or below(".chatcli"),
        claude_managed="/Library/Application Support/ClaudeCode" if darwin else "/etc/claude-code",
        memoro=below(".memoro"),
    )
