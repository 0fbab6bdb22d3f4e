"""A sentence with a masked credential: what is kept of it, which is never the value."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import regex

from memoryapp.llm.language.english_person import third_person
from memoryapp.llm.language.english_verbs import third_person_verb
from memoryapp.llm.language.han import compile_both
from memoryapp.llm.language.wordlists import pairs
from memoryapp.safety.credentials import MARKER

_M = regex.escape(MARKER)
MASKED = compile_both(_M)
_URL = compile_both(rf"\b[a-z][a-z0-9+.-]*://\S*{_M}\S*", regex.IGNORECASE)
_LOGIN = compile_both(rf"(?<=://)[^\s/@]*{_M}[^\s/@]*@")
_SECRET_PATH = compile_both(rf"https?://[^\s\[]*{_M}\S*?(?=[,;.]?(?:\s|$))")
_ASSIGNED = compile_both(rf"(?P<what>\b[A-Z][A-Z0-9_]{{3,}})\s*[=:]\s*[\"']?{_M}")

_DEBUGGING = compile_both(
    r"\?\s*$|\?\s|\b(?:why|what'?s wrong|error|exception|fails?|failed|failing|decode|invalid|expired|"
    r"unauthori[sz]ed|forbidden|rejected|40[0-9]|500|log says|logs?(?! (?:in|on)\b)|output|debug|traceback|"
    r"does ?n[o']t work|not working|is this|"
    r"por qué|falla|fallo|caducad[oa]|inválid[oa]|no funciona|no decodifica|warum|fehler|"
    r"funktioniert nicht|ungültig)\b|为什么|报错|错误|失效|过期|无效|怎么回事|吗|日志|なぜ|エラー",
    regex.IGNORECASE,
)
# "…, would you kindly set it up?" asks for it to be set up and not why it fails.
_POLITE = regex.compile(
    r",?\s*(?:and |so )?(?:would|could|can|will) you (?:please |kindly |just )*(?:set|add|store|save|"
    r"configure|use|enter|"
    r"update|put|install|register)\b[^?]*\?|¿?(?:puedes|podrías|me puedes) (?:\p{L}+)(?:lo|la)?\b[^?]*\?",
    regex.IGNORECASE,
)
_ONE_TIME = compile_both(
    r"\b(?:pairing|pair|verification|one-time|otp|2fa|mfa|sms|confirmation|activation|unlock) ?(?:code|"
    r"pin|password)?\b|\blogin (?:code|pin)\b|\bcode\b|配对码|验证码|动态码|código de (?:emparejamiento|"
    r"verificaci[oó]n)|"
    r"\b(?:kopplungs|bestätigungs|verifizierungs)code\b|ペアリング|認証コード|確認コード",
    regex.IGNORECASE,
)
_WHAT = {
    "en": compile_both(
        r"\b(?P<what>(?:(?!(?:the|this|that|my|our|your|here|is|for|use|store|save|new|set|a|an|"
        r"s)\b)[\w-]+ ){0,2}(?:api[- ]?keys?|access[- ]?keys?|secret[- ]?keys?|private key|ssh key|keys?|"
        r"tokens?|passwords?|passphrase|passwd|pwd|"
        r"secret|bearer(?: token)?|auth(?:entication|orization)? header|licen[cs]e key|recovery codes?|"
        r"seed phrase|"
        r"webhook(?: url)?|credentials?|creds?|pat|login|connection string|pin|certificate))\b",
        regex.IGNORECASE,
    ),
    "es": compile_both(
        r"\b(?P<what>(?:clave|contraseña|token|secreto|llave|credencial(?:es)?|webhook|cadena de conexión|"
        r"pin|certificado)(?: (?:de|del) (?:API|acceso|webhook|GitHub|GitLab|AWS|Stripe|Slack|"
        r"(?-i:\p{Lu})\w+)){0,2}(?: (?-i:\p{Lu})\w+)?)\b",
        regex.IGNORECASE,
    ),
    "zh": compile_both(
        r"(?P<what>(?:[A-Za-z]+\s*的\s*)?[A-Za-z]*\s*(?:API\s*)?(?:密钥|令牌|密码|口令|凭据|凭证|访问密钥|证书|"
        r"token|key|webhook))",
        regex.IGNORECASE,
    ),
    "de": compile_both(
        r"\b(?P<what>[\w-]*(?:schlüssel|passwort|token|kennwort|geheimnis|zugangsdaten|"
        r"api-key))\b",
        regex.IGNORECASE,
    ),
    "ja": compile_both(r"(?P<what>[A-Za-z]*\s*(?:API\s*)?(?:キー|トークン|パスワード|シークレット|鍵))"),
}
_TARGET = {
    "en": compile_both(
        r"\b(?P<prep>for|of|to|in|at|on|into|from|with)\s+(?P<target>(?:the|our|my|a|an|this|"
        rf"that)?\s*(?!{_M})(?:(?!\b(?:is|was|are|from now on|please|so|and|but|which|"
        r"that)\b)[^\s:=,;.!?\[]+\s*){1,7}?)(?=\s*(?:[:=,;.!?\[]|\b(?:is|was|are|from now on|please|so|"
        r"and|but|which|that)\b|$))",
        regex.IGNORECASE,
    ),
    "es": compile_both(
        r"\b(?P<prep>para|de|del|en|a)\s+(?P<target>(?:(?:el|la|los|las|mi|nuestro|"
        r"nuestra)\s+)?(?:(?!\b(?:es|era|son|por favor|y)\b)[^\s:=,;.!?\[]+\s*){1,7}?)(?=\s*(?:[:=,;.!?\[]"
        r"|\b(?:es|era|son)\b|$))",
        regex.IGNORECASE,
    ),
    "zh": compile_both(
        r"(?:这是|这个|那个|把|给|是|用于|为)?(?P<target>[^，。：:这是把给为的\s]+?)的\s*(?=[A-Za-z]"
        r"*\s*(?:API\s*)?(?:密钥|令牌|密码|口令|凭据|凭证|token|key|webhook))|(?:用于|给|"
        r"为)(?P<target2>[^，。：:的]+)|(?<=[，,])(?P<target2>\p{Han}{2,8}?)(?:都|就|以后|现在|改|直接)*用(?:这个|它|新的|这把|这条)",
        regex.IGNORECASE,
    ),
    "de": compile_both(
        r"\b(?P<prep>für|von|vom|zum|im|in)\s+(?P<target>(?:(?:den|die|das|der|dem|"
        r"unseren|unsere)\s+)?[^\s:=,;.!?\[]+)",
        regex.IGNORECASE,
    ),
    "ja": compile_both(
        r"(?P<target>[^、。：:\s]+?)の(?=[A-Za-z]*\s*(?:API\s*)?(?:キー|トークン|"
        r"パスワード|シークレット))"
    ),
}
_TEXT = {
    "en": ("{what} was configured for {target} (as of {day})", "{what} was configured (as of {day})"),
    "es": ("Se configuró {what} para {target} (a fecha de {day})", "Se configuró {what} (a fecha de {day})"),
    "zh": ("已为{target}配置{what}（截至{day}）", "已配置{what}（截至{day}）"),
    "de": ("{what} wurde für {target} eingerichtet (Stand {day})", "{what} wurde eingerichtet (Stand {day})"),
    "ja": ("{target}の{what}が設定された（{day}時点）", "{what}が設定された（{day}時点）"),
}


@dataclass(frozen=True, slots=True)
class CredentialNote:
    """What is kept instead of a credential."""

    text: str
    language: str


def is_masked(text: str) -> bool:
    """Whether the text held a credential."""
    return bool(MASKED.search(text))


_BLOCK = compile_both(r"(?:```|~~~).*?(?:```|~~~|\Z)", regex.DOTALL)
_OFFER = compile_both(
    r"^(?:(?:please|pls|ok|and|now|hey|hi|so)[,\s]+)*(?:set|use|add|put|store|save|configure|enter|register|"
    r"load|apply|replace|"
    r"update|rotate|install|plug|drop)\b.*:\s*$|\b(?:keys?|tokens?|passwords?|secrets?|credentials?|claves?|"
    r"contraseñas?|zugangsdaten|schlüssel)\b[^?]*:\s*$|(?:密钥|令牌|密码|凭据)[^？]*[:：]\s*$",
    regex.IGNORECASE,
)
_BEFORE = compile_both(r"^(?P<told>.{12,}?)(?:,| and|;|\.) (?=[^,;]*$)", regex.IGNORECASE)


def shown_below(message: str) -> str:
    """The first line with a masked credential in a block of code; empty when there is none."""
    for block in _BLOCK.findall(message):
        for line in block.splitlines():
            if is_masked(line):
                return str(line.strip())
    return ""


def offers_credential(sentence: str) -> bool:
    """Whether a sentence announces the block below it as something to set up."""
    return bool(_OFFER.search(sentence.strip()))


def before_credential(sentence: str) -> str:
    """What a sentence tells in the clauses before the one with the credential."""
    match = _BEFORE.match(sentence[: sentence.index(MARKER)]) if MARKER in sentence else None
    return str(match["told"]) if match else ""


def note_credential(sentence: str, language: str, day: date, *, around: str = "") -> CredentialNote | None:
    """The note that a credential was configured; nothing for one-time codes, questions and logs."""
    if _DEBUGGING.search(_POLITE.sub("", around or sentence)) or _is_one_time(sentence):
        return None
    language = language if language in _TEXT else "en"
    where = _URL.search(sentence)
    if where:
        return _note_address(sentence, where.group(), language, day)
    what, target = _what(sentence, language), _target(sentence, language)
    if not what:
        return None
    return CredentialNote(_fill(what, target, language, day), language)


def _is_one_time(sentence: str) -> bool:
    return bool(_ONE_TIME.search(sentence)) and not _WHAT["en"].search(_ONE_TIME.sub(" ", sentence))


def _what(sentence: str, language: str) -> str:
    assigned = _ASSIGNED.search(sentence)
    if assigned:
        return assigned["what"]
    match = _WHAT[language].search(sentence)
    return match["what"].strip() if match else ""


_RECEIVER = compile_both(
    r"^(?:please )?(?:configure|set up|give|provide|equip|update|authenticate|connect|"
    r"log in)\s+(?P<target>.+?)\s+(?:with|using|through|via)\b",
    regex.IGNORECASE,
)

_PUT_INTO = compile_both(
    r"(?:配置?|填|写|加|放|设置?|存|接|装|导入?|更新)(?:到|进|入|在)(?P<target>[^，。：:]+?)(?=里|中|上|去|吧|[，。！]|$)"
)


def _target(sentence: str, language: str) -> str:
    receiver = _RECEIVER.match(sentence) or _PUT_INTO.search(sentence)
    best = receiver["target"] if receiver else ""
    for match in _TARGET[language].finditer(MASKED.sub(MARKER, sentence)):
        groups = match.groupdict()
        found = (groups.get("target") or groups.get("target2") or "").strip()
        # "the password of the test database for Lena": the first place named is what it opens.
        if (
            found
            and not best
            and not _WHAT[language].fullmatch(found)
            and not regex.match(
                r"(?:now|example|free|use|it|me)\b|(?:the|our|my|an?|this|that)$", found, regex.IGNORECASE
            )
        ):
            best = found
    # "The OpenAI key in the plugin": the maker is no place.
    maker = regex.match(r"^(?P<maker>\p{Lu}\w+) en (?P<place>.+)$", best) if language == "es" else None
    if maker and maker["maker"] in _what(sentence, language):
        best = maker["place"]
    return regex.sub(r"^(?:my|our)\b", "the user's", best) if language == "en" else best


def _fill(what: str, target: str, language: str, day: date) -> str:
    with_target, without = _TEXT[language]
    text = (with_target if target else without).format(what=what, target=target, day=day)
    return text[:1].upper() + text[1:]


def _note_address(sentence: str, address: str, language: str, day: date) -> CredentialNote:
    """A connection string keeps its host, a webhook only its purpose."""
    plain = {"en": "a webhook", "es": "un webhook", "zh": "webhook", "de": "einen Webhook", "ja": "webhook"}[
        language
    ]
    has_login = _LOGIN.search(address) is not None
    kept = _LOGIN.sub("", sentence) if has_login else MASKED.sub(plain, _SECRET_PATH.sub(plain, sentence))
    if language == "en":
        kept = third_person(_as_done(kept.strip().rstrip(".!")))
    return CredentialNote(f"{kept[:1].upper()}{kept[1:]} {_STAMP[language].format(day=day)}", language)


_STAMP = {
    "en": "(as of {day})",
    "es": "(a fecha de {day})",
    "zh": "（截至{day}）",
    "de": "(Stand {day})",
    "ja": "（{day}時点）",
}
_DONE = pairs(
    "point=pointed connect=connected switch=switched set=set configure=configured send=sent move=moved "
    "route=routed link=linked attach=attached put=put write=written post=posted save=saved store=stored "
    "add=added hook=hooked"
)
_ORDER = compile_both(
    rf"^(?:please )?(?P<verb>{'|'.join(_DONE)}) (?P<what>(?:the|our|my|all) .+?|\p{{Ll}}+s|"
    r"it) (?P<where>(?:up )?(?:at|to|with|from|into|in|on|via) .+)$",
    regex.IGNORECASE,
)
_USE = compile_both(r"^(?:please )?use (?P<what>\S+) (?P<purpose>(?:for|as|with) .+)$", regex.IGNORECASE)
_LET = compile_both(
    r"^(?:please )?(?:let|have|make) (?P<who>.+?) (?P<verb>connect|talk|write|read|report|send|point|post|"
    r"log in|log) (?P<rest>.+)$",
    regex.IGNORECASE,
)


def _as_done(order: str) -> str:
    """'Point the worker at x' is remembered as 'the worker is pointed at x'."""
    order = regex.sub(r"(?:,? please| please)$", "", order)
    use, let, plain = _USE.match(order), _LET.match(order), _ORDER.match(order)
    if use:
        return f"{use['what']} is used {use['purpose']}"
    if let:
        return f"{let['who']} {third_person_verb(let['verb'])} {let['rest']}"
    if plain:
        verb = (
            "are"
            if plain["what"].lower().startswith("all ")
            or not plain["what"].lower().startswith(("the ", "our ", "my ", "it"))
            else "is"
        )
        return f"{plain['what']} {verb} {_DONE[plain['verb'].lower()]} {plain['where']}"
    return order
