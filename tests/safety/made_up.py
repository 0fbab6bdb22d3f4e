"""Secret-shaped values, made when a test runs: none of them is ever written out in the repository."""

from __future__ import annotations

import base64
import json
import random
import string

LETTERS = string.ascii_letters
MIXED = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"


class MadeUp:
    """A source of made-up secrets, the same ones for the same seed."""

    def __init__(self, seed: str = "memory") -> None:
        self._random = random.Random(seed)

    def run(self, count: int, alphabet: str = MIXED) -> str:
        return "".join(self._random.choice(alphabet) for _ in range(count))

    def prefixed(self, prefix: str, count: int, alphabet: str = MIXED) -> str:
        """A prefix given with a blank in the middle, so that it is not whole in the source either, and a body."""
        return prefix.replace(" ", "") + self.run(count, alphabet)

    def password(self) -> str:
        return f"{self.run(5, LETTERS)}!{self.run(5)}-9{self.run(1, string.ascii_lowercase)}"

    def token(self, count: int = 32) -> str:
        return self.run(count - 4) + self.run(4, string.digits)

    def digits(self, count: int = 6) -> str:
        return self._random.choice("123456789") + self.run(count - 1, string.digits)

    def pairing_code(self) -> str:
        return f"{self.run(4, UPPER)}-{self.run(4, UPPER)}"

    def jwt(self) -> str:
        def part(value: dict[str, str]) -> str:
            return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

        return ".".join([part({"alg": "HS256", "typ": "JWT"}), part({"sub": self.run(12)}), self.run(43)])

    def pem(self, label: str = "RSA ", *, cut: bool = False) -> str:
        dashes = "-" * 5
        lines = [
            f"{dashes}BEGIN {label}PRIVATE " + f"KEY{dashes}",
            *(self.run(64) for _ in range(4)),
            self.run(24) + "==",
        ]
        return "\n".join(lines if cut else [*lines, f"{dashes}END {label}PRIVATE " + f"KEY{dashes}"])


def leaks(secret: str, text: str, fragment: int = 8) -> bool:
    """Whether any eight characters in a row of the secret are in the text."""
    size = min(fragment, len(secret))
    return any(secret[start : start + size] in text for start in range(len(secret) - size + 1))
