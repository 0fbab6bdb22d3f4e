"""Credentials that give themselves away by their shape: vendor prefixes, tokens in addresses, keys in armour.

Each rule is tried only where one of its anchors stands, so a long text costs one fast search per anchor. Lengths are
looser than the vendors' formats: a key with a character too many is still a key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memoryapp.safety import values
from memoryapp.safety.encoded import is_login
from memoryapp.safety.findings import Finding


@dataclass(frozen=True, slots=True)
class VendorRule:
    """`pattern` is matched at each place of an anchor; its group "secret", or all of it, is the credential."""

    kind: str
    vendor: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] | None = None


def _prefixed(kind: str, vendor: str, prefixes: str, body: str) -> VendorRule:
    """A rule for keys that are one of the prefixes and then a body."""
    anchors = tuple(prefixes.split())
    either = "|".join(re.escape(prefix) for prefix in anchors)
    return VendorRule(kind, vendor, anchors, re.compile(rf"(?<![A-Za-z0-9])(?:{either})(?:{body})"))


def _at(
    kind: str, vendor: str, anchors: str, pattern: str, holds: Callable[[str], bool] | None = None
) -> VendorRule:
    """A rule whose pattern begins with an anchor; `holds` has the last word on what it caught."""
    return VendorRule(kind, vendor, tuple(anchors.split()), re.compile(pattern), holds)


def _is_generated(value: str) -> bool:
    return values.is_generated(value, 12)


PREFIX_RULES = (
    _prefixed("token", "GitHub", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9_]{10,255}"),
    _prefixed("token", "GitHub", "github_pat_", "[A-Za-z0-9_]{20,255}"),
    _prefixed(
        "token",
        "GitLab",
        "glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glimt- glagent- gloas-",
        "[A-Za-z0-9_.=-]{16,300}",
    ),
    _prefixed("access_key", "AWS", "AKIA ASIA ABIA ACCA", "[A-Z0-9]{16,32}"),
    _prefixed("api_key", "AWS", "ABSK bedrock-api-key-", "[A-Za-z0-9+/=]{40,400}"),
    _prefixed("api_key", "Google", "AIza", "[A-Za-z0-9_-]{30,60}"),
    _prefixed("token", "Google", "ya29.", "[A-Za-z0-9_-]{20,2000}"),
    _prefixed("secret", "Google", "GOCSPX-", "[A-Za-z0-9_-]{20,60}"),
    _prefixed(
        "token",
        "Slack",
        "xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xoxc- xoxd- xoxe.",
        "[A-Za-z0-9%.-]{10,400}",
    ),
    _prefixed("token", "Slack", "xapp-", r"\d-[A-Za-z0-9-]{10,300}"),
    _prefixed(
        "api_key", "Stripe", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ sk_org_", "[A-Za-z0-9]{10,300}"
    ),
    _prefixed("secret", "Stripe", "whsec_", "[A-Za-z0-9+/=]{20,200}"),
    _prefixed("api_key", "Anthropic", "sk-ant-", "[A-Za-z0-9_-]{16,300}"),
    _prefixed("api_key", "OpenRouter", "sk-or-", "[A-Za-z0-9_-]{16,300}"),
    _prefixed("api_key", "OpenAI", "sk-proj- sk-svcacct- sk-admin- sk-None-", "[A-Za-z0-9_-]{16,300}"),
    _prefixed("api_key", "", "sk-lf- pk-lf- sk-live- sk-test-", "[A-Za-z0-9_-]{16,300}"),
    _prefixed("api_key", "", "sk-", "[A-Za-z0-9]{20,200}"),
    _prefixed("token", "npm", "npm_", "[A-Za-z0-9]{30,60}"),
    _prefixed("token", "PyPI", "pypi-", "[A-Za-z0-9_-]{16,1000}"),
    _prefixed("token", "RubyGems", "rubygems_", "[A-Za-z0-9]{32,80}"),
    _prefixed("token", "Docker Hub", "dckr_pat_ dckr_oat_", "[A-Za-z0-9_-]{20,80}"),
    _prefixed("api_key", "SendGrid", "SG.", "[A-Za-z0-9_-]{16,40}[.][A-Za-z0-9_-]{16,80}"),
    _prefixed("api_key", "Twilio", "SK", "[0-9a-f]{32}(?![0-9a-f])"),
    _prefixed("api_key", "Mailgun", "key-", "[0-9a-f]{32}(?![0-9a-f])"),
    _prefixed("api_key", "Brevo", "xkeysib-", "[A-Za-z0-9-]{40,120}"),
    _prefixed("token", "Hugging Face", "hf_ api_org_", "[A-Za-z0-9]{30,60}"),
    _prefixed("token", "DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", "[A-Za-z0-9]{32,80}"),
    _prefixed("api_key", "Groq", "gsk_", "[A-Za-z0-9]{32,80}"),
    _prefixed("api_key", "xAI", "xai-", "[A-Za-z0-9]{32,120}"),
    _prefixed("api_key", "Perplexity", "pplx-", "[A-Za-z0-9]{32,80}"),
    _prefixed("api_key", "Replicate", "r8_", "[A-Za-z0-9]{30,60}"),
    _prefixed("api_key", "Pinecone", "pcsk_", "[A-Za-z0-9_]{32,120}"),
    _prefixed("api_key", "LangSmith", "lsv2_pt_ lsv2_sk_", "[A-Za-z0-9_]{30,80}"),
    _prefixed("api_key", "mem0", "m0-", "[A-Za-z0-9]{32,60}"),
    _prefixed("token", "Supabase", "sbp_ sb_secret_", "[A-Za-z0-9_-]{20,80}"),
    _prefixed("token", "Netlify", "nfp_", "[A-Za-z0-9]{30,60}"),
    _prefixed("token", "Heroku", "HRKU-", "[A-Za-z0-9_-]{30,80}"),
    _prefixed("api_key", "Linear", "lin_api_ lin_oauth_", "[A-Za-z0-9]{30,80}"),
    _prefixed("token", "Notion", "ntn_ secret_", "[A-Za-z0-9]{40,60}"),
    _prefixed("token", "Figma", "figd_ figo_", "[A-Za-z0-9_-]{30,80}"),
    _prefixed("token", "Airtable", "pat", "[A-Za-z0-9]{14}[.][a-f0-9]{64}"),
    _prefixed("token", "Atlassian", "ATATT3x ATCTT3x ATBB ATSTT3x", "[A-Za-z0-9_=.-]{24,300}"),
    _prefixed("token", "Shopify", "shpat_ shpca_ shppa_ shpss_", "[A-Za-z0-9]{24,60}"),
    _prefixed("token", "Square", "sq0atp- sq0csp- EAAAl EAAAE", "[A-Za-z0-9_-]{22,80}"),
    _prefixed("token", "Facebook", "EAAC EAAB EAAG", "[A-Za-z0-9]{80,400}"),
    _prefixed("token", "PlanetScale", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[A-Za-z0-9_.=-]{30,80}"),
    _prefixed("token", "Databricks", "dapi", "[a-f0-9]{32}(?:-[0-9])?"),
    _prefixed("token", "Doppler", "dp.pt. dp.st. dp.sa. dp.ct.", "[A-Za-z0-9_.-]{30,80}"),
    _prefixed("token", "Vault", "hvs. hvb. hvr.", "[A-Za-z0-9_-]{20,400}"),
    _prefixed("token", "Grafana", "glsa_ glc_", "[A-Za-z0-9_+/=]{28,400}"),
    _prefixed("api_key", "New Relic", "NRAK- NRII- NRJS-", "[A-Za-z0-9_-]{19,60}"),
    _prefixed("token", "Sentry", "sntrys_ sntryu_", "[A-Za-z0-9+/=_-]{30,400}"),
    _prefixed("api_key", "Postman", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{30,40}"),
    _prefixed("api_key", "PostHog", "phx_", "[A-Za-z0-9_-]{30,80}"),
    _prefixed("token", "Tailscale", "tskey-", "[A-Za-z0-9]{3,12}-[A-Za-z0-9-]{10,80}"),
    _prefixed("token", "Pulumi", "pul-", "[a-f0-9]{40}"),
    _prefixed("token", "Fly.io", "fm1_ fm2_ fo1_", "[A-Za-z0-9+/=_-]{40,800}"),
    _prefixed("api_key", "Render", "rnd_", "[A-Za-z0-9]{28,60}"),
    _prefixed("token", "Dropbox", "sl.", "[A-Za-z0-9_-]{100,1500}"),
    _prefixed("token", "1Password", "ops_eyJ", "[A-Za-z0-9+/=_-]{100,2000}"),
    _prefixed("private_key", "age", "AGE-SECRET-KEY-1", "[A-Z0-9]{40,80}"),
    _prefixed("access_key", "Alibaba Cloud", "LTAI", "[A-Za-z0-9]{12,30}"),
    _prefixed("access_key", "Tencent Cloud", "AKID", "[A-Za-z0-9]{32,48}"),
    _prefixed("token", "X", "AAAAAAAAAAAAAAAAAAAAA", "[A-Za-z0-9%]{30,300}"),
)

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
    _at("token", "Telegram", "/bot", r"/bot(?P<secret>\d{6,12}:[\w-]{20,80})"),
)

# These begin with a character class instead of a fixed word, so they are searched for everywhere.
FREE_RULES = (
    VendorRule("token", "Telegram", (":",), re.compile(r"(?<![\w:])\d{8,10}:[A-Za-z0-9_-]{35}(?![\w-])")),
    VendorRule(
        "token",
        "Discord",
        (".",),
        re.compile(r"(?<![\w.-])[MNO][A-Za-z0-9_-]{22,27}\.[\w-]{6,7}\.[\w-]{27,45}(?![\w.-])"),
    ),
    VendorRule("api_key", "Mailchimp", ("-us",), re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{32}-us\d{1,2}(?!\w)")),
    VendorRule(
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
    for rule in (*PREFIX_RULES, *SHAPE_RULES):
        for anchor in rule.anchors:
            yield from _anchored(rule, anchor, text)
    for rule in FREE_RULES:
        if any(anchor in text for anchor in rule.anchors):
            for match in rule.pattern.finditer(text):
                yield from _finding(rule, match)
    yield from _armoured_keys(text)


def _anchored(rule: VendorRule, anchor: str, text: str) -> Iterator[Finding]:
    position = text.find(anchor)
    while position >= 0:
        match = rule.pattern.match(text, position)
        if match:
            yield from _finding(rule, match)
        position = text.find(anchor, match.end() if match else position + 1)


def _finding(rule: VendorRule, match: re.Match[str]) -> Iterator[Finding]:
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
