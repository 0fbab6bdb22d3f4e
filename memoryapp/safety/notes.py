"""What is remembered instead of a credential: that one was configured, for what, and when."""

from __future__ import annotations

from datetime import date

LABELS = {
    "password": {"en": "A password", "zh": "密码", "es": "una contraseña", "de": "Ein Passwort"},
    "passphrase": {
        "en": "A passphrase",
        "zh": "密码短语",
        "es": "una frase de contraseña",
        "de": "Eine Passphrase",
    },
    "code": {"en": "An access code", "zh": "访问码", "es": "un código de acceso", "de": "Ein Zugangscode"},
    "api_key": {"en": "An API key", "zh": "API 密钥", "es": "una clave de API", "de": "Ein API-Schlüssel"},
    "access_key": {
        "en": "An access key",
        "zh": "访问密钥",
        "es": "una clave de acceso",
        "de": "Ein Zugangsschlüssel",
    },
    "token": {"en": "A token", "zh": "令牌", "es": "un token", "de": "Ein Token"},
    "private_key": {
        "en": "A private key",
        "zh": "私钥",
        "es": "una clave privada",
        "de": "Ein privater Schlüssel",
    },
    "webhook": {"en": "A webhook", "zh": "Webhook", "es": "un webhook", "de": "Ein Webhook"},
    "secret": {"en": "A credential", "zh": "凭据", "es": "una credencial", "de": "Eine Zugangsberechtigung"},
}

SENTENCES = {
    "en": ("{label} was configured for {service} (as of {today})", "{label} was configured (as of {today})"),
    "zh": ("已为 {service} 配置{label}（截至 {today}）", "已配置{label}（截至 {today}）"),
    "es": (
        "Se configuró {label} para {service} (a fecha de {today})",
        "Se configuró {label} (a fecha de {today})",
    ),
    "de": (
        "{label} wurde für {service} eingerichtet (Stand {today})",
        "{label} wurde eingerichtet (Stand {today})",
    ),
}


def credential_note(kind: str, service: str, today: date, language: str = "en") -> str:
    """The sentence kept in place of a credential; English unless the language is zh, es or de."""
    spoken = language[:2].lower() if language[:2].lower() in SENTENCES else "en"
    labels = LABELS.get(kind, LABELS["secret"])
    with_service, without = SENTENCES[spoken]
    sentence = with_service if service else without
    return sentence.format(label=labels[spoken], service=service, today=today.isoformat())
