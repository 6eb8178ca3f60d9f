"""The rules that the emulation implements, each with the version or date that it describes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memoro.bootstrap.loaders.results import Tool

_CLAUDE = "2.1.277, memory page of 2026-09-29"
_CODEX = "agents_md.rs at 0cf644a, AGENTS.md page of 2026-09-19"
_GEMINI = "0.37 and later, memoryDiscovery.ts with boundary markers, docs of 2026-10-07"
_GEMINI_IMPORTS = "memoryImportProcessor.ts at 04fbf50"
_CURSOR = "rules page of 2026-09-28"
_CHATCLI = "bootstrap page, source of August 2026"


class Rule(NamedTuple):
    """One rule of one tool. `text` is a line of Markdown; `describes` is what it is from."""

    tool: Tool
    name: str
    text: str
    describes: str


RULES: tuple[Rule, ...] = (
    Rule(
        "claude-code",
        "ancestors",
        "`CLAUDE.md`, `.claude/CLAUDE.md` and `CLAUDE.local.md` of every folder from the file"
        " system's root down to the current one, the local one last in its folder.",
        _CLAUDE,
    ),
    Rule(
        "claude-code",
        "personal",
        "First the managed policy (`/etc/claude-code/CLAUDE.md`), then `~/.claude/CLAUDE.md` and"
        " `~/.claude/rules/`, before anything of a project.",
        _CLAUDE,
    ),
    Rule(
        "claude-code",
        "agents",
        "`AGENTS.md` only where no `CLAUDE.md`, `.claude/CLAUDE.md` or `CLAUDE.local.md` exists at"
        " or above; the personal and the managed one don't count. The setting “Project"
        " instructions” changes it.",
        _CLAUDE,
    ),
    Rule(
        "claude-code",
        "no-override",
        "`AGENTS.override.md` and `AGENTS.local.md` are never read.",
        _CLAUDE,
    ),
    Rule(
        "claude-code",
        "imports",
        "`@path` at a line's start or after a space, not in fenced code or code spans; from the"
        " importing file, `~/` and absolute too; 4 hops, no file twice. Outside of the current"
        " folder it asks first.",
        _CLAUDE,
    ),
    Rule(
        "claude-code",
        "rules",
        "`.claude/rules/**/*.md` of every folder above; with `paths:` only once a matching file is"
        " read. A pattern without `/` is for the folder itself.",
        _CLAUDE,
    ),
    Rule(
        "claude-code",
        "nested",
        "The same files of folders below the current one, once a file there is read.",
        _CLAUDE,
    ),
    Rule("claude-code", "size", "A file over 4 MiB is skipped; nothing else is cut.", _CLAUDE),
    Rule(
        "codex",
        "one-per-folder",
        "From the project's root down to the current folder one file a folder:"
        " `AGENTS.override.md`, else `AGENTS.md`, else the first of"
        " `project_doc_fallback_filenames`. Blank ones are dropped, without a second choice.",
        _CODEX,
    ),
    Rule(
        "codex",
        "root",
        "The root is the nearest folder upwards with `.git` (`project_root_markers`); without one"
        " only the current folder counts.",
        _CODEX,
    ),
    Rule(
        "codex",
        "personal",
        "First the first of `AGENTS.override.md` and `AGENTS.md` in the Codex home that is not"
        " blank; it does not count towards the limit.",
        _CODEX,
    ),
    Rule(
        "codex",
        "limit",
        "32 KiB in all (`project_doc_max_bytes`), taken from the root down and cut at the byte, so"
        " that the nearest file loses.",
        _CODEX,
    ),
    Rule("codex", "no-imports", "`@path` is plain text.", _CODEX),
    Rule(
        "codex",
        "all-or-nothing",
        "Where the system refuses to show one candidate, no project file is loaded.",
        _CODEX,
    ),
    Rule(
        "gemini",
        "hierarchy",
        "`~/.gemini/GEMINI.md`, then those from the nearest folder upwards with `.git` down to the"
        " current one, sorted by path as text; without `.git` only the current folder.",
        _GEMINI,
    ),
    Rule(
        "gemini",
        "names",
        "`context.fileName` replaces the name; of several names, all that exist are loaded.",
        _GEMINI,
    ),
    Rule(
        "gemini",
        "nested",
        "Those of folders below the current one, once a tool touches a file there.",
        _GEMINI,
    ),
    Rule(
        "gemini",
        "imports",
        "`@path` after a space, not between backticks; 5 hops; below the importing file's project"
        " root only; the same file as often as it is named, other than in a cycle. What can't be"
        " imported becomes a comment.",
        _GEMINI_IMPORTS,
    ),
    Rule("gemini", "no-limit", "Nothing is cut.", _GEMINI),
    Rule(
        "cursor",
        "agents",
        "`AGENTS.md` of the project's root always, of a folder below for work in that folder.",
        _CURSOR,
    ),
    Rule(
        "cursor",
        "root-files",
        "At the root also `CLAUDE.md`, read like `AGENTS.md`, and the legacy `.cursorrules`.",
        "help and CLI pages of 2026-09-28",
    ),
    Rule(
        "cursor",
        "rules",
        "`.cursor/rules/**/*.mdc`: `alwaysApply: true` always, `globs` for matching files,"
        " `description` when the model asks, else only where it is mentioned. `.md` is ignored.",
        _CURSOR,
    ),
    Rule(
        "chatcli",
        "hierarchy",
        "The global folder first, then from the root (the nearest folder with a folder `.agent` or"
        " `.git`) to the current one: `AGENTS.override.md`, else the first of `AGENTS.md`,"
        " `CHATCLI.md`, `CLAUDE.md`; then its `.local.md`.",
        _CHATCLI,
    ),
    Rule(
        "chatcli",
        "further",
        "`SOUL.md`, `USER.md`, `IDENTITY.md`, `RULES.md`: of the root, else of the global folder.",
        _CHATCLI,
    ),
    Rule(
        "chatcli",
        "imports",
        "A line `@path` or `@import path` to a Markdown or text file, not behind a line that starts"
        " with three backticks; 4 hops, no file twice in one importing file, below the root or the"
        " global folder only, 32 KiB each.",
        _CHATCLI,
    ),
    Rule(
        "chatcli",
        "limit",
        "The hierarchy is one text of at most 32 KiB; its end is cut, behind a line where one ends"
        " in the second half, so that the nearest file loses.",
        _CHATCLI,
    ),
    Rule(
        "chatcli",
        "rules",
        "`*.md` of the global `rules/`, `.claude/rules`, `.chatcli/rules` (and of `rules/`, where"
        " there is no `.chatcli`), later ones win by name; `paths:` as a list, matched against"
        " paths in lower case.",
        _CHATCLI,
    ),
)


def rows() -> tuple[str, ...]:
    """The rules as rows of the Markdown table in the documentation."""
    return tuple(
        f"| {rule.tool} | {rule.name} | {rule.text} | {rule.describes} |" for rule in RULES
    )
