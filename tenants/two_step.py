"""Sign-in in two steps: a code of an authenticator after the password, and codes on paper for when it is lost."""

from __future__ import annotations

import base64
import hmac
import os
import re
import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tenants.accounts import audit_account
from tenants.exceptions import InvalidTenantInput, TooManyAttempts
from tenants.models import RecoveryCode, TwoStep
from tenants.secrets import decrypt, encrypt, keyed_digest

if TYPE_CHECKING:
    from django.contrib.auth.models import User

STEP_SECONDS = 30
# A clock may be half a minute off, and a code typed slowly.
STEPS_APART = (-1, 0, 1)
SECRET_BYTES = 20
RECOVERY_CODES = 10
# No vowels and nothing that looks like something else: codes are read from paper.
ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
RECOVERY_PATTERN = re.compile(rf"[{ALPHABET}]{{10}}")
FREE_FAILURES = 5
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=1)


def has_two_step(user: User) -> bool:
    """Whether somebody signs in in two steps."""
    return TwoStep.objects.filter(user=user).exclude(confirmed_at=None).exists()


def begin_two_step(*, user: User) -> str:
    """Keep a fresh secret for somebody, which counts once it is confirmed, and return it as base 32.

    The secret of a setup that was left open stays, so that looking at its page again does not spoil it.
    """
    started, _created = TwoStep.objects.get_or_create(user=user, defaults={"sealed_secret": _new_secret()})
    if started.confirmed_at is not None:
        raise InvalidTenantInput("code", _("The second step is switched on already."))
    return decrypt(started.sealed_secret.encode())


def setup_address(user: User, secret: str, issuer: str) -> str:
    """The `otpauth://` address that an authenticator reads from a QR code."""
    return _clock(secret).get_provisioning_uri(user.get_username(), issuer)


def confirm_two_step(*, user: User, code: str) -> list[str]:
    """Switch the second step on with a first right code, and return the recovery codes, which are shown this once."""
    if not pass_second_step(user=user, code=code, confirming=True):
        raise InvalidTenantInput("code", _("This code is wrong. Is your device’s clock right?"))
    with transaction.atomic():
        TwoStep.objects.filter(user=user).update(confirmed_at=timezone.now())
        codes = _new_recovery_codes(user)
        audit_account(user, "two_step.enabled")
    return codes


def renew_recovery_codes(*, user: User, code: str) -> list[str]:
    """New recovery codes in place of the old ones, for whoever has a right code; shown this once."""
    if not pass_second_step(user=user, code=code):
        raise InvalidTenantInput("code", _("This code is wrong."))
    with transaction.atomic():
        codes = _new_recovery_codes(user)
        audit_account(user, "two_step.codes_renewed")
    return codes


def disable_two_step(*, user: User, password: str, code: str) -> None:
    """Switch the second step off, for whoever knows the password and has a right code."""
    # The code first: its attempts are counted, and so nobody tries passwords here.
    if not pass_second_step(user=user, code=code):
        raise InvalidTenantInput("code", _("This code is wrong, or has been used already."))
    if not user.check_password(password):
        raise InvalidTenantInput("password", _("This is not your password. Try again with the next code."))
    remove_two_step(user=user)


def remove_two_step(*, user: User, by: str = "") -> bool:
    """Take the second step away without a code: for the operator's command. False when there was none."""
    with transaction.atomic():
        _count, removed = TwoStep.objects.filter(user=user).delete()
        if removed:
            audit_account(user, "two_step.disabled", **({"by": by} if by else {}))
    return bool(removed)


def pass_second_step(*, user: User, code: str, confirming: bool = False) -> bool:
    """Whether a code of the authenticator or on paper is right; it counts once.

    Raises TooManyAttempts while somebody has to wait after several wrong ones.
    """
    now = timezone.now()
    given = re.sub(r"[\s-]", "", code).lower()
    with transaction.atomic():
        kept = TwoStep.objects.select_for_update().filter(user=user).first()
        if kept is None or (kept.confirmed_at is None) != confirming:
            return False
        if kept.locked_until and kept.locked_until > now:
            raise TooManyAttempts(kept.locked_until - now)
        right = _is_right(kept, given, now)
        _note_attempt(kept, right, now)
    return right


def recovery_codes_left(user: User) -> int:
    """How many codes on paper somebody has not used yet."""
    return RecoveryCode.objects.filter(two_step__user=user).count()


def _is_right(kept: TwoStep, given: str, now: datetime) -> bool:
    if RECOVERY_PATTERN.fullmatch(given) and kept.confirmed_at is not None:
        used, _models = kept.recovery_codes.filter(digest=_digest(kept.user_id, given)).delete()
        if used:
            audit_account(kept.user, "two_step.recovery_code_used")
        return bool(used)
    secret = decrypt(kept.sealed_secret.encode())
    if not secret or not re.fullmatch(r"[0-9]{6}", given):
        return False
    present = int(now.timestamp()) // STEP_SECONDS
    for step in (present + apart for apart in STEPS_APART):
        fits = hmac.compare_digest(_clock(secret).generate(step * STEP_SECONDS), given.encode())
        if fits and step > kept.last_step:
            kept.last_step = step
            return True
    return False


def _note_attempt(kept: TwoStep, right: bool, now: datetime) -> None:
    """After a few wrong codes each further one costs twice the wait of the one before."""
    kept.failures = 0 if right else min(kept.failures + 1, 1000)
    over = kept.failures - FREE_FAILURES
    kept.locked_until = now + min(FIRST_WAIT * 2 ** min(over, 10), LONGEST_WAIT) if over >= 0 else None
    kept.save(update_fields=["failures", "locked_until", "last_step"])


def _clock(secret: str) -> TOTP:
    # SHA-1, six digits and half a minute are what every authenticator can do (RFC 6238).
    return TOTP(base64.b32decode(secret), 6, SHA1(), STEP_SECONDS)  # noqa: S303


def _new_secret() -> str:
    return encrypt(base64.b32encode(os.urandom(SECRET_BYTES)).decode()).decode()


def _new_recovery_codes(user: User) -> list[str]:
    plain = ["".join(secrets.choice(ALPHABET) for _number in range(10)) for _number in range(RECOVERY_CODES)]
    RecoveryCode.objects.filter(two_step__user=user).delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(two_step_id=user.pk, digest=_digest(user.pk, code)) for code in plain
    )
    return [f"{code[:5]}-{code[5:]}" for code in plain]


def _digest(user_id: int, code: str) -> str:
    return keyed_digest(code, purpose=f"recovery:{user_id}")
