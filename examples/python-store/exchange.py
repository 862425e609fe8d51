"""The three values that pass between the HTTP layer and the operations.

They know nothing of sockets, so that every operation is a plain function from
a Request to a Response, and can be called without a server.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Request:
    """A request whose body has been read in full."""

    method: str
    path: str
    query: Mapping[str, str]
    authorization: str | None
    body: bytes


@dataclass(frozen=True)
class Response:
    """An answer; `body` is any value that JSON can represent."""

    status: int
    body: object
    headers: Mapping[str, str] = field(default_factory=dict)


class ApiError(Exception):
    """A refusal, raised wherever it is found and answered in one place."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers: Mapping[str, str] = headers or {}
