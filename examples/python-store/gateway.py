"""The steps before and after the operation of every request.

The order is: the key, the limits, the path, the method, the operation. A
caller without a valid key therefore does not learn which paths exist.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from behavior import Behavior
from exchange import ApiError, Request, Response
from limits import Limiter, Quota

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Route:
    """An operation; each group of `pattern` becomes an argument, decoded."""

    method: str
    pattern: str
    operation: Callable[..., Response]


class Gateway:
    """One address of the service: its routes behind the shared key and limits."""

    def __init__(
        self,
        routes: Sequence[Route],
        api_key: str,
        limiter: Limiter,
        behavior: Behavior,
    ) -> None:
        self._routes = routes
        self._api_key = api_key.encode("utf-8")
        self._limiter = limiter
        self._behavior = behavior

    def answer(self, request: Request) -> Response:
        """The answer to a request, even after an unexpected error."""
        quota = self._limiter.untouched()
        try:
            self._authenticate(request.authorization)
            quota = self._limiter.take()
            self._check(quota)
            response = self._dispatch(request)
        except ApiError as error:
            response = self._error_response(error)
        except Exception:  # a bug of ours must still be answered as an Error
            _log.exception("%s %s failed", request.method, request.path)
            failure = ApiError(500, "internal_error", "the service failed")
            response = self._error_response(failure)
        return self._with_limit_headers(response, quota)

    def refuse(self, error: ApiError) -> Response:
        """The answer to something that could not be read as a request."""
        response = self._error_response(error)
        return self._with_limit_headers(response, self._limiter.untouched())

    def _authenticate(self, authorization: str | None) -> None:
        scheme, _, key = (authorization or "").partition(" ")
        # Header values arrive decoded as Latin-1; this restores their bytes.
        given = key.strip().encode("latin-1")
        is_bearer = scheme.lower() == "bearer"
        if not is_bearer or not self._behavior.key_accepted(given, self._api_key):
            raise ApiError(
                401,
                "unauthorized",
                "the API key is missing or invalid",
                {"WWW-Authenticate": "Bearer"},
            )

    def _check(self, quota: Quota) -> None:
        if not quota.granted:
            raise ApiError(
                429,
                "rate_limit_exceeded",
                f"more than {quota.limit} requests; wait, then try again",
                self._behavior.refusal_headers(quota),
            )

    def _dispatch(self, request: Request) -> Response:
        allowed = []
        for route in self._routes:
            match = re.fullmatch(route.pattern, request.path)
            if match and route.method == request.method:
                return route.operation(request, *map(unquote, match.groups()))
            if match:
                allowed.append(route.method)
        if allowed:
            raise ApiError(
                405,
                "method_not_allowed",
                "this path does not allow the method",
                {"Allow": ", ".join(allowed)},
            )
        raise ApiError(404, "not_found", "there is nothing at this path")

    def _error_response(self, error: ApiError) -> Response:
        body = {"code": error.code, "message": error.message, "status": error.status}
        return Response(error.status, self._behavior.error_body(body), error.headers)

    def _with_limit_headers(self, response: Response, quota: Quota) -> Response:
        if not self._behavior.sends_limits_on(response.status):
            return response
        headers = {
            **response.headers,
            "X-RateLimit-Limit": str(quota.limit),
            "X-RateLimit-Remaining": str(quota.remaining),
            "X-RateLimit-Reset": str(self._behavior.reset_value(quota)),
        }
        return replace(response, headers=headers)
