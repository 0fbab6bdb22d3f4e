"""The language of the pages: what a person chose, in every browser, else the browser's, else the workspace's."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import activate, get_supported_language_variant
from django.views.decorators.http import require_POST

from tenants.profiles import update_profile

ONE_YEAR = 365 * 24 * 3600
AS_THE_BROWSER = ""


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep the language chosen, for the person when somebody is signed in, and go back to where they were."""
    language = request.POST.get("language", AS_THE_BROWSER)
    if language != AS_THE_BROWSER and language not in dict(settings.LANGUAGES):
        raise Http404
    if request.user.is_authenticated:
        update_profile(user=request.user, language=language)
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    response = redirect(back if safe else "home")
    _remember(response, language)
    return response


def speak(request: HttpRequest, chosen: str, otherwise: str) -> None:
    """Write this page in the language chosen, else the browser's; where that asks for none of ours, in another."""
    language = chosen or ("" if _asks_for_ours(request) else otherwise)
    if language in dict(settings.LANGUAGES) and language != request.LANGUAGE_CODE:
        activate(language)
        request.LANGUAGE_CODE = language


def _asks_for_ours(request: HttpRequest) -> bool:
    """Whether the browser says, by what it remembers or by its header, which of our languages it wants."""
    asked = [part.partition(";")[0].strip() for part in request.headers.get("Accept-Language", "").split(",")]
    return any(_is_ours(name) for name in (request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""), *asked))


def _is_ours(name: str) -> bool:
    try:
        return bool(get_supported_language_variant(name))
    except LookupError:
        return False


def carry(request: HttpRequest, response: HttpResponseBase, language: str) -> None:
    """Let this browser know the person's language, for the pages that know nobody yet."""
    if language != request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, AS_THE_BROWSER) and language:
        _remember(response, language)


def _remember(response: HttpResponseBase, language: str) -> None:
    name, path = settings.LANGUAGE_COOKIE_NAME, settings.LANGUAGE_COOKIE_PATH
    if language == AS_THE_BROWSER:
        response.delete_cookie(name, path=path)
        return
    response.set_cookie(
        name,
        language,
        max_age=ONE_YEAR,
        path=path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
