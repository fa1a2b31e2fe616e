"""Access tokens that refresh themselves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypedDict
from urllib.parse import quote

import httpx

from .errors import LanyardError
from .retry import retrying

TokenSource = Callable[[str | None], str]
"""Returns an access token. The argument is a token that the server has just rejected: return
another one, or the same again if there is no other.
"""

_MARGIN = 30.0
"""Seconds before its end from which a token is not used."""


class Tokens(TypedDict, total=False):
    """What a store holds. The response of the token endpoint can be stored as it is."""

    access_token: str
    refresh_token: str
    expires_at: float
    """The end of the access token in seconds since 1970. Without it, the token is used until it is
    rejected.
    """


class RefreshingTokens:
    """Access tokens from a store, refreshed before they expire or when they are rejected.

    A refresh token can be used once, so one refresh runs at a time, and its result is stored
    before it is used. If several processes share the store, pass `exclusive`, a context manager
    that only one of them can enter at a time, such as a file lock.
    """

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str | None = None,
        *,
        load: Callable[[], Tokens],
        save: Callable[[Tokens], None],
        exclusive: Callable[[], AbstractContextManager[object]] = nullcontext,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._url = f"{base_url}/auth/v1/oauth/token"
        self._client_id = client_id
        self._load = load
        self._save = save
        self._exclusive = exclusive
        self._auth: httpx.BasicAuth | None = None
        if client_secret is not None:
            self._auth = httpx.BasicAuth(quote(client_id, safe=""), quote(client_secret, safe=""))
        self._transport = transport
        self._lock = threading.Lock()
        self._tokens: Tokens | None = None
        """The newest tokens, which a failed `save` may have left unstored."""
        self._stored: str | None = None
        """The refresh token that the store had last."""

    def __call__(self, rejected: str | None = None) -> str:
        """Returns an access token.

        Raises `LanyardError` with the code `invalid_grant` when the sign-in has ended, and
        `unauthenticated` when there is no refresh token.
        """
        with self._lock:
            tokens = self._tokens if self._tokens is not None else self._read()
            if not _is_usable(tokens, rejected) or not self._is_stored(tokens):
                with self._exclusive():
                    tokens = self._renew(rejected)
            return tokens.get("access_token", "")

    def _read(self) -> Tokens:
        """Reads the store. When another process has refreshed, its tokens are the newest."""
        found = self._load()
        if self._tokens is None or found.get("refresh_token") != self._stored:
            self._tokens = found
        self._stored = found.get("refresh_token")
        return self._tokens

    def _is_stored(self, tokens: Tokens) -> bool:
        return tokens.get("refresh_token") == self._stored

    def _renew(self, rejected: str | None) -> Tokens:
        tokens = self._read()
        if not _is_usable(tokens, rejected):
            tokens = self._tokens = self._refresh(tokens)
        if not self._is_stored(tokens):
            self._save(tokens)
        self._stored = tokens.get("refresh_token")
        return tokens

    def _refresh(self, tokens: Tokens) -> Tokens:
        refresh_token = tokens.get("refresh_token")
        if refresh_token is None:
            message = "The access token has ended, and there is no refresh token."
            raise LanyardError(401, "unauthenticated", message)
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        if self._auth is None:
            form["client_id"] = self._client_id
        # A lost response may have used up the token. Without the response it is lost anyway.
        with httpx.Client(auth=self._auth, transport=self._transport, timeout=30.0) as http:
            response = retrying(lambda: http.post(self._url, data=form), 60.0)
        try:
            body = response.json()
        except ValueError:
            body = {}
        if not response.is_success:
            raise LanyardError(
                response.status_code,
                body.get("error", f"http_{response.status_code}"),
                body.get("error_description", "The token could not be refreshed."),
                request_id=response.headers.get("x-request-id"),
            )
        return {
            "access_token": body["access_token"],
            "refresh_token": body.get("refresh_token", refresh_token),
            "expires_at": time.time() + body["expires_in"],
        }


def _is_usable(tokens: Tokens, rejected: str | None) -> bool:
    access_token = tokens.get("access_token")
    expires_at = tokens.get("expires_at", float("inf"))
    return access_token not in (None, rejected) and time.time() < expires_at - _MARGIN
