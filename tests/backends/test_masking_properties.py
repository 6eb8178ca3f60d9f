"""What holds for masking on any text."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memoro.backends.masking import mask_secrets

FRAGMENTS = [
    *(
        "password",
        "senha",
        "密码",
        "token",
        "API key",
        "secret",
        "PIN",
        "DB_PASSWORD",
        "pass",
        "key",
    ),
    *(
        " is ",
        ": ",
        "=",
        " = ",
        "是",
        " é ",
        " to ",
        ' "',
        "'",
        ",",
        ";",
        "&",
        "\n",
        "\r\n",
        " ",
        "\t",
    ),
    *(
        "hunter2",
        "sunshine",
        "4821",
        "correct horse battery staple",
        "none",
        "${X}",
        "<token>",
        "*",
    ),
    *("[secret: password]", "[secret: GitHub token]", "[secret: ", "]", "\0", "\u200b", "\u00ad"),
    *("AKIA" + "IOSFODNN7" + "EXAMPLE", "ghp_" + "FAKEfake" * 4 + "0000", "eyJhbGci.eyJzdWIi.c2ln"),
    *("postgres://svc:", "@db:5432/app", "Authorization: Bearer ", "Basic YW5hOmh1bnRlcjI=", "://"),
    *("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQ"),
    *("4111 1111 1111 1111", "3f2a9c1d5e7b8a604c1d2e3f4a5b6c7d8e9f0a1b", "ｇｈｐ＿", "\ud800", "é"),
    *(
        "Cookie: sid=",
        "curl -u ana:",
        "login ana password ",
        "creds: ana:",
        "sk-",
        "xoxb-",
        "glpat-",
    ),
]
SECRETS = [
    "AKIA" + "IOSFODNN7" + "EXAMPLE",
    "ghp_" + "FAKEfake" * 4 + "0000",
    "github_pat_" + "11FAKEfake00" * 6,
    "glpat-" + "FAKE-fake_FAKE-fake0",
    "sk-" + "ant-api03-" + "FAKEfake00" * 6,
    "sk-" + "proj-" + "FAKEfake00" * 6,
    "AIza" + "FAKEfake00" * 3 + "FAKEf",
    "hf_" + "FAKEfakeFA" * 3 + "FAKE",
    "npm_" + "FAKEfake00" * 3 + "FAKEfa",
    "dop_v1_" + "0123456789abcdef" * 4,
    "xoxb-" + "123456789012-" + "FAKEfake00FAKEfake00FAKE",
    "AGE-SECRET-KEY-1" + "QPZRY9X8GF" * 5 + "2TVDW0S3",
    "SG." + "FAKEfake00FAKEfake00FA." + "FAKEfake00" * 4 + "FAK",
]
texts = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=8), max_size=24).map("".join)
PLACEHOLDER = re.compile(r"\[secret: [A-Za-z0-9& ]+\]")


@pytest.mark.requirement("F13")
@settings(max_examples=600, deadline=None)
@given(texts)
@example("password is AKIA" + "IOSFODNN7" + "EXAMPLE" + "[secret: password]")
def test_a_second_time_finds_nothing_and_changes_nothing(text: str) -> None:
    masked = mask_secrets(text).text
    assert mask_secrets(masked) == (masked, ())


@pytest.mark.requirement("F13")
@settings(max_examples=400, deadline=None)
@given(st.text(), st.sampled_from(SECRETS), st.text())
def test_a_known_secret_is_gone_whatever_stands_around_it(
    before: str, secret: str, after: str
) -> None:
    masked = mask_secrets(before + secret + after)
    assert secret not in masked.text
    assert masked.kinds


@pytest.mark.requirement("F13")
@settings(max_examples=300, deadline=None)
@given(
    texts,
    st.from_regex(r"[A-Za-z]{4}[0-9]{3}[!@$%^][A-Za-z]{3}[0-9]", fullmatch=True),
    st.sampled_from(["password: {}", "DB_PASSWORD={}", "The password is {}.", "a senha é {}"]),
    texts,
)
def test_a_password_that_is_called_one_is_gone(
    before: str, secret: str, sentence: str, after: str
) -> None:
    text = f"{before}\n{sentence.format(secret)}\n{after}"
    assert secret not in mask_secrets(text).text


@pytest.mark.requirement("F13")
@settings(max_examples=400, deadline=None)
@given(texts)
def test_everything_else_stays_in_its_order(text: str) -> None:
    place = 0
    for kept in PLACEHOLDER.split(mask_secrets(text).text):
        place = text.index(kept, place) + len(kept)


@pytest.mark.requirement("F13")
@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="aeiou stnr.,\n"))
def test_words_stay(text: str) -> None:
    assert mask_secrets(text) == (text, ())


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "pw ",
            "pw=",
            "password is ",
            "token of ",
            "password (",
            "pw='",
            "key: ",
            "密码",
            "密码是",
        ),
        *(
            "a",
            "-",
            "(",
            "\n",
            " ",
            "\0",
            "\u200b",
            "ｐ",
            "a\u200b",
            "0123456789abcdef",
            "a@",
            "a-",
        ),
        *("eyJa", "eyJa.", "sk-", "ghp_", "xoxb-1-", "12345678:", "4111 ", "4111", "AKIA"),
        *(
            "://a:",
            "://a:b@",
            "Authorization: ",
            "Bearer ",
            "Basic ",
            "curl ",
            "mysql -p",
            "cookie: a=",
        ),
        *("-----BEGIN PRIVATE KEY-----\n", "-----BEGIN ", "PuTTY-User-Key-File-2: a\n"),
        *("[secret: ", "[secret: password]", "abcdefgh1\n", "correct horse battery staple "),
        *(
            "the password is hunter2 ",
            "| password | x |\n",
            '{"password": "a"}, ',
            "pw=" + ")" * 200,
        ),
    ],
)
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (131_072 // len(piece))
    start = time.perf_counter()
    mask_secrets(text)
    assert time.perf_counter() - start < 5
