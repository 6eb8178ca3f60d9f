"""Look-alikes of secrets: none of them changes, alone or all in one text."""

from __future__ import annotations

import pytest

from memoro.backends.masking import mask_secrets

# A line each.
KEPT = """
3f2a9c1d5e7b8a604c1d2e3f4a5b6c7d8e9f0a1b
7b1e6c1a-3f3d-4b57-9a51-2c2f0d7f9b10
The image digest is sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.
Fixed the token refresh in commit 3f2a9c1d5e7b8a604c1d2e3f4a5b6c7d8e9f0a1b.
the password policy requires 12 characters
token limit is 4096
max_tokens=4096 and temperature=0.2
the API key is rotated every 90 days
secret santa is on Friday
password: none
the token is stored in the keyring
senha é obrigatória
A senha é obrigatória para entrar.
The password is required.
The password is stored in the vault.
The password is in 1Password.
the password is case sensitive
Password: must be changed every 90 days
Password: at least 12 characters
The API key goes in ~/.config/memoro/config.toml
Set $GITHUB_TOKEN before the run
GITHUB_TOKEN=$GITHUB_TOKEN
token: ${{ secrets.NPM_TOKEN }}
password: ${DB_PASSWORD}
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
api_key: YOUR_API_KEY
export OPENAI_API_KEY=your-api-key-here
password: xxxx
password=********
token: ...
The key sk-... goes into the keyring
use sk-xxxxxxxxxxxxxxxxxxxxxxxx as an example
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx is how it looks
The token is valid for 3600 seconds.
the token is sent as a header
The token expires in May.
access tokens live for 15 minutes
My phone is +55 11 98765-4321.
Call 0800-123-4567 for support
Order number 4111111111111112 was shipped
ISBN 978-0-13-468599-1
ISBN 9780134685991
postgres://svc@db.example.internal:5432/app
http://example.com:8080/path/@user
https://medium.com:443/@user/post-123
version 1.2.3-rc.4+build.5 is out
The secret is out.
The secret of good code is simplicity
password = getpass.getpass()
token = os.environ["GITHUB_TOKEN"]
api_key=settings.api_key
password: str = Field(...)
secret: true
"password": null
"token": ""
The token is base64url-encoded.
The password is SHA-256 hashed with bcrypt.
passwords are hashed with argon2id
client_secret: {{ vault.client_secret }}
primary key: user_id
the cache key is user:1234:profile
The request id is req_8fJk2LmN0pQrStUvWx
Stripe customer cus_NffrFeUfNV2Hib paid
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2vK1l4c9Wc6m6nq3mX0p9k3Q2a1b0c9d8e7f6a5b4c user@host
-----BEGIN CERTIFICATE-----
The file starts with -----BEGIN RSA PRIVATE KEY----- and must not be committed
-----BEGIN PUBLIC KEY-----
sk-learn-compatible-estimators-everywhere
the task-0f3a9c1d5e7b8a604c1d failed
Bearer authentication is preferred over Basic authentication
the bearer of good news
Basic auth is off
o token é guardado no chaveiro
a chave Pix dele é o e-mail
a chave primária é id_cliente
a chave de API é rotacionada a cada 90 dias
密码是必填的
密码不能为空
令牌已过期
密钥保存在钥匙串里
The pin is on the map
GPIO pin: 17
Tests pass: 1200, fail: 3
session=morning
the session is at 10:30
login with your usual password
She forgot her password again
reset password link: https://example.com/reset
https://example.com/docs/token-auth#password
the password field is called pwd
PWD=/home/ana/work
IBAN DE89 3704 0044 0532 0130 00
CPF 529.982.247-25
The order is 1234 5678 9012 3456
build 20261012.4111
The UUID of the disk is 7b1e6c1a-3f3d-4b57-9a51-2c2f0d7f9b10
base64 of the logo: iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4
Token: the smallest unit of text
Secret: it uses brown butter
the API key for Stripe is in the vault
the password for staging is on the wiki
eos_token: </s>
pad_token=[PAD]
next_page_token=CAUQAA
The password manager is Bitwarden 2026.10
Kubernetes secret app-db-credentials-v2
secret_name: prod/db/main
--password-stdin reads it from standard input
password_file=/run/secrets/db_password
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
The token count was 128000.
the access token lifetime is 900s
[secret: password]
the password is [secret: password], ask Ana
The password must contain a digit and a symbol.
Passwords expire after 90 days.
Password rotation happens every quarter.
The password is at least 12 characters long.
The password is hashed with Argon2id.
The password is never logged.
The password is the same as last year.
The password is different on each machine.
The password is on the sticky note.
The password is kept by Ana.
The password is shared with the team.
The password is managed by Bitwarden.
password is required field
The password is optional.
The password is too short.
The password is wrong!
The password was leaked.
The password was rejected by the server.
Password reset takes 2 days.
Password: (hidden)
Password: [redacted]
Password: <hidden>
Password: ••••••••
Password: see the vault
Password: ask Ana
Password: same as the email one
password: n/a
password: null
password: ""
password: ''
password = None
password = ""
password=
password:
password: string
password: String!
"password": "string"
"password": "must be at least 8 characters"
"password": "Incorrect password"
"password_label": "Password"
password varchar(255) not null
password text
passwordHash: string
password_hash is stored in users.password_digest
type="password" name="pwd" id="login-password-2"
<input type="password" name="password" placeholder="Password">
password=$1
password=?
password=:password
password=%s
password={password}
password=os.environ['DB_PASSWORD']
password=settings.DB_PASSWORD
password=cfg.db.password
password=args.password
password = input("Password: ")
password = prompt("password")
password = user.password
password = getpass()
if password == expected_password:
if token != expected: raise
const token = await getToken();
const token = req.headers["x-token"];
let apiKey = process.env.API_KEY;
token := os.Getenv("TOKEN")
token = secrets.token_hex(16)
token = uuid4()
token = response.json()["token"]
api_key = keyring.get_password("memoro", "openai")
API_KEY=$(pass show openai)
API_KEY=`pass show openai`
API_KEY=op://vault/openai/key
TOKEN=!vault |
password: !secret db_password
DB_PASSWORD_FILE=/run/secrets/db
secretKeyRef:
name: app-secret
key: password
valueFrom.secretKeyRef.name: db-secret-v2
secrets: inherit
secrets.GITHUB_TOKEN is passed to the action
with: token: ${{ secrets.GITHUB_TOKEN }}
TOKEN="${TOKEN}"
token=%TOKEN%
token: <your token here>
token: {your_token}
api key: [YOUR KEY]
API_KEY=changeme
API_KEY=xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx
API_KEY=replace-me
API_KEY=sk-...
Use a key that starts with sk-ant- or sk-proj-.
GitHub tokens start with ghp_ or github_pat_.
AWS keys begin with AKIA.
AKIAXXXXXXXXXXXXXXXX
xoxb-your-token-here
The token is a JWT.
The token is opaque.
The token is refreshed every hour.
The token is RS256-signed.
The token is base64 encoded JSON.
The token is read from ~/.netrc.
The token is in the environment.
The token is valid until 2026-12-31.
The token is 40 hex characters.
Token usage was 128,000 this week.
token budget: 200000
tokens: 150000
max tokens is 8192
The tokenizer splits words into tokens.
tokens per second: 45.2
token_type: bearer
token_count: 1234567890
token endpoint: https://auth.example.com/oauth/token
The next token is sampled at temperature 0.7.
token bucket algorithm
CSRF token is missing
token ring network
each token costs $0.002
The secret to good bread is time.
The secret is to rest the dough 24h.
His secret was revealed.
secret: a pinch of salt
Secret ingredient: cinnamon
Open secret in the office
The API key page is under Settings.
The API key belongs to the ops team.
API key: required
API key rotation: 90 days
Get an API key at https://example.com/keys
api_key_id: 42
API key ID is key_01H8X
The access key of the menu is Alt+F2.
access key: F5
The private key is in ~/.ssh/id_ed25519.
The private key never leaves the HSM.
The public key is age1qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqs3290gq
primary key is (tenant_id, id)
foreign key: orders.customer_id
the key is under the mat
Key: C major
key: value
The key takeaway is speed.
keyboard shortcut Ctrl+K2
encryption key is AES-256
license key: see invoice
Commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixes the token bug.
git log shows 9fceb02 and 1a2b3c4d5e
tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
md5: d41d8cd98f00b204e9800998ecf8427e
sha512: cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce
checksum e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
docker image app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
request id 01HZX3V8K9QWERTYUIOPASDFGH
trace 4bf92f3577b34da6a3ce929d0e0e4736
session 8f14e45f was slow
order #4929-1234-5678-0001
tracking 1Z999AA10123456784
invoice 2026-000123456789
phone 4155552671, fax 4155552672
call +1 (415) 555-2671
IMEI 490154203237518
EAN 4006381333931
ISBN-13: 978-3-16-148410-0
UTC 1760000000000
ids 4111111111111112 and 4111111111111113
coordinates 40.741895,-73.989308
pi is 3.14159265358979323846
lat 41.1111111111111111
the amount is 4111.11
date 2026-10-12T10:30:00Z
v2.0.0-beta.1+exp.sha.5114f85
port 5432, pid 4111
IPv6 2001:0db8:85a3:0000:0000:8a2e:0370:7334
mac 00:1b:44:11:3a:b7
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7vbqajDhA ana@laptop
SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDeMBvhR9sVHqTmXyE is the host key
key fingerprint: SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDeMBvhR9sVHqTmXyE
A PEM file has -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY----- lines.
Look for the line BEGIN OPENSSH PRIVATE KEY in the file.
postgres://localhost:5432/app
postgres://$USER:$PASSWORD@db/app
postgres://user:<password>@db/app
postgres://user:${DB_PASS}@db/app
postgres://user:***@db/app
https://user@example.com
https://example.com:8443/a@b
ssh://git@github.com:22/org/repo.git
git@github.com:org/repo.git
mailto:ana@example.com
http://localhost:3000
https://hooks.slack.com/services/ is the prefix
curl -u ana https://example.com
docker run -u 1000:1000 app
mysql -u root -p app
ssh -p 2222 ana@host
Authorization: Bearer
Authorization header is required
Authorization: Basic <credentials>
Basic authentication over TLS
basic training starts at 10
Bearer tokens expire
Cookie: none
cookies are blocked
session=None
sessionid is set by Django
login ana password
Ana forgot the password and Bob knows it.
O password é guardado no cofre.
A senha é a mesma do ano passado.
A senha é igual à do e-mail.
A senha foi alterada ontem.
A senha não pode ter espaços.
A senha é longa demais.
senha: obrigatória
senha: não informada
Senha incorreta
a senha expira em 30 dias
esqueci a senha de novo
o token expira em 2 horas
o token é válido por 15 minutos
a chave está na gaveta
a chave é de fenda
chave estrangeira: cliente_id
A chave pix é 7b1e6c1a-3f3d-4b57-9a51-2c2f0d7f9b10
o segredo é a alma do negócio
密码不正确
密码是必需的，长度至少8位
密码是什么？
密码为空
请输入密码
忘记密码怎么办
令牌桶算法
密码学是一门学科
密钥长度为256位
token 数量是 4096
La contraseña es obligatoria.
Das Passwort ist falsch.
Le mot de passe est trop court.
PIN codes have 4 digits.
The pin is 3 mm wide.
pin: 13
Set pin 13 high
pinned: true
spinning: 1200 rpm
passed: 120
pass: true
compass: north
bypass: enabled
password-less login is on
passwordless: true
passphrase-protected keys are required
The passphrase is optional.
She said the code word is banana.
access code review is on Monday
door codes change monthly
The security code is on the back of the card.
token-based authentication
secret sharing with 3 of 5 shares
secretary: Maria Silva2
keynote: Friday 10h
monkey: 12345678901234567890
turkey=istanbul34
hockey: Canada5
donkey=Shrek2001
keyless: Tesla3
authorization: granted by Ana
He is the author: jk2rowling99
[secret: GitHub token]
postgres://svc:[secret: password]@db.example.internal:5432/app
"password": "[secret: password]"
The value was redacted as [secret: API key] yesterday.
The letters AKIA start an AWS key.
Run hf_hub_download to fetch a model.
npm_config_registry is an environment variable.
pk_live_ keys are public.
pi_3MtwBwLkdIwHu7ix28a3tqPa is a payment intent.
1234567812345670 passes the check but is no card.
https://chromestatus.com/feature/5068609911521280
the token is 482913
Your verification code is 482913.
a senha de 8 dígitos
Pass the token to the server.
password managers are great
The password: is it required?
the api key for openai is in the keyring
We rotate secrets with SOPS.
The session cookie is signed.
the token of appreciation is a mug
my password is the same as yours
I forgot my password again yesterday
password is not needed here
password length is 16
The secret key is kept in KMS
tokens cost 3 cents per 1000
keys: a, b, c
api key creation is on page 12
Her password manager is KeePassXC 2.7.9
The pin number of the pushpin is 12
security code review happens in Q3 2026
The access code of conduct
session 12345678 took 3 minutes
a senha foi trocada na segunda-feira
a senha mestra fica no cofre do banco
o token vence dia 2026-12-31
A chave de fenda custou R$ 29,90
密码管理器是 Bitwarden
我忘记密码了
他把密码改成了更安全的
The commit is 3f2a9c1d5e7b8a604c1d2e3f4a5b6c7d8e9f0a1b (token fix)
Password protected PDF
[Pre-shared keys]: #pre-shared-keys
[`createPrivateKey()`]: #cryptocreateprivatekeykey
The password was set to expire in 90 days
The token is set to expire on 2026-12-31
password set to never expire
Tokens are hashed with SHA-256 before they are stored
Use of the API key is limited to 1000 requests
Secret: Sauron is Annatar
Passwords like password123 are weak
The word "password" has 8 letters
login with SSO, no password
The account key accounts are 4711 and 4712
key performance indicators: 12
Ana's key is at reception
The API token page moved to /settings/tokens2
password is case-sensitive, 8-64 chars
""".strip().split("\n")
# The start of a private key, and lines that are too long for the list.
KEPT_TOO = [
    "The encryption key is rotated by the key "
    "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab.",
    "base64 of the logo: iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4"
    "//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg",
    "integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP"
    "+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2vK1l4c9Wc6m6nq3mX0p9k3Q2a1b0c9d8e7f6a5b4c user@host",
    "The header is\n-----BEGIN PRIVATE KEY-----\nthe footer is\n-----END PRIVATE KEY-----\n",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQG\n"
    "-----END CERTIFICATE-----",
    "password:\n  secretKeyRef:\n    name: app-secret-v2\n    key: db-password\n",
    "def check(password):\n    key0 = derive(password)\n    return key0\n",
]


@pytest.mark.requirement("F13")
@pytest.mark.parametrize("text", [*KEPT, *KEPT_TOO])
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert mask_secrets(text) == (text, ())


@pytest.mark.requirement("F13")
def test_look_alikes_stay_also_next_to_each_other() -> None:
    text = "\n".join((*KEPT, *KEPT_TOO))
    assert mask_secrets(text) == (text, ())


def test_the_list_is_long_enough_to_mean_something() -> None:
    assert len(set(KEPT)) > 250
