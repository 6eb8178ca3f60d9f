"""Secrets in sentences: each goes, by kind, and every other character stays.

All values are made up here, most of them at run time, so that no scanner takes one for real.
"""

from __future__ import annotations

import base64
import random
import string
import subprocess
import sys

import pytest

from memoro.backends.masking import Masked, mask_secrets

LETTERS = string.ascii_letters
ALNUM = LETTERS + string.digits
HEX = "0123456789abcdef"
URL = ALNUM + "-_"
UPPER = string.ascii_uppercase + "234567"
BASE64 = ALNUM + "+/"


def made(prefix: str, length: int, alphabet: str = ALNUM) -> str:
    """A token that nobody was ever given: always the same one for the same arguments."""
    pick = random.Random(f"{prefix} {length} {alphabet}")
    while True:
        body = "".join(pick.choice(alphabet) for _ in range(length))
        # A token ends in a letter or digit here, so that what follows it is not a part of it.
        if body[-1].isalnum() and any(map(str.isdigit, body)) and any(map(str.isalpha, body)):
            return prefix + body


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def pem(kind: str, *lines: str, name: str = "PRIVATE KEY") -> tuple[str, ...]:
    dashes = "-" * 5
    return (f"{dashes}BEGIN {kind}{name}{dashes}", *lines, f"{dashes}END {kind}{name}{dashes}")


PAYLOAD = base64_of('{"sub":"1","name":"Ana"}').rstrip("=")
JWT = ".".join((base64_of('{"alg":"HS256"}').rstrip("="), PAYLOAD, made("", 43, URL)))
ODD_JWT = ".".join(("FAKE", PAYLOAD, made("", 20)))

# Told by their shape: the kind, the secret, and perhaps a sentence of its own.
SHAPES: list[tuple[str, str]] = [
    ("AWS access key", made("AKIA", 16, UPPER)),
    ("AWS access key", made("ASIA", 16, UPPER)),
    ("AWS access key", "AKIA" + "IOSFODNN7" + "EXAMPLE"),
    ("GitHub token", made("ghp_", 36)),
    ("GitHub token", "ghp_" + "FAKEfake" * 4 + "0000"),
    ("GitHub token", made("gho_", 36)),
    ("GitHub token", made("ghs_", 36)),
    ("GitHub token", made("ghu_", 36)),
    ("GitHub token", made("github_pat_", 82)),
    ("GitLab token", made("glpat-", 20, URL)),
    ("GitLab token", made("gldt-", 20, URL)),
    ("GitLab token", made("glptt-", 40, HEX)),
    ("OpenAI key", made("sk-" + "proj-", 156, URL)),
    ("OpenAI key", made("sk-" + "svcacct-", 60, URL)),
    ("API key", made("sk-", 48)),
    ("API key", made("sk-", 32, HEX)),
    ("API key", made("sk-or-v1-", 64, HEX)),
    ("Anthropic key", made("sk-" + "ant-api03-", 95, URL)),
    ("Anthropic key", made("sk-" + "ant-oat01-", 95, URL)),
    ("Anthropic key", "sk-" + "ant-api03-" + "FAKEfake" * 6),
    ("Google key", made("AIza", 35, URL)),
    ("Google key", made("GOCSPX-", 28, URL)),
    ("Google key", made("ya29.", 60, URL)),
    ("Hugging Face token", made("hf_", 34)),
    ("npm token", made("npm_", 36)),
    ("PyPI token", made("pypi-" + "AgEIcHlwaS5vcmc", 120, URL)),
    ("Slack token", "xoxb-" + "123456789012-" + made("", 24)),
    ("Slack token", "xoxp-" + "123456789012-123456789013-" + made("", 32, HEX)),
    ("Slack token", "xapp-1-" + made("A", 10, UPPER) + "-1234567890123-" + made("", 64, HEX)),
    ("Telegram token", "123456789:" + made("AA", 33, URL)),
    ("SendGrid key", "SG." + made("", 22, ALNUM) + "." + made("", 43, URL)),
    ("DigitalOcean token", made("dop_v1_", 64, HEX)),
    ("Databricks token", made("dapi", 32, HEX)),
    ("age key", made("AGE-SECRET-KEY-1", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")),
    ("Stripe key", made("sk_" + "live_", 24)),
    ("Stripe key", made("rk_" + "test_", 24)),
    ("Stripe key", made("whsec_", 32)),
    ("Twilio key", made("SK", 32, HEX)),
    ("Shopify token", made("shpat_", 32, HEX)),
    ("Discord token", made("MT", 24) + "." + made("G", 5) + "." + made("", 38, URL)),
    ("Notion token", made("ntn_", 46)),
    ("Figma token", made("figd_", 40, URL)),
    ("Tailscale key", "tskey-auth-" + made("k", 11) + "CNTRL-" + made("", 32)),
    ("Airtable token", made("pat", 14) + "." + made("", 64, HEX)),
    ("PlanetScale token", made("pscale_tkn_", 43, URL)),
    ("Terraform token", made("", 14) + ".atlasv1." + made("", 67, URL)),
    ("Mailgun key", made("key-", 32, HEX)),
    ("JWT", JWT),
    ("JWT", ODD_JWT),
    # The library's.
    ("Docker token", made("dckr_pat_", 27, URL)),
    ("Vault token", made("hvs.", 95, URL)),
    ("Linear token", made("lin_api_", 40)),
    ("groq API key", made("gsk_", 52)),
    ("xai API key", made("xai-", 80)),
    ("replicate API token", made("r8_", 37)),
    ("Pulumi access token", made("pul-", 40, HEX)),
    ("Grafana service account token", made("glsa_", 32) + "_" + made("", 8, HEX)),
    ("new relic user API key", made("NRAK-", 27, UPPER)),
    ("Sentry user auth token", made("sntryu_", 64, HEX)),
    ("Postman API key", "PMAK-" + made("", 24, HEX) + "-" + made("", 34, HEX)),
    ("rubygems API key", made("rubygems_", 48, HEX)),
    ("mailchimp API key", made("", 32, HEX) + "-us12"),
    ("card number", "4111 1111 1111 1111"),
    ("card number", "4111111111111111"),
    ("card number", "5500-0000-0000-0004"),
    ("card number", "3782 822463 10005"),
    ("card number", "6011000990139424"),
    ("card number", "3530 1113 3330 0000"),
    ("card number", "4222222222222"),
    ("card number", "6304000000000000"),
]

# Told by the words around them: the sentence, the secret in it, and its kind.
WORDS: list[tuple[str, str, str]] = [
    ("The wifi password is {}.", "hunter2", "password"),
    ("The wifi password is {}.", "bluewhale", "password"),
    ("the password for the staging database is {}, ask Ana", "Tr0ub4dor&3", "password"),
    ("Admin password: {}", "S3cret-99", "password"),
    ("password={}", "sunshine", "password"),
    ("DB_PASSWORD={}", "sunshine99", "password"),
    ('"password": "{}"', "correct horse battery staple", "password"),
    ("password: {}", "correct horse battery staple", "password"),
    ("The passphrase is {}.", "velvet turbine orchard lantern", "passphrase"),
    ("My password is '{}', keep it.", "p@ss'word", "password"),
    ("My password is “{}”.", "monkey", "password"),
    ("They changed the password to {} yesterday.", "Winter2026!", "password"),
    ("log in with the password {}", "hunter22", "password"),
    ("{} is the password for the router.", "Gr4pefruit", "password"),
    ("use {} as the password", "Gr4pefruit", "password"),
    ("**Password:** {}", "hunter2", "password"),
    ("| user | ana |\n| password | {} |", "hunter22", "password"),
    ("A senha do wifi é {}.", "abacaxi77", "password"),
    ("Senha: {}", "gatopreto", "password"),
    ("a senha do banco de testes é {}, não conte", "Ab4c4te!", "password"),
    ("minha senha mudou para {}", "Ab4c4te99", "password"),
    ("数据库的密码是{}，请保密", "hunter2x", "password"),
    ("密码：{}", "Abc12345", "password"),
    ("wifi密码是 {} 。", "qwe123asd", "password"),
    ("La contraseña es {}.", "mariposa9", "password"),
    ("Das Passwort ist {}.", "Zaunkönig7", "password"),
    ("Le mot de passe est {}.", "tournesol8", "password"),
    ("pwd: {}", "letmein1", "password"),
    ("user: ana, pass: {}", "s3sam3", "password"),
    ("The PIN is {}.", "4821", "PIN"),
    ("PIN {}", "4821", "PIN"),
    ("The door code is {}.", "90210", "PIN"),
    ("API key: {}", made("", 32), "API key"),
    ("The API key for the weather service is {}.", made("", 24), "API key"),
    ("api_key={}", made("", 32, HEX), "API key"),
    ('{{"apiKey": "{}"}}', made("", 24), "API key"),
    ("X-Api-Key: {}", made("", 24), "API key"),
    ("A chave de API é {}.", made("", 24), "API key"),
    ("API 密钥：{}", made("", 24), "API key"),
    ("the token is {}", made("", 20), "token"),
    ("token: {}", "7b1e6c1a-3f3d-4b57-9a51-2c2f0d7f9b10", "token"),
    ("the CI token {} expires in May", made("", 32, HEX), "token"),
    ("access_token={}&user=ana", made("", 24), "token"),
    ("//registry.example/:_authToken={}", made("", 36), "token"),
    ("o token do CI é {}", made("", 20), "token"),
    ("令牌是 {}", made("", 20), "token"),
    ("client_secret={}", made("", 40), "secret"),
    ("clientSecret: '{}'", made("", 32), "secret"),
    ("SECRET_KEY={}", "django-insecure-" + made("", 40), "key"),
    ("JWT_SECRET={}", "supersecretvalue", "secret"),
    ("aws_secret_access_key = {}", made("", 40, BASE64), "key"),
    ("The secret access key is {}", made("", 40, BASE64), "key"),
    ("AccountKey={};EndpointSuffix=x", made("", 86, BASE64) + "==", "key"),
    ("PrivateKey = {}", made("", 43, BASE64) + "=", "key"),
    ("the signing key is {}", made("", 32, HEX), "key"),
    ("The license key is {}.", "ABCDE-12345-FGHIJ-67890", "key"),
    ("Server=db;User=sa;Password={};Encrypt=true", "Str0ng;Pass", "password"),
    ("mysql://localhost?user=ana&password={}", "s3cr3t", "password"),
    ("--password {} --user ana", "hunter22", "password"),
    ("--token={}", made("", 20), "token"),
    ("- name: DB_PASSWORD\n  value: {}", "hunter22", "password"),
    ("<password>{}</password>", "hunter2", "password"),
    ('<add key="password" value="{}"/>', "hunter2", "password"),
    ("Password:\n{}\n", "hunter22", "password"),
    ('login(user="ana", password="{}")', "hunter2", "password"),
    ('{{\\"password\\": \\"{}\\"}}', "hunter2", "password"),
    ("My key for the registry is {}", made("", 32), "key"),
    ("My Gmail password is {}.", "correct-horse-9", "password"),
    ('I use "{}" as password everywhere', "Tr0ub4dor", "password"),
    ("Senha da VPN -> {}", "Vpn#2025", "password"),
    ("A senha do staging é {}, troque.", "NotAReal#2024", "password"),
    ("senha provisória: {}", "Mudar@123", "password"),
    ("das Passwort lautet „{}“", "Sonne9!", "password"),
    ("the password is\n{}", "hunter2", "password"),
    ("The password is {} and the user is ana.", "sunshine", "password"),
    ("user: admin, password: {}", "admin", "password"),
    ("password for server2 is {}", "blue42", "password"),
    ("The VPN's password is {}", "blue42", "password"),
    ("Wi-Fi password - {}", "abacate12", "password"),
    ("Her laptop password, {}, is on a note", "Sunny!day7", "password"),
    ("ansible_become_pass: {}", "hunter2", "password"),
    ("spring.datasource.password={}", "hunter2", "password"),
    ("$env:DB_PASSWORD = '{}'", "hunter2", "password"),
    ("WIFI_PSK={}", "abacate12", "password"),
    ("--from-literal=password={}", "hunter2", "password"),
    ("邮箱密码改成了{}。", "abc123456", "password"),
    ("o PIN do cartão é {}", "4821", "PIN"),
    ("recovery code {}", "A1B2-C3D4-E5F6", "PIN"),
    ("chave secreta: {}", made("", 32), "key"),
    ("apikey {}", made("", 32, HEX), "API key"),
    ("?api_key={}&q=1", made("", 32, HEX), "API key"),
    ("<api_key>{}</api_key>", made("", 32), "API key"),
    ("TOTP secret: {}", "JBSWY3DP" + "EHPK3PXP", "secret"),
    ("refresh_token: {}", made("", 60, URL), "token"),
    ("the token, {}, leaked", made("", 20), "token"),
    ("SharedAccessKey={}", made("", 43, BASE64) + "=", "key"),
    ("secret_key_base: {}", made("", 40, HEX), "key"),
]

# Told by what carries them.
CARRIED: list[tuple[str, str, str]] = [
    ("It is postgres://svc:{}@db.example.internal:5432/app", "NotARealPass77", "password"),
    ("redis://:{}@cache:6379/0", "sunshine", "password"),
    ("https://ana:{}@example.com/x?y=a@b", "p@ss:word", "password"),
    ("mongodb+srv://app:{}@cluster0.example.net", "pa/ss", "password"),
    ("Authorization: Bearer {}", made("", 40), "token"),
    ("The call needs the header Authorization: Bearer {}", ODD_JWT, "JWT"),
    ('-H "Authorization: token {}"', made("", 40, HEX), "token"),
    ("Authorization: Basic {}", base64_of("ana:hunter2"), "token"),
    ("It sends Basic {} each time", base64_of("ana:hunter2"), "password"),
    ("uses Bearer {} today", made("", 32), "token"),
    ("post to https://hooks.slack.com/services/{}", made("T", 8) + "/" + made("B", 30), "webhook"),
    ("https://discord.com/api/webhooks/1234567890123/{}", made("", 68, URL), "webhook"),
    ("Cookie: theme=dark; sid={}; lang=en", made("", 24), "cookie"),
    ("sent with sessionid={} each time", made("", 32), "cookie"),
    ("machine example.com login ana password {}", "hunter2", "password"),
    ("curl -u ana:{} https://example.com", "hunter2", "password"),
    ("mysql -u root -p{} app", "hunter2", "password"),
    ("redis-cli -a {} ping", "hunter2", "password"),
    ("https://admin:{}@host.example/x", "secret", "password"),
    ("creds for prod: root:{}", "t00r99", "password"),
    ("credentials: ana / {}", "S3cret99", "password"),
    ("remember my netflix login: ana@x.example / {}", "Popc0rn77", "password"),
    ("basic auth: ana:{}", "S3cret99", "password"),
    ("Set-Cookie: csrftoken={}; Path=/", made("", 32), "cookie"),
    ("sshpass -p {} ssh ana@host", "hunter2", "password"),
    ("docker login -u ana -p {} registry", "hunter22", "password"),
    ("https://x.blob.core.windows.net/c?sv=2022&sig={}", made("", 43) + "%3D", "signature"),
    ('{{"kty": "OKP", "d": "{}"}}', made("", 43, URL), "private key"),
]

BODY = (made("MIIE", 60, BASE64), made("", 64, BASE64), made("", 22, BASE64) + "==")
BLOCKS: list[str] = [
    "\n".join(pem("", *BODY)),
    "\n".join(pem("RSA ", *BODY)),
    "\n".join(pem("EC ", *BODY)),
    "\n".join(pem("OPENSSH ", *BODY)),
    "\n".join(pem("ENCRYPTED ", *BODY)),
    "\n".join(pem("PGP ", "Version: X 1", "", *BODY, name="PRIVATE KEY BLOCK")),
    "\n".join(pem("RSA ", "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,0A", "", *BODY)),
    "\r\n".join(pem("", *BODY)),
    " ".join(pem("", *BODY)),
    "\\n".join(pem("RSA ", *BODY)),
    "\n  > ".join(pem("RSA ", *BODY)),
    "\n".join(pem("", *BODY)[:-1]),
    " ".join(pem("RSA ", *BODY)[:-1]),
    "\n".join(pem("", base64_of("FAKEKEYFAKEKEYFAKEKEY"))),
    "\n".join(
        (
            "PuTTY-User-Key-File-3: ssh-ed25519",
            "Encryption: none",
            "Private-Lines: 1",
            BODY[0],
            "Private-MAC: " + made("", 64, HEX),
        )
    ),
]


# Written so that a search for the secret does not find it.
HIDDEN: list[tuple[str, str, str]] = [
    ("GitHub token", "zero-width", made("ghp_", 36)[:20] + "\u200b" + made("ghp_", 36)[20:]),
    ("AWS access key", "joiners", "\u2060".join(made("AKIA", 16, UPPER))),
    ("GitHub token", "NUL", made("ghp_", 36)[:9] + "\0" + made("ghp_", 36)[9:]),
    ("GitHub token", "full width", "ｇｈｐ＿" + made("", 36)),
    ("card number", "full width", "４１１１ １１１１ １１１１ １１１１"),
    ("card number", "dashes", "4111–1111–1111–1111"),
    ("GitHub token", "two lines", made("ghp_", 36)[:18] + "\n" + made("ghp_", 36)[18:]),
    ("AWS access key", "indented", made("AKIA", 16, UPPER)[:12] + "\n   " + "7QWERTY2"),
    ("Anthropic key", "three lines", "\n".join(made("sk-" + "ant-api03-", 95)[at:][:36] for at in
                                             (0, 36, 72))),
]  # fmt: skip


def check(sentence: str, secret: str, kind: str) -> None:
    text = sentence.format(secret)
    assert mask_secrets(text) == Masked(sentence.format(f"[secret: {kind}]"), (kind,))


@pytest.mark.requirement("F13")
@pytest.mark.parametrize(("kind", "secret"), SHAPES)
@pytest.mark.parametrize(
    "sentence", ["We use {} for the staging setup.", "{}", "see ({}), ok?", "用{}登录", "x: {}\ny"]
)
def test_a_secret_is_told_by_its_shape(kind: str, secret: str, sentence: str) -> None:
    check(sentence, secret, kind)


@pytest.mark.requirement("F13")
@pytest.mark.parametrize(("sentence", "secret", "kind"), WORDS)
def test_a_secret_is_told_by_the_words_around_it(sentence: str, secret: str, kind: str) -> None:
    check(sentence, secret, kind)


@pytest.mark.requirement("F13")
@pytest.mark.parametrize(("sentence", "secret", "kind"), CARRIED)
def test_a_secret_is_told_by_what_carries_it(sentence: str, secret: str, kind: str) -> None:
    check(sentence, secret, kind)


@pytest.mark.requirement("F13")
@pytest.mark.parametrize("block", BLOCKS)
def test_a_private_key_goes_as_a_whole(block: str) -> None:
    check("The key of the server:\n{}\nDon't share it.", block, "private key")


@pytest.mark.requirement("F13")
@pytest.mark.parametrize(("kind", "how", "secret"), HIDDEN)
def test_a_secret_is_found_however_it_is_written(kind: str, how: str, secret: str) -> None:
    check("the value {} is ours", secret, kind)


@pytest.mark.requirement("F13")
def test_a_word_that_names_a_secret_is_found_however_it_is_written() -> None:
    check("pass\u00adword: {}", "hunter2", "password")
    check("ＡＰＩ＿ＫＥＹ＝{}", made("", 32), "API key")


@pytest.mark.requirement("F13")
def test_all_secrets_of_a_text_go_and_their_kinds_are_told_in_order() -> None:
    token, key = made("ghp_", 36), made("AKIA", 16, UPPER)
    text = (
        f"## Notes\n- deploy with {key}\n- CI has {token}\n- wifi password: hunter2\n- Ana is in\n"
    )
    assert mask_secrets(text) == Masked(
        "## Notes\n- deploy with [secret: AWS access key]\n- CI has [secret: GitHub token]\n"
        "- wifi password: [secret: password]\n- Ana is in\n",
        ("AWS access key", "GitHub token", "password"),
    )


@pytest.mark.requirement("F13")
def test_a_token_on_a_line_of_its_own_does_not_take_the_next_line_along() -> None:
    token, commit = made("ghp_", 36), made("", 40, HEX)
    masked = mask_secrets(f"{token}\n{commit}\nRelease 4.2\n")
    assert masked.text == f"[secret: GitHub token]\n{commit}\nRelease 4.2\n"


@pytest.mark.requirement("F13")
def test_a_placeholder_of_ours_is_kept_and_one_that_is_made_up_hides_nothing() -> None:
    token = made("ghp_", 36)
    assert mask_secrets("the token is [secret: GitHub token]").kinds == ()
    assert mask_secrets(f"see [secret: {token}]").text == "see [secret: [secret: GitHub token]]"


def test_nothing_of_it_is_loaded_before_the_first_text_and_no_network_ever() -> None:
    loaded = (
        "import sys; from memoro.backends.masking import mask_secrets;"
        "print('redact_secret' in sys.modules, 'memoro.backends.masking.search' in sys.modules);"
        "mask_secrets('the password is hunter2');"
        "print(sorted({'socket', 'ssl', 'requests', 'httpx2', 'urllib'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert ran.stdout.split("\n") == ["False False", "[]", ""]
