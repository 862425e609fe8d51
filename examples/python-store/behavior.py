"""The ten decisions that a breakage can replace, each in its correct form.

Operations reach these decisions through a Behavior instead of asking which
breakages are on. The right code and the wrong code thus never share a
function, and a store without breakages runs only what is in this module.
"""

from __future__ import annotations

import hmac
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from limits import Quota

Json = Mapping[str, object]


def _status_matches(status: str | None, wanted: str) -> bool:
    return status == wanted


def _same_number(value: int) -> int:
    return value


def _unchanged(value: Json) -> Json:
    return value


def _iso_8601(moment: datetime) -> str:
    text = moment.isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def _keys_equal(given: bytes, expected: bytes) -> bool:
    """Takes the same time for a nearly right key and a completely wrong one."""
    return hmac.compare_digest(given, expected)


def _unix_time(quota: Quota) -> int:
    """Rounded up: a client that waits until then must find the window open."""
    return math.ceil(quota.resets_at)


def _on_every_status(status: int) -> bool:
    return True


def _retry_after(quota: Quota) -> Mapping[str, str]:
    """Whole seconds, rounded up for the same reason, and never zero."""
    return {"Retry-After": str(max(1, math.ceil(quota.resets_at - quota.now)))}


@dataclass(frozen=True)
class Behavior:
    """How the store decides; each field is replaced by at most one breakage."""

    # Listing: does an animal with this status pass the filter?
    status_matches: Callable[[str | None, str], bool] = _status_matches
    # Adding: the request body to check, and the category id to keep.
    received: Callable[[Json], Json] = _unchanged
    kept_category: Callable[[int], int] = _same_number
    # Fetching: the record as one fetch shows it.
    fetched: Callable[[Json], Json] = _unchanged
    # Messages: the text of createdAt, from a time in UTC.
    created_at: Callable[[datetime], str] = _iso_8601
    # Authentication: is the first key the second one?
    key_accepted: Callable[[bytes, bytes], bool] = _keys_equal
    # Errors: the body of an Error.
    error_body: Callable[[Json], Json] = _unchanged
    # Limit headers: the value of X-RateLimit-Reset, and who gets the three.
    reset_value: Callable[[Quota], int] = _unix_time
    sends_limits_on: Callable[[int], bool] = _on_every_status
    # Refusals: the headers that say how long to wait.
    refusal_headers: Callable[[Quota], Mapping[str, str]] = _retry_after
