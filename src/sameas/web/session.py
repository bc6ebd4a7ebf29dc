"""Who may come in and who asked: the token, the cookie that stands for it, the word in each form.

Nothing is kept: what is signed here is checked here, and a new token ends every session.
"""

from __future__ import annotations

import hmac
import secrets
import time
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie

from starlette.types import Scope

SESSION, VISITOR, NAME = "sameas_session", "sameas_visitor", "sameas_name"
_LASTS = 12 * 3600
_COOKIE = "; Path=/; HttpOnly; SameSite=Strict"


class Sessions:
    def __init__(self, token: str) -> None:
        self._token = token
        self._key = token.encode() if token else secrets.token_bytes(32)

    @property
    def wanted(self) -> bool:
        return bool(self._token)

    def is_token(self, given: str) -> bool:
        """In constant time, whatever was given."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._token.encode())

    def is_signed_in(self, cookies: dict[str, str]) -> bool:
        until, _, mark = cookies.get(SESSION, "").partition(".")
        if not (until.isascii() and until.isdigit() and len(until) < 12):
            return False
        return self._is(mark, f"session {until}") and int(until) > time.time()

    def signed_in(self) -> str:
        """The cookie of whoever gave the token."""
        until = str(int(time.time()) + _LASTS)
        value = f"{until}.{self._signed(f'session {until}')}"
        return f"{SESSION}={value}; Max-Age={_LASTS}{_COOKIE}"

    def signed_out(self) -> str:
        return f"{SESSION}=; Max-Age=0{_COOKIE}"

    def visitor(self) -> str:
        return secrets.token_urlsafe(16)

    def visitor_cookie(self, visitor: str) -> str:
        return f"{VISITOR}={visitor}{_COOKIE}"

    def form_word(self, visitor: str) -> str:
        """What a form of ours carries: no other site can know it."""
        return self._signed(f"form {visitor}")

    def is_form_word(self, visitor: str, given: str) -> bool:
        return bool(visitor) and self._is(given, f"form {visitor}")

    def _signed(self, text: str) -> str:
        return hmac.new(self._key, text.encode("utf-8", "replace"), sha256).hexdigest()

    def _is(self, given: str, text: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._signed(text).encode())


def cookies_of(scope: Scope) -> dict[str, str]:
    found: SimpleCookie = SimpleCookie()
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                found.load(value.decode("latin-1"))
            except CookieError:
                continue
    return {name: one.value for name, one in found.items()}
