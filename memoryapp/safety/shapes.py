"""Credentials that give themselves away by their shape: vendor prefixes, tokens in addresses, keys in armour.

Each rule is tried only where one of its anchors stands, so a long text costs one fast search per anchor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memoryapp.safety import values
from memoryapp.safety.encoded import is_login
from memoryapp.safety.findings import Finding
from memoryapp.safety.shape_rules import ShapeRule
from memoryapp.safety.vendor_keys import VENDOR_KEYS


def _at(
    kind: str, vendor: str, anchors: str, pattern: str, holds: Callable[[str], bool] | None = None
) -> ShapeRule:
    """A rule whose pattern begins with an anchor; `holds` has the last word on what it caught."""
    return ShapeRule(kind, vendor, tuple(anchors.split()), re.compile(pattern), holds)


def _is_password(value: str) -> bool:
    return values.is_mixed(value) and not values.ORDINAL.fullmatch(value)


def _is_generated(value: str) -> bool:
    return values.is_generated(value, 12)


_SCHEMES = (
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "srv",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "mssql",
    "psycopg",
)
DATABASE = "(?:" + "|".join(f"(?<={scheme})" for scheme in _SCHEMES) + ")"

SHAPE_RULES = (
    _at("token", "", "eyJ", r"(?<![\w-])eyJ[\w-]{8,8000}+\.[\w-]{8,16000}+\.[\w-]{0,4000}"),
    _at("secret", "Azure", "Q~", r"(?P<secret>(?<=(?<![\w~.-])[\w~.-]{3}\d)Q~[\w~.-]{30,40})"),
    _at(
        "webhook",
        "Slack",
        "hooks.slack.com/ hooks.slack-gov.com/",
        r"hooks\.slack(?:-gov)?\.com/\w{1,20}/(?P<secret>[\w/-]{8,200})",
    ),
    _at("webhook", "Discord", "/api/webhooks/", r"/api/webhooks/(?P<secret>\d{5,25}/[\w-]{20,120})"),
    _at(
        "webhook",
        "Teams",
        "/webhookb2/ /IncomingWebhook/",
        r"/(?:webhookb2|IncomingWebhook)/(?P<secret>[\w@/.-]{16,400})",
    ),
    _at("webhook", "Feishu", "/open-apis/bot/", r"/open-apis/bot/(?:v2/)?hook/(?P<secret>[\w-]{16,80})"),
    _at(
        "webhook", "Zapier", "hooks.zapier.com/", r"hooks\.zapier\.com/hooks/catch/(?P<secret>[\w/-]{6,100})"
    ),
    _at("webhook", "Make", "hook.", r"hook\.[\w.]{2,20}make\.com/(?P<secret>[\w-]{20,80})"),
    _at("webhook", "IFTTT", "/with/key/", r"/with/key/(?P<secret>[\w-]{10,80})"),
    _at("webhook", "WeCom", "/webhook/send?key=", r"/webhook/send\?key=(?P<secret>[\w-]{16,80})"),
    _at(
        "token",
        "",
        "Bearer bearer BEARER",
        r"(?i:bearer)[ \t]{1,3}[\"'<]?(?P<secret>[\w.~+/=-]{12,4000})",
        _is_generated,
    ),
    _at(
        "token",
        "",
        "Token token=",
        r"(?:Token[ \t]{1,3}(?:token=)?\"?)(?P<secret>[A-Za-z0-9._~+/=-]{20,400})",
        _is_generated,
    ),
    _at(
        "token",
        "",
        "sessionid= session_id= PHPSESSID= JSESSIONID= connect.sid= session=",
        r"(?:sessionid|session_id|PHPSESSID|JSESSIONID|connect\.sid|session)=\"?(?P<secret>[A-Za-z0-9%._~+/=-]{16,400})",
        _is_generated,
    ),
    _at("password", "", "Basic basic", r"[Bb]asic[ \t]{1,3}(?P<secret>[A-Za-z0-9+/]{8,400}={0,2})", is_login),
    _at(
        "password",
        "",
        "://",
        r"://[^\s:/@\"'<>?#]{0,100}:(?P<secret>[^\s/?#\"'<>\[{$*][^\s/?#\"'<>]{0,200})@[\w.\[-]",
    ),
    _at(
        "password",
        "",
        "://",
        rf"{DATABASE}://[^\s:/@\"'<>?#]{{1,100}}:(?P<secret>(?!\d{{1,5}}[/?,])[^\s\"'<>\[{{$*][^\s\"'<>]{{0,200}})@[\w.\[-]",
    ),
    _at("token", "", "://", r"://(?P<secret>[A-Za-z0-9_-]{20,200})(?::x-oauth-basic)?@[\w.-]", _is_generated),
    _at(
        "password",
        "",
        "-u --user",
        r"(?<![\w-])(?:-u|--user)[ =]{0,2}[\"']?[\w.@+-]{1,80}:(?P<secret>[^\s\"']{3,200})",
    ),
    _at("password", "", "sshpass", r"sshpass[ \t]{1,3}-p[ \t]{0,3}[\"']?(?P<secret>[^\s\"']{3,200})"),
    _at(
        "password",
        "",
        "machine",
        r"machine\s{1,3}\S{1,100}\s{1,3}login\s{1,3}\S{1,100}\s{1,3}password\s{1,3}(?P<secret>\S{1,200})",
    ),
    _at(
        "token",
        "",
        "X-Amz-Signature= X-Goog-Signature=",
        r"X-(?:Amz|Goog)-Signature=(?P<secret>[0-9A-Fa-f]{16,1000})",
    ),
    _at("token", "Azure", "sig=", r"(?<=[?&;])sig=(?P<secret>[A-Za-z0-9%+/=_-]{20,200})"),
    _at("password", "", "WIFI:", r"WIFI:(?:[^;\n]{1,60};){0,4}P:(?P<secret>[^;\n]{1,100});"),
    _at(
        "password",
        "",
        "<pass <Pass <pwd> <secret> <token> <apiKey> <api_key> <api-key>",
        r"<[\w-]{3,20}>(?P<secret>[^<\s][^<\n]{2,200})</",
    ),
    _at(
        "password",
        "",
        "@",
        r"@[\w-]{1,60}(?:\.[\w-]{1,30}){1,4}(?::|\s[/|]\s)(?P<secret>[^\s\"'<>/]{6,64})",
        _is_password,
    ),
    _at("token", "Telegram", "/bot", r"/bot(?P<secret>\d{6,12}:[\w-]{20,80})"),
)

# These begin with a character class instead of a fixed word, so they are searched for everywhere.
FREE_RULES = (
    ShapeRule("token", "Telegram", (":",), re.compile(r"(?<![\w:])\d{8,10}:[A-Za-z0-9_-]{35}(?![\w-])")),
    ShapeRule(
        "token",
        "Discord",
        (".",),
        re.compile(r"(?<![\w.-])[MNO][A-Za-z0-9_-]{22,27}\.[\w-]{6,7}\.[\w-]{27,45}(?![\w.-])"),
    ),
    ShapeRule("api_key", "Mailchimp", ("-us",), re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{32}-us\d{1,2}(?!\w)")),
    ShapeRule(
        "token", "Terraform", (".atlasv1.",), re.compile(r"(?<![\w.])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,90}")
    ),
)

PEM_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
PEM_REST = re.compile(
    r"(?:(?:\s|\\[nr]|[\"'>|#,+])*(?:[A-Z][\w-]{1,30}: [^\n]{0,200}\n|[A-Za-z0-9+/=]{16,}+))*+"
)
PEM_LENGTH = 20_000


def find_by_shape(text: str) -> Iterator[Finding]:
    """Every credential that is recognisable without its surroundings."""
    for rule in (*VENDOR_KEYS, *SHAPE_RULES):
        for anchor in rule.anchors:
            yield from _anchored(rule, anchor, text)
    for rule in FREE_RULES:
        if any(anchor in text for anchor in rule.anchors):
            for match in rule.pattern.finditer(text):
                yield from _finding(rule, match)
    yield from _armoured_keys(text)


def _anchored(rule: ShapeRule, anchor: str, text: str) -> Iterator[Finding]:
    position = text.find(anchor)
    while position >= 0:
        match = rule.pattern.match(text, position)
        if match:
            yield from _finding(rule, match)
        position = text.find(anchor, match.end() if match else position + 1)


def _finding(rule: ShapeRule, match: re.Match[str]) -> Iterator[Finding]:
    group = "secret" if "secret" in rule.pattern.groupindex else 0
    if rule.holds is None or rule.holds(match[group]):
        yield Finding(*match.span(group), rule.kind, rule.vendor)


def _armoured_keys(text: str) -> Iterator[Finding]:
    """PEM blocks; one that was cut off before its end line reaches as far as its body does."""
    begin = PEM_BEGIN.search(text)
    while begin:
        following = PEM_BEGIN.search(text, begin.end())
        limit = min(begin.end() + PEM_LENGTH, following.start() if following else len(text))
        end = PEM_END.search(text, begin.end(), limit) or PEM_REST.match(text, begin.end(), limit)
        yield Finding(begin.start(), end.end() if end else begin.end(), "private_key")
        begin = following
