"""Keys that begin with their vendor's prefix.

Lengths are looser than the vendors' formats: a key with a character too many is still a key.
"""

from __future__ import annotations

import re

from memoryapp.safety.shape_rules import ShapeRule


def _prefixed(kind: str, vendor: str, prefixes: str, body: str) -> ShapeRule:
    """A rule for keys that are one of the prefixes and then a body."""
    anchors = tuple(prefixes.split())
    either = "|".join(re.escape(prefix) for prefix in anchors)
    return ShapeRule(kind, vendor, anchors, re.compile(rf"(?<![A-Za-z0-9])(?:{either})(?:{body})"))


VENDOR_KEYS = (
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
