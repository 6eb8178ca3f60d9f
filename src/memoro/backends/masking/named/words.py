"""Words that follow the name of a secret and are none: what a password may be, do or need."""

from __future__ import annotations

# English, Portuguese, and some Spanish, French and German; in lower case. These hold a sentence
# together, so a row of words with one of them is no passphrase.
_BINDING = """
a aber about above across after again against ainda algo all allowed already also always an and
any anyone ao aos apenas aqui are around as ask at até au auf aus aux avec be because been before
bei being below between both but by cada called can cannot ce cette check choose click com como
con contact copy could cuando da dans das de debe dein del dela dele dem den depois der des desde
deve devem did die do does doit don't dos down du during e each ein eine either el ela ele ella
elle else em en enter entre era es ese essa esse est esta este está et eu even every everything
few foi for forgot from für generate get given had has hat have he held her here his how há i ich
if ihr il im in inside into is isn't isso ist it its itself just já keep kein la las le les let
leur like lo look los lá ma mais mas may me means mein menos mesma mesmo meu might mine minha mit
mon more most much muito muss must muy my na nada nas ne need needed nenhum nenhuma never next
nicht no nobody noch none nor nos nossa nosso not nothing nous now nur não o oder of off on once
onde one only or os other ou our ours out outra outro over par para pas pela pelo per pero please
plus pode por porque pour pra precisa put qual quando que quem qui rather read requires reset sa
same se see sehr sein sem sempre send ser será set seu share should sich sie sin since so some
someone something son still su sua such sur sus são só también também tell tem tenha than that the
their them then there these they this those through to toda todas too tu tudo two type um uma un
una und under une until up us usar use used uses using via você vom von vous want was we well were
what when where which while who whose why wie will wir wird with within without would write y ya
yet you your yours zu zum zur é
"""
BINDING_WORDS = frozenset(_BINDING.split())

# And these say what a secret is, or that there is none.
_DESCRIBING = """
abgelaufen accepted access active actual added ali alphanumeric ambas ambiguous app aquí atual
authentic auto automatic available away aí back bad base64 basic better bien blank blocked boa
bogus bom bool boolean broken bytes care case char characters checked classified clear common
compartilhada compulsory confidential constant correct correta corrupt current curta custom dead
default defaults dict different difícil digits disabled due easy elsewhere email empty enabled
encrypted enough erforderlich errada errado esa exact exactly expirada expired explicit external
extra faible fake falsa falsch false fica fim fine first fixa fixed fixme float forbidden
forgotten forte fraca free fuerte full further fácil geheim general generic gerada gleich global
gone good grande granted guardada guess gültig handed hard hers hidden hier hold human identical
igual immutable important inactive incorrect incorreta independent input int integer internal
invalid inválida irrelevant kept key known lang last late later least leer left less letters
limited literally local locked long longa longer lost lower lowercase made mandatory manual many
masked meant melhor mere mi minimum minúscula misma missing mostly más même n/a name necessary neu
new nil ninguna nobodys non notre nouveau nova novo nueva nula null number não-vazia object
obligatoire obligatoria obrigatória obrigatório obvious offline often ok okay old omitted opaque
opcional open optional optionals otherwise outdated owned part pequena permanent permitted
persistent personal pessoal plain poor pouco present printed privada private prod production
prompt proper própria public purely pública qualquer random readable real really redacted
refreshed rejected related reliable required revoked right rotacionada rotated safe secret
secretstr secure segura seguro senha sent separate shared short shorter shown sicher sim simple
simples simply small somewhere soon special specific spread stale standard stark static stolen
stored str string strong subject sure sí taken tbd temporary temporária text theirs thus tied
today todo token toujours true typed unchanged undefined ungültig unique universal unknown
unlimited unsafe unser unset unspecified updated upper uppercase useful useless user usually valid
valide value varchar vazia vazio velha very vide visible void válida weak whole word words wrong
yes zero única
"""
SMALL_WORDS = BINDING_WORDS | frozenset(_DESCRIBING.split())

# Endings of adjectives and participles, with at least as many letters before them as make a stem.
DESCRIBING_ENDINGS = (
    "ed", "ing", "able", "ible", "less", "ous", "ary", "ively", "ally",
    "ado", "ada", "ido", "ida", "ável", "ível", "ória", "ório", "osa", "oso", "mente",
)  # fmt: skip

# Letters and digits together, and yet the name of something; in lower case.
_TERMS = """
2fa 1password argon2 argon2i argon2id argon2d aes128 aes192 aes256 b2b base16 base32 base58 base62
base64 base64url base85 bcrypt2 blake2 blake2b blake2s blake3 bip32 bip39 ec2 ed25519 ed448 es256
es384 es512 eth0 fido2 h2 http2 http3 hs256 hs384 hs512 i18n ipv4 ipv6 iso27001 jp2 k3s k8s keepass2
keepassxc2 l10n latin1 log4j m2m md4 md5 mp3 mp4 mysql5 mysql8 neo4j ntlmv2 oauth1 oauth2 oauth20
p12 p256 p384 pbkdf2 pkcs1 pkcs7 pkcs8 pkcs11 pkcs12 poly1305 ps256 python2 python3 py3 ripemd160
rot13 rs256 rs384 rs512 rsa1024 rsa2048 rsa3072 rsa4096 s3 saml2 secp256k1 secp256r1 sha1 sha2 sha3
sha224 sha256 sha384 sha512 sqlite3 ssh2 ssl3 totp6 u2f utf16 utf32 utf8 utf8mb4 v8 web2 web3 win10
win11 win32 win64 x25519 x448 x509 x64 x86 xchacha20 chacha20 y2k
"""
TERMS = frozenset(_TERMS.split())
