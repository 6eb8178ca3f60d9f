"""What secrets are called, in prose and in settings, in several languages."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Nature(Enum):
    """Where a secret comes from, which tells what it may look like."""

    CHOSEN = "by a person: any word"
    CODE = "for a lock: some digits"
    MADE = "by a machine: random characters"
    BARE = "only called a key: a long row of random characters"


class Name(NamedTuple):
    """The name of a secret that stands in the text from `start` up to `end`."""

    kind: str
    nature: Nature
    text: str
    start: int
    end: int

    @property
    def is_short(self) -> bool:
        """Whether it is one that means many things, as `pass` does."""
        return self.text.isascii() and len(self.text) <= _SHORT


class _Names(NamedTuple):
    """Names of one kind, in lower case; without one of `marks` a text has none of them."""

    kind: str
    nature: Nature
    marks: str
    pattern: str


# Where two overlap, the first that starts counts, and of those the first of these.
_NAMES = (
    _Names(
        "passphrase",
        Nature.CHOSEN,
        "phrase frase",
        r"pass[-_ ]?phrase|frase[-_ ](?:secreta|de acesso)|phrase secrète",
    ),
    _Names(
        "password",
        Nature.CHOSEN,
        "pass pwd pw kennwort senha contrase psk key 密码 密碼 口令 パスワード 비밀번호 пароль",
        r"pass[-_ ]?words?|passwd|passwort|kennwort|pwd|(?<![a-z])(?:pw|pass)(?![a-z])|senhas?"
        r"|(?<![a-z])psk(?![a-z])|(?:wpa[23]?|wep|wi-?fi|network)[-_ ]?key|palavra[-_ ]passe"
        r"|contrase(?:ñ|n|n\u0303)a|mot de passe|密码|密碼|口令|パスワード|비밀번호|пароль",
    ),
    _Names(
        "PIN",
        Nature.CODE,
        "pin code código",
        r"(?<![a-z])pin(?:[-_ ]?code)?(?![a-z])|passcode"
        r"|(?:door|gate|alarm|access|security|unlock|entry|safe|garage|recovery|backup)[-_ ]codes?"
        r"|código (?:pin|de acesso|d[oa] (?:alarme|portão|cofre|porta))",
    ),
    _Names(
        "API key",
        Nature.MADE,
        "api app",
        r"(?:api|app|application)[-_ ]?keys?|(?:chaves?|claves?) (?:d[aeo] )?api"
        r"|api ?(?:密钥|密鑰)",
    ),
    _Names(
        "key",
        Nature.MADE,
        "key chave 钥",
        r"secret[-_ ]?access[-_ ]?key|(?:access|secret|private|signing|encryption|decryption"
        r"|account|master|auth|deploy|service|session|webhook|storage|hmac|licen[sc]e|product"
        r"|activation|subscription|admin|ingest|integration|pre[-_ ]?shared|shared|recovery)"
        r"[-_ ]?keys?|chaves? (?:d[aeo] )?(?:acesso|secreta|privada|mestra|criptografia|licença"
        r"|assinatura)|(?:访问|私有?)密?钥",
    ),
    _Names(
        "token",
        Nature.MADE,
        "token 令牌 _auth",
        r"tokens?(?![a-z])|令牌|(?<![a-z0-9])_auth(?![a-z])",
    ),
    _Names(
        "secret",
        Nature.MADE,
        "secret segredo shared credential credencial",
        r"secret(?:[-_ ]?id)?|segredo|shared ?access ?signature|credential|credencial",
    ),
    _Names(
        "key",
        Nature.BARE,
        "key chave clave llave schlüssel 密钥 密鑰",
        r"(?<![a-z])(?:key|chave|clave|llave|schlüssel)(?![a-z])|密钥|密鑰",
    ),
)
KINDS = frozenset(names.kind for names in _NAMES)

# Unlike `lower`, this keeps every character at its place.
_LOWER = {ord(upper): upper.lower() for upper in "ABCDEFGHIJKLMNOPQRSTUVWXYZÃÇÉÍÓÑÜПАРОЛЬ"}
# `DB_PASSWORD_PROD`, `SECRET_KEY_BASE`, `password2`.
_SUFFIX = re.compile(
    r"(?:[-_]?(?:base|value|val|str|string|text|plain(?:text)?|b64|base64|hex|prod|production|dev"
    r"|test|staging|live|old|new|\d{1,2}))?(?![a-z0-9_-])"
)
# Tokens of language models and of lists, keys of tables and caches, names of secrets in a cloud.
_OTHER = re.compile(
    r"(?:next|page|pad|eos|bos|unk|sep|mask|cls|stop|special|continuation|cursor|max|min|input"
    r"|output|prompt|public|cache|primary|foreign|partition|idempotency|object|sort|s3|lookup|dedup"
    r"|host|hash|map|translation|issue|row|composite|unique|sync|no)[-_ ]?$|\d{12}:$"
)
# "All tests pass: 120" is about no password.
_PASSING = re.compile(r"(?:s|all|to|must|will|can|should|not|they|we|it)[ ]$")
# `get_password("name")` is called with something else.
_ASKING = re.compile(r"(?:get|fetch|read|load|delete|find|has|check)[-_]?$")
_BEFORE, _SHORT = 16, 4


def find_names(text: str) -> Iterator[Name]:
    """The names of secrets in the text, each with its ending, in the order of the text."""
    lowered = text.translate(_LOWER)
    found = [
        (match.start(), rank, match.end())
        for rank, names in enumerate(_NAMES)
        if any(mark in lowered for mark in names.marks.split())
        for match in _expression(names.pattern).finditer(lowered)
    ]
    last = 0
    for start, rank, end in sorted(found):
        suffix = _SUFFIX.match(lowered, end)
        if start < last or suffix is None:
            continue
        last = end
        names = _NAMES[rank]
        whole = Name(names.kind, names.nature, text[start : suffix.end()], start, suffix.end())
        if not _is_other(whole, lowered):
            yield whole


def _is_other(name: Name, lowered: str) -> bool:
    before = lowered[max(0, name.start - _BEFORE) : name.start]
    if lowered[name.end : name.end + 1] == "(" and _ASKING.search(before):
        return True
    if name.nature is Nature.CHOSEN:
        return name.is_short and _PASSING.search(before) is not None
    return _OTHER.search(before) is not None


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
