"""The client."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

import httpx

from .operations import Operations
from .tokens import TokenSource
from .transport import Transport


class Lanyard(Operations):
    """The REST API, with one method per operation.

    `token` is an access token, or a function that returns one, such as `RefreshingTokens`.
    `timeout` limits each wait for the network, and `patience` is the time after the first attempt
    in which a retry may start, both in seconds. `transport` replaces the network of httpx.
    Several threads can share a client, and a `with` statement closes it.
    """

    def __init__(
        self,
        base_url: str,
        token: str | TokenSource,
        *,
        timeout: float = 30.0,
        patience: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = httpx.Client(base_url=base_url, timeout=timeout, transport=transport)
        source = token if callable(token) else _constant(token)
        self._transport = Transport(self._http, source, patience)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> httpx.Response:
        """Sends any request with the token and the retries of the client, and returns the response
        whatever its status. Use it to read headers, such as `ETag`.
        """
        return self._transport.request(method, path, query=query, body=body, headers=headers)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Lanyard:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _constant(token: str) -> TokenSource:
    return lambda rejected: token
