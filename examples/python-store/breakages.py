"""Ten mistakes that real implementations make, one behavior each.

They exist to try a client, or a test suite, against a service that is wrong
in a known way. Any number can be on at once: no two replace the same decision.
"""

from __future__ import annotations

import hmac
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime

from behavior import Behavior, Json
from limits import Quota


def _sold_with_pending(status: str | None, wanted: str) -> bool:
    """Treats a reserved animal as sold."""
    return status == wanted or (wanted == "sold" and status == "pending")


def _zero_when_missing(body: Json) -> Json:
    """Decodes into a record with zero values, so a missing field goes unnoticed."""
    return {"categoryId": 0, **body}


def _through_float(value: int) -> int:
    """Passes through a layer whose numbers are all doubles."""
    return int(float(value))


def _id_as_string(pet: Json) -> Json:
    """Serialises as protobuf's JSON mapping does, where int64 is a string."""
    return {**pet, "id": str(pet["id"])}


def _http_date(moment: datetime) -> str:
    """Reuses the formatter of the Date header."""
    return format_datetime(moment, usegmt=True)


def _first_half_equal(given: bytes, expected: bytes) -> bool:
    """Looks the key up by its visible prefix and never compares the rest."""
    half = (len(expected) + 1) // 2
    return hmac.compare_digest(given[:half], expected[:half])


def _status_as_string(body: Json) -> Json:
    """Builds every field of an error from text."""
    return {**body, "status": str(body["status"])}


def _seconds_left(quota: Quota) -> int:
    """Confuses the header with the RateLimit-Reset of other services."""
    return math.ceil(quota.resets_at - quota.now)


def _except_not_found(status: int) -> bool:
    """Adds the headers in a layer that an unmatched request never reaches."""
    return status != 404


def _no_headers(quota: Quota) -> Mapping[str, str]:
    """Answers 429 from a limiter that only says yes or no."""
    return {}


@dataclass(frozen=True)
class Breakage:
    """A name, one line that says what it changes, and how to apply it."""

    name: str
    summary: str
    put_into: Callable[[Behavior], Behavior]


BREAKAGES = (
    Breakage(
        "sold-filter-leaks",
        "GET /pets?status=sold returns pending animals too",
        lambda right: replace(right, status_matches=_sold_with_pending),
    ),
    Breakage(
        "missing-category-zero",
        "POST /pets without categoryId returns 201 with category 0",
        lambda right: replace(right, received=_zero_when_missing),
    ),
    Breakage(
        "category-through-float",
        "POST /pets rounds a categoryId beyond 2^53 to a double",
        lambda right: replace(right, kept_category=_through_float),
    ),
    Breakage(
        "fetch-id-as-string",
        "GET /pets/{petId} returns the id as a JSON string",
        lambda right: replace(right, fetched=_id_as_string),
    ),
    Breakage(
        "message-http-date",
        "createdAt of a message is an HTTP date instead of ISO 8601",
        lambda right: replace(right, created_at=_http_date),
    ),
    Breakage(
        "key-prefix",
        "any key that starts with the first half of the right one is accepted",
        lambda right: replace(right, key_accepted=_first_half_equal),
    ),
    Breakage(
        "error-status-string",
        "status in an Error body is a JSON string",
        lambda right: replace(right, error_body=_status_as_string),
    ),
    Breakage(
        "reset-as-delta",
        "X-RateLimit-Reset holds the seconds left instead of a Unix timestamp",
        lambda right: replace(right, reset_value=_seconds_left),
    ),
    Breakage(
        "no-limits-on-404",
        "a 404 carries none of the three X-RateLimit headers",
        lambda right: replace(right, sends_limits_on=_except_not_found),
    ),
    Breakage(
        "no-retry-after",
        "a 429 carries no Retry-After header",
        lambda right: replace(right, refusal_headers=_no_headers),
    ),
)


def unknown_names(names: Iterable[str]) -> list[str]:
    """The names that are not breakages."""
    known = {breakage.name for breakage in BREAKAGES}
    return [name for name in names if name not in known]


def broken_behavior(names: Iterable[str]) -> Behavior:
    """The correct behavior with the named mistakes applied."""
    wanted = set(names)
    behavior = Behavior()
    for breakage in BREAKAGES:
        if breakage.name in wanted:
            behavior = breakage.put_into(behavior)
    return behavior
