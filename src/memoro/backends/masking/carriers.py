"""Secrets that are told by what carries them: an address, a header, a cookie, a command line."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memoro.backends.masking.named.values import Look, look
from memoro.backends.masking.references import is_example, is_reference
from memoro.backends.masking.spans import Span, is_filling, is_scrambled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PASSWORD, _TOKEN, _WEBHOOK, _COOKIE = "password", "token", "webhook", "cookie"
_SIGNATURE, _SECRET_KEY, _KEY = "signature", "AWS secret key", "private key"
KINDS = frozenset({_PASSWORD, _TOKEN, _WEBHOOK, _COOKIE, _SIGNATURE, _SECRET_KEY, _KEY})


class _Carrier(NamedTuple):
    """One of `marks`, in lower case, is in every text that has one; the group `s` is the secret,
    and `holds` tells whether that is more than a word."""

    kind: str
    marks: str
    pattern: str
    holds: Callable[[str], bool] = bool


def _is_token(text: str) -> bool:
    return is_scrambled(text) and not is_filling(text)


def _is_session(text: str) -> bool:
    return _is_token(text) and any(map(str.isdigit, text))


def _is_pair(text: str) -> bool:
    """Whether it is a name and a password in base64, as `Basic` has it."""
    try:
        pair = b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (Error, ValueError):
        return False
    return b":" in pair and pair.isascii() and pair.decode().isprintable()


def _is_password(text: str) -> bool:
    return not (is_reference(text) or is_example(text))


def _is_password_of_address(text: str) -> bool:
    """Whether it stands for itself; there `secret` is one, and `YOUR_PASSWORD` is none."""
    if is_reference(text):
        return False
    return not (is_example(text) and (text.isupper() or "your" in text.lower()))


def _is_mixed(text: str) -> bool:
    return look(text) is Look.SCRAMBLED


def _is_no_number(text: str) -> bool:
    return not text.isdigit() and _is_password(text)


_VALUE = r"[^\s\0\"'<>]"
_CARRIERS = (
    # The first @ ends the password, unless what follows it up to another @ can be no host.
    _Carrier(
        _PASSWORD,
        "://",
        r"://[^\s\0:/@\"'<>]{0,128}:(?!\d{1,5}(?:[/?#\s]|$))"
        r"(?P<s>[^\s\0@\"'<>]{1,256}(?:@(?:[^\s\0@/?#\"'<>:,]|:(?!\d)){1,128}){0,3})(?=@)",
        _is_password_of_address,
    ),
    _Carrier(
        _TOKEN,
        "authorization",
        r"(?i:authorization)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?(?:[A-Za-z][\w-]{2,20}[ \t]{1,4})?"
        r"(?P<s>[A-Za-z0-9+/._~=-]{8,})",
        _is_token,
    ),
    _Carrier(
        _TOKEN, "bearer", r"(?i:bearer)[ \t:]{1,4}[\"']?(?P<s>[A-Za-z0-9+/._~=-]{12,})", _is_token
    ),
    _Carrier(
        _PASSWORD, "basic", r"(?i:\bbasic)[ \t:]{1,4}[\"']?(?P<s>[A-Za-z0-9+/]{6,}={0,2})", _is_pair
    ),
    _Carrier(
        _WEBHOOK,
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[A-Za-z0-9/_-]{20,})",
        _is_token,
    ),
    _Carrier(
        _WEBHOOK,
        "/webhooks/",
        r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{10,20}/(?P<s>[\w-]{40,})",
        _is_token,
    ),
    _Carrier(
        _WEBHOOK, "webhook.office.com", rf"webhook\.office\.com/webhookb2/(?P<s>{_VALUE}{{40,}})"
    ),
    _Carrier(
        _COOKIE,
        "sess",
        r"(?i:\b(?:phpsessid|jsessionid|sessionid|session(?:_id)?|connect\.sid|asp\.net_sessionid)"
        r"(?:=|%3D))(?P<s>[A-Za-z0-9%._~+/:-]{12,})",
        _is_session,
    ),
    _Carrier(
        _PASSWORD,
        "login",
        r"(?i:\blogin)\s{1,8}\S{1,100}\s{1,8}(?i:password)[ \t]{1,8}"
        rf"(?P<s>{_VALUE}{{1,256}})",
        _is_password,
    ),
    _Carrier(
        _PASSWORD,
        "curl",
        r"\bcurl\b[^\n\0]{0,300}?\s(?:-u|--user|--proxy-user)[ =]?[\"']?[^\s\0:\"'<>]{1,100}:"
        rf"(?P<s>{_VALUE}{{1,256}})",
        _is_password,
    ),
    _Carrier(
        _PASSWORD,
        "mysql",
        rf"\bmysql(?:dump|admin|sh)?\b[^\n\0]{{0,300}}?\s-p(?P<s>{_VALUE}{{3,256}})",
        _is_no_number,
    ),
    _Carrier(
        _PASSWORD,
        "sshpass",
        rf"\bsshpass[ \t]+-p[ \t]*[\"']?(?P<s>{_VALUE}{{1,256}})",
        _is_password,
    ),
    _Carrier(
        _PASSWORD,
        "docker",
        rf"\bdocker login\b[^\n\0]{{0,300}}?\s-p[ \t]+[\"']?(?P<s>{_VALUE}{{1,256}})",
        _is_no_number,
    ),
    _Carrier(
        _PASSWORD,
        "redis-cli",
        rf"\bredis-cli\b[^\n\0]{{0,300}}?\s(?:-a|--pass)[ =][\"']?(?P<s>{_VALUE}{{1,256}})",
        _is_no_number,
    ),
    # "The credentials are ana:…".
    _Carrier(
        _PASSWORD,
        "cred basic",
        r"(?i:\b(?:credentials?|creds|credenciais|credenciales|basic auth)"
        r"(?:[ \t]{1,3}(?:for|of|on|to|d[aeo]|para)[ \t]{1,3}[\w.-]{1,40})?[ \t]{0,3}"
        r"(?::|=|are|is|são|é))[ \t]{0,3}[\"'`]?"
        r"(?:[\w.@+-]{1,64}(?::|[ \t][/:][ \t])|[\w@+-]{1,64}/)"
        r"(?P<s>[^\s\0\"'`<>]{5,256}[^\s\0\"'`<>.,;:?)])",
        _is_mixed,
    ),
    _Carrier(
        _PASSWORD,
        "login",
        r"(?i:\blogins?[ \t]{0,3}(?::|=|is|are|é))[ \t]{0,3}[\"'`]?[\w.@+-]{1,64}[ \t]/[ \t]"
        r"(?P<s>[^\s\0\"'`<>]{5,256}[^\s\0\"'`<>.,;:?)])",
        _is_mixed,
    ),
    _Carrier(_SIGNATURE, "sig=", r"[?&]sig=(?P<s>[A-Za-z0-9%+/=_-]{20,})", _is_token),
    _Carrier(
        _SIGNATURE,
        "x-amz-",
        r"(?i:x-amz-(?:signature|security-token))=(?P<s>[A-Za-z0-9%+/=_-]{20,})",
        _is_token,
    ),
    _Carrier(
        _SECRET_KEY,
        "akia asia",
        r"(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9\0]{1,20}(?:[A-Za-z_ ]{1,40}[^A-Za-z0-9\0]{1,8})?"
        r"(?P<s>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        _is_token,
    ),
    _Carrier(_KEY, '"kty"', r"\"d\"\s{0,8}:\s{0,8}\"(?P<s>[A-Za-z0-9_-]{20,})\"", _is_token),
)


_COOKIES = re.compile(r"(?i:\b(?:set-)?cookie)[\"']?[ \t]{0,4}:[ \t]{0,4}[\"']?([^\n\0\"'<>]+)")
_ONE_COOKIE = re.compile(r"([^=;\s]{1,100})=([^;\s]{8,4096})")
_ATTRIBUTES = frozenset({"path", "domain", "expires", "max-age", "samesite", "priority"})


def find_carried(text: str) -> Iterator[Span]:
    """The secrets in the text that their carrier gives away; the carrier stays."""
    lowered = text.lower()
    for carrier in _CARRIERS:
        if any(mark in lowered for mark in carrier.marks.split(" ")):
            for match in _expression(carrier.pattern).finditer(text):
                if carrier.holds(match["s"]):
                    yield Span(*match.span("s"), carrier.kind)
    if _COOKIE in lowered:
        yield from _find_cookies(text)


def _find_cookies(text: str) -> Iterator[Span]:
    for header in _COOKIES.finditer(text):
        for match in _ONE_COOKIE.finditer(text, *header.span(1)):
            if match[1].lower() not in _ATTRIBUTES and _is_session(match[2]):
                yield Span(*match.span(2), _COOKIE)


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
