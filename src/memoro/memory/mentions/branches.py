"""The branches that a text names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoro.memory.mentions.mention import QUOTES, Mention
from memoro.memory.mentions.vocabulary import (
    BRANCH_FOLDERS,
    BRANCHES,
    EXTENSIONS,
    PLAIN_BRANCHES,
    words,
)

_NAME = r"(?P<quote>[`'\"“‘«])?(?P<name>\w(?:[\w./+-]{0,98}\w)?)(?![*{<(/\w])"
_WORD = re.compile(r"(?<![\w-])(?:branch|branches|ramo|ramos)(?![\w-])", re.IGNORECASE)
_AFTER = re.compile(
    r"\s*(?P<link>:|=|(?:(?P<role>default|padrão)\s+)?(?:is|are|é|são)(?:\s+(?:called|named|now))?"
    rf"|called|named|chamad[oa]s?)?\s*{_NAME}",
    re.IGNORECASE,
)
_FURTHER = re.compile(
    rf"[`'\"”’»]?(?:\s*,\s*(?:and\s+|or\s+|e\s+)?|\s+(?:and|or|e|ou|y)\s+){_NAME}"
)
_DEFAULT = re.compile(r"\b(?:default|padrão)\s*$", re.IGNORECASE)
_CALLED = re.compile(r"called|named|chamad", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:an?|each|every|any|per|new|uma?)\s+$", re.IGNORECASE)
_TOWARDS = re.compile(
    r"\b(?:merg\w+|rebas\w+|push\w*|backport\w*|cherry-pick\w*|branch(?:ed|es)? off|based|lands?"
    r"|landing|PRs?|pull requests?|commits?|deploy\w*|cut)\b(?:\s+[\w'-]+){0,4}?\s+"
    rf"(?:into|onto|to|against|on|off|from|targets?)\s+{_NAME}"
)
_CHECKOUT = re.compile(rf"\bgit (?:checkout|switch|merge|rebase)\s+(?:-\w\s+)?{_NAME}")
_ENDS = re.compile(
    r"[`'\"”’»]?(?:\s*(?:[.,;:!?)\]]|$)|\s+(?:and|or|after|before|when|once|only|via|by|with"
    r"|without"
    r"|at|on|for|is|are|as|every|each|daily|weekly|first|directly)\b)"
)
_REMOTE = re.compile(r"(?<![\w./-])(?:origin|upstream)/\w(?:[\w./+-]{0,98}\w)?")
_TYPED = re.compile(
    r"(?<![\w./~-])(?P<quote>)(?P<name>(?:feature|feat|fix|bugfix|hotfix|releases?|chore|topic)"
    r"/(?=[\w.]*[\d_-])\w(?:[\w./-]{0,98}\w)?)(?![\w/*{<])"
)
_TELLING = re.compile(r"(?=.*[^\W\d_])(?=.*[\d_])|\d+\.\w")
_NO_NAMES = words(
    """
    a an the this that it in on at to for from off with without by as and or but is are not no when
    if where which who whose o os uma um de da do em para com sem por que
    """
)
_ALSO_KINDS = frozenset(("dev", "trunk"))
_WINDOW = 120
_MOST_IN_A_ROW = 8


def find_branches(text: str) -> Iterator[Mention]:
    """Names that stand by the word branch, that something is merged or pushed to, and those that
    only a branch has."""
    for word in _WORD.finditer(text):
        yield from _named_after(text, word)
        yield from _named_before(text, word)
    for match in _CHECKOUT.finditer(text):
        if match["name"] in BRANCHES or _is_typed(match["name"]):
            yield _mention(match)
    for match in _TOWARDS.finditer(text):
        usual = match["name"] in PLAIN_BRANCHES or match["name"] == "main"
        if (usual and _ENDS.match(text, match.end())) or _is_typed(match["name"]):
            yield _mention(match)
    for match in _TYPED.finditer(text):
        if _is_typed(match["name"]):
            yield _mention(match)
    for match in _REMOTE.finditer(text):
        yield Mention("branch", match[0], match.start(), match.end())


def _mention(match: re.Match[str], subject: str = "") -> Mention:
    return Mention("branch", match["name"], *match.span("name"), subject)


def _named_after(text: str, word: re.Match[str]) -> Iterator[Mention]:
    end = word.end() + _WINDOW
    match = _AFTER.match(text, word.end(), end)
    if match is None:
        return
    before = text[max(0, word.start() - 20) : word.start()]
    link = match["link"] or ""
    default = bool(link) and (match["role"] is not None or bool(_DEFAULT.search(before)))
    called = _CALLED.search(link) is not None
    # "branches are named fix/1234" tells how, and not which.
    several = called and word[0].lower().endswith("s")
    if several or not _is_meant(text, match, called=called, default=default):
        return
    yield _mention(match, "default" if default else "")
    for _ in range(_MOST_IN_A_ROW):
        match = _FURTHER.match(text, match.end(), end)
        if match is None or not _is_meant(text, match, called=False, default=False):
            return
        yield _mention(match)


def _is_meant(text: str, match: re.Match[str], *, called: bool, default: bool) -> bool:
    """Whether what follows the word branch is a name, and no word of the sentence."""
    name = match["name"]
    if name.lower() in _NO_NAMES or name.isdigit():
        return False
    if match["quote"] and text[match.end() : match.end() + 1] not in tuple(QUOTES):
        return False
    if match["quote"] or called or name in PLAIN_BRANCHES or name == "main" or _is_telling(name):
        return True
    linked = "link" in match.re.groupindex and match["link"]
    return name in BRANCHES and (default or (not linked and bool(_ENDS.match(text, match.end()))))


def _named_before(text: str, word: re.Match[str]) -> Iterator[Mention]:
    """ "the release/2.1 branch"; of a plain word only where it is a name and no adjective."""
    window = text[max(0, word.start() - _WINDOW) : word.start()]
    token = window.split()[-1] if window[-1:].isspace() and not window.isspace() else ""
    name = token.strip(QUOTES + "()[]*")
    if not name or name.isdigit() or not re.fullmatch(r"\w(?:[\w./+-]*\w)?", name):
        return
    start = word.start() - len(window) + window.rindex(name)
    article = _ARTICLE.search(text[max(0, start - 8) : start]) is not None
    plain = name in PLAIN_BRANCHES and not (article and name in _ALSO_KINDS)
    if token[:1] in QUOTES or plain or _is_telling(name):
        yield Mention("branch", name, start, start + len(name))


def _is_telling(name: str) -> bool:
    """Whether a word looks like a branch: `release/2.1`, `v2`, `fix_login`; no `merge/rebase`."""
    if "/" in name:
        rest = name.partition("/")[2]
        return _is_typed(name) or (not _has_ending(name) and bool(re.search(r"[\d_.-]", rest)))
    return not _has_ending(name) and _TELLING.match(name) is not None


def _is_typed(name: str) -> bool:
    folder, slash, rest = name.partition("/")
    return bool(slash and rest) and folder in BRANCH_FOLDERS and not _has_ending(name)


def _has_ending(name: str) -> bool:
    return name.rpartition(".")[2].lower() in EXTENSIONS and "." in name
