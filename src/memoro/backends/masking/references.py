"""What stands where a secret would: a variable, a path, a call, an example, a row of stars."""

from __future__ import annotations

import re

from memoro.backends.masking.spans import is_scrambled

# `YOUR_API_KEY`, `my-secret-token`, `db_password_here`: made of these and nothing else.
_EXAMPLES = """
a access admin an and api app aqui auth bearer change changeme chave chaves clave client code
contraseña credential credentials db demo dummy enter example examples fill from goes hash here
hidden hmac id in insert jwt key keys me minha mot my name new nova of old our pass passe
passphrase passwd password passwords paste pin placeholder private public put pwd redacted removed
replace replaceme root sample secret secrets segredo senha senhas service set seu some string sua
suas super test text the this todo token tokens type user username usuario value var variable with
your
"""
_EXAMPLE_WORDS = frozenset(_EXAMPLES.split())
# By themselves these could well be a password.
_PASSWORDS = frozenset({"admin", "root", "test", "demo", "user", "super", "service", "new", "old"})
_NAMES_SECRET = re.compile(
    r"(?i:key|token|secret|pass|pwd|cred|auth|senha|chave|segredo|clave|value)"
)
_REFERENCE = re.compile(
    r"\$[A-Z_][A-Z0-9_]*(?![a-z])|\$[a-z][a-z_]*(?:-|\[.*|\.[A-Za-z_].*)?"
    r"|\$\{.*|\$\(.*|\$\$?[\w.]*\[.*"
    r"|#[A-Za-z][A-Za-z_-]*|%[A-Za-z_]+%|<.*|\{.*|\[.*|@[\w~.-]*[/.][\w./-]*|![a-z]+"
    r"|:[A-Za-z_]\w*|[a-z][a-z0-9+.-]{1,30}://.*"
    r"|(?:arn|op|vault|ssm|env|file|ref\+\w+|keyring|secretref):.*"
    r"|(?:~|\.{1,2})/.*|[A-Za-z]:\\.*"
    r"|(?i:sha-?(?:1|256|384|512)|md5):.*",
    re.DOTALL,
)
_FILLED = re.compile(r"[xX]{3,}|[*•●·.…_\-#?=]+|(?i:x+)[-_.](?i:x+)(?:[-_.](?i:x+))*")
_SHORTENED = re.compile(r"…|\.\.\.|[*•●]{3}|(?i:x{6})")
# `settings.api_key`, `getpass.getpass(…`, `os.environ[…`.
_CODE = re.compile(
    r"[A-Za-z_$][\w.$?>-]*[(\[].*"
    r"|(?:self|this|os|env|process|config|cfg|settings|secrets|vars?|args|params|options|opts"
    r"|request|req|data|local|module|app|ctx|props|state|user|credentials)(?:\??\.[A-Za-z_]\w*)+;?"
    r"|[A-Za-z_]+(?:\.[A-Za-z_]+)+;?",
    re.DOTALL,
)
_PATH = re.compile(r"/[\w.@/+-]*")
_LONG_SEGMENT = 16
_FILE = re.compile(
    r"[A-Za-z_][\w./~-]*\.(?:txt|json|ya?ml|md|py|env|toml|ini|cfg|conf|log|pem|key|csv|js|ts|go|rs"
    r"|sh|sql|xml|html|kdbx|gpg|asc)"
)
_MAIL = re.compile(r"[\w.+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,24}")
_PARTS = re.compile(r"[\s_.\-]+")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


def is_reference(text: str) -> bool:
    """Whether the text only says where a secret is, or hides it."""
    return (
        _FILLED.fullmatch(text) is not None
        or _SHORTENED.search(text) is not None
        or _REFERENCE.fullmatch(text) is not None
        or _FILE.fullmatch(text) is not None
        or _MAIL.fullmatch(text) is not None
        or _is_path(text)
    )


def _is_path(text: str) -> bool:
    return _PATH.fullmatch(text) is not None and not any(
        len(segment) >= _LONG_SEGMENT and is_scrambled(segment) for segment in text.split("/")
    )


def is_code(text: str) -> bool:
    """Whether the text is an expression of a program: a call, an element, an attribute."""
    return _CODE.fullmatch(text) is not None


def is_example(text: str) -> bool:
    """Whether the text is a name for a secret: `YOUR_API_KEY`, `db_password`."""
    if _VARIABLE.fullmatch(text) and _NAMES_SECRET.search(text):
        return True
    parts = _PARTS.split(text.strip("\"'`").lower())
    if all(part in _EXAMPLE_WORDS for part in parts):
        return parts[0] not in _PASSWORDS or len(parts) > 1
    return (
        len(parts) > 1
        and all(part.isalpha() for part in parts)
        and any(part in _EXAMPLE_WORDS for part in parts)
        and _NAMES_SECRET.search(text) is not None
    )
