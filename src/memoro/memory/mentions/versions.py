"""The versions that a text names, each with what it is the version of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoro.memory.mentions.mention import QUOTES, Mention
from memoro.memory.mentions.tools import NO_NAMES, canonical, is_counted, is_known

_NUMBER = re.compile(
    r"(?<![\w.,/:@-])v?(?P<number>\d{1,4}(?:\.\d{1,6}){0,3})(?P<rest>(?:\.[x*])|(?:-?(?:rc|alpha"
    r"|beta"
    r"|dev|pre|post)[.\d]*))?(?P<plus>\+)?(?![\w%/:$€£°]|[.,]\d|-\d)"
)
_NAME = r"(?P<name>(?:[A-Za-z@]|\.(?=[A-Za-z]))[\w./+#-]*)"
_LINK = (
    r"(?:is\s+pinned\s+(?:to|at)|(?:is\s+)?(?:pinned|locked)\s+(?:to|at)|is\s+(?:now\s+)?(?:at"
    r"|on)|is"
    r"|are|must\s+be|é|está\s+em|at|:|=)"
)
_BEFORE = re.compile(
    rf"(?:(?P<previous>[\w.]+)\s+)??(?<![\w./@-]){_NAME}[{QUOTES}]?"
    rf"(?P<version>\s+(?:version|versão|release|runtime)s?)?(?P<link>\s*{_LINK}(?=[\s{QUOTES}]))?"
    rf"\s*[{QUOTES}]?\s*(?P<more>at\s+least\s+|version\s+"
    rf"|versão\s+)?(?P<op>[<>=~^≥≤!]{{1,3}})?\s*$",
    re.IGNORECASE,
)
_OF = re.compile(rf"\s+(?:of|do|da|de)\s+(?:the\s+)?[{QUOTES}]?{_NAME}")
_PINNED = re.compile(r"pinned|locked", re.IGNORECASE)
_VERSION_BEFORE = re.compile(r"\b(?:version|versão)\s+$", re.IGNORECASE)
_AT_LEAST = re.compile(r"\b(?:at least|minimum|min\.?|no mínimo|pelo menos)\s+$", re.IGNORECASE)
_OR_NEWER = re.compile(
    r"\s*(?:,\s*)?(?:or|and|ou|e)\s+(?:newer|later|higher|above|up|greater|superior|mais)\b"
    r"|\s+at\s+(?:least|minimum)\b|\s+no mínimo",
    re.IGNORECASE,
)
_COUNTING = re.compile(
    r"\s*(?:[kKMGT]i?B|kg|km|cm|mm|ms|s|h|x|°|px|pt|em|rem|fps|USD|EUR|BRL)\b|\s+(?:seconds?"
    r"|minutes?"
    r"|hours?|days?|weeks?|months?|years?|times?|percent|points?|replicas?|nodes?|instances?"
    r"|shards?"
    r"|containers?|pods?|workers?|threads?|copies|servers?|machines?|of|segundos?|minutos?|horas?"
    r"|dias?|semanas?|meses|anos|vezes)\b"
)
_GLUED = re.compile(
    r"(?<![\w./@-])(?P<name>@?[A-Za-z][\w./-]{0,80}?)(?:@[\^~]?v?|:v?|==|>=|~=)"
    r"(?P<number>\d{1,4}(?:\.\d{1,6}){0,2})(?P<rest>-[a-z][\w.-]*)?(?![\w:/%]|[.,]\d|-\d)"
)
_FUSED = re.compile(
    r"(?<![\w./@-])(?P<name>python|pypy|go|golang|node|nodejs|ruby|php|java|openjdk|jdk|postgres"
    r"|postgresql|rust|php)-?v?(?P<number>\d{1,2}(?:\.\d{1,6}){1,3})(?![\w:/%]|[.,]\d|-\d)",
    re.IGNORECASE,
)
_OPERATORS = {">=": ">=", "=>": ">=", "≥": ">=", ">": ">", "<=": "<=", "≤": "<=", "<": "<"}
_WINDOW = 90


def find_versions(text: str) -> Iterator[Mention]:
    """A tool's or package's name with a number by it: `Go 1.23`, `react@18.2`, `postgres:16`.

    `what` is the number, behind `>=`, `>`, `<=` or `<` where the text says so.
    """
    for match in _NUMBER.finditer(text):
        found = _named_before(text, match) or _named_after(text, match)
        if found is not None:
            yield found
    for match in _GLUED.finditer(text):
        tool = canonical(match["name"].rpartition("/")[2] if ":" in match[0] else match["name"])
        image = ":" in match[0]
        if tool not in NO_NAMES and (is_known(tool) if image else True):
            op = ">=" if ">=" in match[0] else ""
            yield Mention("version", op + match["number"], match.start(), match.end(), tool)
    for match in _FUSED.finditer(text):
        tool = canonical(match["name"])
        yield Mention("version", match["number"], match.start(), match.end(), tool)


def _named_before(text: str, number: re.Match[str]) -> Mention | None:
    start = max(0, number.start() - _WINDOW)
    before = _BEFORE.search(text[start : number.start()])
    if before is None:
        return None
    tool = canonical(before["name"].rstrip(".:"), before["previous"] or "")
    link = before["link"] or ""
    pinned = _PINNED.search(link) is not None
    explicit = bool(
        before["version"] or before["more"] or before["op"] or pinned or number[0][0] == "v"
    )
    linked = bool(link) and not explicit
    word = before["name"].lower().rstrip(".:")
    if word in NO_NAMES or not _is_version(text, number, tool, explicit, linked):
        return None
    # `timeout=5.0` is an argument.
    if before["op"] == "=" and not is_known(tool):
        return None
    begin = start + before.start("name")
    what = _operator(text, begin, number, before) + number["number"]
    return Mention("version", what, begin, number.end(), tool)


def _is_version(text: str, number: re.Match[str], tool: str, explicit: bool, linked: bool) -> bool:
    if len(tool) < 2 and tool != "r":
        return False
    if _COUNTING.match(text, number.end()):
        return False
    if "." in number["number"]:
        # Of "the ratio is 1.5" only the name could tell.
        return is_known(tool) or not linked
    # "node 12 is down" is about a machine.
    proper = tool != "node" or not text[: number.start()].rstrip().endswith("node")
    return is_counted(tool, int(number["number"])) and (explicit or (proper and not linked))


def _operator(text: str, begin: int, number: re.Match[str], before: re.Match[str]) -> str:
    written = _OPERATORS.get(before["op"] or "", "")
    if written:
        return written
    more = (before["more"] or "").lower().startswith("at")
    least = more or number["plus"] or _AT_LEAST.search(text[max(0, begin - 16) : begin])
    return ">=" if least or _OR_NEWER.match(text, number.end()) else ""


def _named_after(text: str, number: re.Match[str]) -> Mention | None:
    """ "version 3.12 of Python"."""
    if not _VERSION_BEFORE.search(text[max(0, number.start() - 12) : number.start()]):
        return None
    after = _OF.match(text, number.end())
    tool = "" if after is None else canonical(after["name"].rstrip(".:"))
    if after is None or tool in NO_NAMES:
        return None
    return Mention("version", number["number"], number.start(), after.end(), tool)
