"""What stands between the name of a secret and its value, and how much it promises of one."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Link(Enum):
    """How a value follows the name of a secret, the surest first."""

    SET = "`NAME=`, as settings have it"
    LISTED = "`name: `, as lists and forms have it"
    SAID = "`the name is `"
    GIVEN = "`set the name to `"
    BESIDE = "`the name `"
    APART = "`the name, `"


class Linked(NamedTuple):
    """A place where a value may stand, and what leads there."""

    link: Link
    place: int
    below: bool
    """Whether the place is on the next line."""


# "the password for the wifi", "the token I use on staging (old)".
_ABOUT = (
    r"(?:[ \t](?:provisória|temporária|nova|antiga|atual|padrão|mestra|inicial|temporal|actual))?"
    r"(?:[ \t]{1,3}(?:for|of|to|on|in|at|from|with|de|d[oae]s?|del|para|pra|pro|n[oa]s?|von|für|zu"
    r"|vom|du|pour|i|we|you|he|she|they|that|which|que|eu|nós)"
    r"(?:[ \t]{1,3}[\w.@/'’-]{1,40}){1,6}?)?(?:[ \t]{0,2}\([^()\n\0]{0,60}\))?"
)
_MARKS = r"\\?[\"'`*_)\]}]{0,4}"
_VALUE_OF = r"(?:[\"']?\s{0,12}[,;]?\s{0,12}(?:-\s)?[\"']?value[\"']?(?=\s{0,3}[:=]))?"
_SET = re.compile(
    rf"(?:{_MARKS}{_VALUE_OF}(?:={{1,3}}|:=|=>|\((?=[\"'][^\"'\n]{{1,256}}[\"']\s?\))))(?=\S)"
    r"|\\?[\"'][ \t]?[:=]\s{0,4}"
)
_XML = re.compile(r">(?=[^\s<>]{1,256}</)")
_LISTED = re.compile(
    rf"{_MARKS}{_VALUE_OF}{_ABOUT}{_MARKS}[ \t]{{0,4}}(?:=>|:=|={{1,3}}|:|→)"
    r"(?:[*_]{1,3}(?=\s))?[ \t]{0,16}(?P<below>\r?\n[ \t]{0,16})?",
    re.IGNORECASE,
)
_SAID = re.compile(
    rf"{_MARKS}{_ABOUT}[ \t]{{1,3}}(?:is|was|equals|will be|has been|to be"
    r"|é|e\u0301|eh|era|foi|será|são|ficou|virou|es|est|ist|lautet|became"
    r"|(?:changed|set|reset|updated|switched|mudou|mudada|trocada|alterada|definida) (?:to|para))"
    r"(?:[ \t]{1,3}(?:now|still|currently|just|simply|always|set to|changed to|literally|actually"
    r"|agora|ainda|sempre))?[ \t]{0,3}:?(?:[ \t]{1,3}|\r?\n[ \t]{0,8})",
    re.IGNORECASE,
)
_SAID_IN_CHINESE = re.compile(
    r"[ \t]{0,3}(?:已?(?:更|修)?(?:改|设|设置)(?:成|为)了?|就?是|为|叫)[ \t]{0,3}:?[ \t]{0,3}"
)
_GIVEN = re.compile(
    rf"{_MARKS}{_ABOUT}[ \t]{{1,3}}(?:to|as|para|como|zu)[ \t]{{1,3}}", re.IGNORECASE
)
_BESIDE = re.compile(rf"(?:['’]s|{_MARKS})[ \t]{{1,3}}")
_APART = re.compile(
    rf"{_MARKS}(?:,[ \t]{{1,3}}"
    rf"|{_ABOUT}(?:[ \t]{{0,16}}\|[ \t]{{0,3}}|[ \t]{{1,3}}->?[ \t]{{1,3}}))",
    re.IGNORECASE,
)

_LINKS = (
    (_SET, Link.SET),
    (_XML, Link.SET),
    (_LISTED, Link.LISTED),
    (_SAID, Link.SAID),
    (_SAID_IN_CHINESE, Link.SAID),
    (_GIVEN, Link.GIVEN),
    (_BESIDE, Link.BESIDE),
    (_APART, Link.APART),
)


def find_links(text: str, place: int) -> Iterator[Linked]:
    """The places at which a value may follow a name that ends at `place`, the surest first."""
    for expression, link in _LINKS:
        if found := expression.match(text, place):
            below = found.re is _LISTED and found["below"] is not None
            yield Linked(link, found.end(), below)
