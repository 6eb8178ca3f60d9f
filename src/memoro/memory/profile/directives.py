"""Directives: how hard they are meant, and the workspace that they are for."""

from __future__ import annotations

import re
from typing import NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.profile.wording import fold, one_line
from memoro.memory.records import shown

HARD, PREFERENCE = "hard", "preference"

_TAG = re.compile(r"\[\s*(scope\s*:[^\[\]]*|hard|preference|soft)\s*\]", re.IGNORECASE)
# Verbs and adjectives of two languages, folded; "must have" and "not always" oblige to nothing.
_OBLIGES = re.compile(
    r"\b(?:never|nunca|jamais|proib\w*|forbidden|prohibited|must|always|sempre|obrigat\w*"
    r"|mandatory|nao pode\w*|under no circumstances|em hipotese alguma)\b"
)
_EASED = re.compile(
    r"\b(?:not|nem|nao|isn't|don't|needn't|not necessarily) (?:always|sempre|mandatory|obrigat\w*"
    r"|forbidden|proib\w*)\b|\bmust[- ]haves?\b"
)


class Directive(NamedTuple):
    """A directive: its text without tags, `hard` or `preference`, the name of a workspace."""

    text: str
    severity: str
    workspace: str | None


def read_directive(said: str) -> Directive | Refusal:
    """A directive as it was said: `[scope:NAME]` limits it to a workspace; `[hard]` and
    `[preference]` say how it is meant where its words don't."""
    tags = [one_line(tag) for tag in _TAG.findall(said)]
    text = one_line(_TAG.sub(" ", said))
    scopes = [tag for tag in tags if fold(tag).startswith("scope")]
    if not text:
        return Refusal(Reason.USAGE, f"the directive {shown(said)} has no text")
    name = one_line(scopes[0].partition(":")[2]) if scopes else None
    if len(scopes) > 1 or name == "" or (name and ("/" in name or "\\" in name)):
        return Refusal(
            Reason.USAGE,
            f"the directive {shown(said)} has no single workspace",
            "name one folder: [scope:NAME] before the directive",
        )
    told = {PREFERENCE if fold(tag) == "soft" else fold(tag) for tag in tags if tag not in scopes}
    severity = told.pop() if len(told) == 1 else severity_of(text)
    return Directive(text, severity, name)


def severity_of(text: str) -> str:
    """Whether the words of a directive make it a hard rule."""
    return HARD if _OBLIGES.search(_EASED.sub(" ", fold(text))) else PREFERENCE


def counts_in(workspace: str | None, path: str | None) -> bool:
    """Whether a directive counts in a workspace: its name is a segment of the path, in any case."""
    if workspace is None:
        return True
    segments = re.split(r"[/\\]", path or "")
    return any(_same(segment, workspace) for segment in segments if segment)


def _same(one: str, other: str) -> bool:
    return one_line(one).casefold() == one_line(other).casefold()
