"""Words after which people write a credential, in the languages the rules cover.

A word's tier says how much the value itself must show before it counts: anything may be a password, only digits and
capitals a code, only generated-looking text a token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum


class Tier(IntEnum):
    """How demanding a word is of its value, from the least to the most."""

    PHRASE = 1
    PASSWORD = 2
    CODE = 3
    TOKEN = 4
    KEY = 5


@dataclass(frozen=True, slots=True)
class SecretWord:
    """A word for a credential; `inside` lets it end a longer identifier, as in PGPASSWORD or clientsecret."""

    word: str
    kind: str
    tier: Tier
    inside: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A secret word where it stands in a text."""

    start: int
    end: int
    word: SecretWord


def _words(kind: str, tier: Tier, words: str, *, inside: bool = False) -> list[SecretWord]:
    """The entries of a comma-separated list."""
    return [SecretWord(word.strip(), kind, tier, inside) for word in words.split(",")]


PASSWORDS_INSIDE = "password, passwd, passwort, kennwort, contraseña, contrasena, passcode"
PASSWORDS = """
    pass word, pasword, passwrd, pssword, pwd, pw, passw, senha, mot de passe, wachtwoord, hasło, пароль,
    パスワード, 비밀번호, 密码, 密碼, 口令, clave de acceso, clave del wifi, clave wifi, clave de wifi,
    wlan-schlüssel, wifi key, wi-fi key, wpa key, network key
"""
PHRASES = """
    passphrase, pass phrase, pass-phrase, seed phrase, recovery phrase, secret phrase, wallet mnemonic,
    mnemonic phrase, frase de contraseña, frase semilla, frase de recuperación, 助记词, 密码短语
"""
CODES = """
    pin, pin code, pin-code, pin number, pairing code, pairing pin, access code, security code, passkey,
    verification code, recovery code, backup code, door code, gate code, alarm code, entry code,
    unlock code, one-time code, one time code, one-time password, otp, totp code, 2fa code, mfa code,
    sms code, login code, auth code, authentication code, locker code, safe code, 验证码, 驗證碼, 配对码,
    配對碼, 动态码, 恢复码, 备用码, 安全码, 门禁码, pin码, 解锁码, 授权码, 暗証番号, 認証コード,
    código de verificación, código de emparejamiento, código de acceso, código de seguridad,
    código de recuperación, código de vinculación, código pin, codigo de verificacion, codigo de acceso,
    codigo de seguridad, kopplungscode, zugangscode, sicherheitscode, bestätigungscode,
    wiederherstellungscode, zugriffscode, türcode, verifizierungscode, einmalpasswort, einmalcode, tan,
    code de vérification, code d'accès
"""
API_KEYS_INSIDE = "api key, api-key, api_key, apikey, api schlüssel, api-schlüssel, clave api"
API_KEYS = "apiキー, clave de api, clave de la api, clé api, api 密钥, api密钥, api 秘钥, api 金鑰"
ACCESS_KEYS_INSIDE = "access key, access-key, access_key, accesskey, accountkey, account key"
ACCESS_KEYS = "secret access key, sharedaccesskey, access key id, accesskeyid, 访问密钥, zugangsschlüssel"
TOKENS_INSIDE = "token, auth key, authkey, auth_key, session key, 令牌, 权杖, トークン, 토큰, jeton"
PRIVATE_KEYS = "private key, private_key, privatekey, clave privada, privater schlüssel, 私钥"
SECRETS_INSIDE = """
    secret, secret key, secret_key, secretkey, secret-key, secret_key_base, client secret, app secret,
    encryption key, signing key, signing secret
"""
SECRETS = """
    shared key, master key, deploy key, service key, license key, licence key, product key, recovery key,
    host key, ssh key, credential, creds, 密钥, 密鑰, 秘钥, 金鑰, 凭据, 凭证, clave secreta, geheimnis,
    geheimer schlüssel, zugangsdaten, credenciales
"""
WIDE = """
    key, clave, schlüssel, llave, pass, auth, basic auth, authorization, webhook, login, wifi, wi-fi,
    wlan, ssid, wpa2, wpa3, psk, 钥匙
"""

WORDS = (
    *_words("password", Tier.PASSWORD, PASSWORDS_INSIDE, inside=True),
    *_words("password", Tier.PASSWORD, PASSWORDS),
    *_words("passphrase", Tier.PHRASE, PHRASES),
    *_words("code", Tier.CODE, CODES),
    *_words("api_key", Tier.TOKEN, API_KEYS_INSIDE, inside=True),
    *_words("api_key", Tier.TOKEN, API_KEYS),
    *_words("access_key", Tier.TOKEN, ACCESS_KEYS_INSIDE, inside=True),
    *_words("access_key", Tier.TOKEN, ACCESS_KEYS),
    *_words("token", Tier.TOKEN, TOKENS_INSIDE, inside=True),
    *_words("private_key", Tier.TOKEN, PRIVATE_KEYS),
    *_words("secret", Tier.TOKEN, SECRETS_INSIDE, inside=True),
    *_words("secret", Tier.TOKEN, SECRETS),
    *_words("secret", Tier.KEY, WIDE),
)

# After these a user and a password are told together: "creds: ada / x".
LOGINS = frozenset(
    (
        "credential",
        "creds",
        "zugangsdaten",
        "credenciales",
        "凭据",
        "凭证",
        "login",
        "basic auth",
        "wifi",
        "wi-fi",
        "wlan",
        "ssid",
    )
)

# What makes another thing of the word that follows or precedes: a public key, a cryptography course, a code word.
NOT_AFTER = re.compile(
    r"(?:primary|foreign|sort|partition|public|cache|sheet|spreadsheet|idempotency|map|object|dictionary|palabra|keyboard|hot|arrow"
    r"|csrf|cancellation|page|dedup|issue|ticket|row|house|car|spare|song|music|palabras|count|max|input|output)[ _-]?$"
)
IDENTIFIER_END = re.compile(r"[a-z]$")

_BY_LENGTH = sorted(WORDS, key=lambda entry: -len(entry.word))


def find_mentions(lowered: str, original: str) -> list[Mention]:
    """Every secret word of the text, the longest at each place, in order; both texts have the same length."""
    best: dict[int, Mention] = {}
    for entry in _BY_LENGTH:
        for start in _places(lowered, entry.word):
            end = start + len(entry.word)
            if entry.word.isascii() and lowered[end : end + 1] == "s":
                end += 1
            if end not in best and _stands_alone(entry, lowered, original, start, end):
                best[end] = Mention(start, end, entry)
    return _longest(sorted(best.values(), key=lambda mention: (mention.start, -mention.end)))


def _places(lowered: str, word: str) -> Iterator[int]:
    position = lowered.find(word)
    while position >= 0:
        yield position
        position = lowered.find(word, position + len(word))


def _stands_alone(entry: SecretWord, lowered: str, original: str, start: int, end: int) -> bool:
    """Whether the word is a word here, and not part of another or of a phrase that means something else."""
    after = lowered[end : end + 1]
    if lowered[max(0, start - 1) : start] == "1":  # 1Password
        return False
    if entry.word.isascii() and (after.isascii() and after.isalnum()):
        return False
    is_latin = entry.word[0].isascii()
    if is_latin and not entry.inside and IDENTIFIER_END.search(lowered[max(0, start - 1) : start]):
        return bool(original[start].isupper() and original[start - 1].islower())
    return not NOT_AFTER.search(lowered[max(0, start - 16) : start])


def _longest(mentions: list[Mention]) -> list[Mention]:
    kept: list[Mention] = []
    for mention in mentions:
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept
