"""Sends requests by httpx, with a token, and repeats them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx

from .errors import error_of
from .retry import retrying
from .tokens import TokenSource


class Transport:
    """Every request of the API can be repeated: a create has an `Idempotency-Key`, and the other
    methods are idempotent.
    """

    def __init__(self, http: httpx.Client, token: TokenSource, patience: float) -> None:
        self._http = http
        self._token = token
        self._patience = patience

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> httpx.Response:
        """Sends a request, and returns the response whatever its status."""
        sent = {name: value for name, value in (headers or {}).items() if value is not None}
        # Encoded once: the server compares the bytes of a repeated create.
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            sent["Content-Type"] = "application/json"
        if method == "POST":
            sent.setdefault("Idempotency-Key", str(uuid.uuid4()))
        params = {name: str(value) for name, value in (query or {}).items() if value is not None}

        def send(token: str) -> httpx.Response:
            authorized = {**sent, "Authorization": f"Bearer {token}"}
            return self._http.request(
                method, path, params=params, content=content, headers=authorized
            )

        def send_authorized() -> httpx.Response:
            token = self._token(None)
            response = send(token)
            if response.status_code != 401:
                return response
            other = self._token(token)
            return response if other == token else send(other)

        return retrying(send_authorized, self._patience)

    def read(self, method: str, path: str, ids: Mapping[str, str], **options: Any) -> Any:
        """Sends a request, and returns the JSON of the response; None without a body.

        Raises `LanyardError` for every response that is not a success.
        """
        escaped = {name: quote(value, safe="") for name, value in ids.items()}
        response = self.request(method, path.format_map(escaped), **options)
        if not response.is_success:
            raise error_of(response)
        return response.json() if response.content else None

    def call(self, method: str, path: str, ids: Mapping[str, str], **options: Any) -> Any:
        """Sends a request, and returns the `data` of the response; None without a body."""
        answer = self.read(method, path, ids, **options)
        return None if answer is None else answer["data"]
