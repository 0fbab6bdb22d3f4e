"""What a password must be, in words of our own."""

from __future__ import annotations

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class LongEnough(MinimumLengthValidator):
    """Django's check of the length; its sentence is not translated into every language that we speak."""

    def get_error_message(self) -> str:
        short = ngettext(
            "A password has at least %(count)d character.",
            "A password has at least %(count)d characters.",
            self.min_length,
        )
        return short % {"count": self.min_length}
