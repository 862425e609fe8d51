"""The plans and the fixed-window limiter that enforces them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

SECONDS_PER_DAY = 86_400.0


@dataclass(frozen=True)
class Plan:
    """How many requests a key may send."""

    per_minute: int
    per_day: int


PLANS = {
    "free": Plan(per_minute=60, per_day=1_000),
    "pro": Plan(per_minute=300, per_day=10_000),
    "business": Plan(per_minute=1_000, per_day=100_000),
}


@dataclass(frozen=True)
class Quota:
    """The limiter's decision on one request at the time `now`."""

    granted: bool
    limit: int
    remaining: int
    resets_at: float
    now: float


class _Window:
    """A count that restarts `length` seconds after its first request.

    Not thread-safe by itself: the limiter holds its lock around every use.
    """

    def __init__(self, limit: int, length: float) -> None:
        self.limit = limit
        self.length = length
        self.remaining = limit
        self.resets_at = 0.0

    def roll(self, now: float) -> None:
        """Open a new window if the last one has ended."""
        if now >= self.resets_at:
            self.remaining = self.limit
            self.resets_at = now + self.length


class Limiter:
    """The minute and the day limit of one key.

    The limits belong to the key, not to an address, so both listeners share
    one limiter.
    """

    def __init__(
        self,
        plan: Plan,
        minute: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._minute = _Window(plan.per_minute, minute)
        self._day = _Window(plan.per_day, SECONDS_PER_DAY)
        self._clock = clock
        self._lock = threading.Lock()

    def take(self) -> Quota:
        """Count one request, unless a limit is used up.

        A refused request counts in neither window: a client that waits for
        the time it was told finds its whole quota again.
        """
        windows = (self._minute, self._day)
        with self._lock:
            now = self._clock()
            for window in windows:
                window.roll(now)
            granted = all(window.remaining > 0 for window in windows)
            if granted:
                for window in windows:
                    window.remaining -= 1
            # The limit in force is the one that is used up first; if both
            # are used up, the one that resets later.
            tightest = min(windows, key=lambda w: (w.remaining, -w.resets_at))
            return Quota(
                granted, tightest.limit, tightest.remaining, tightest.resets_at, now
            )

    def untouched(self) -> Quota:
        """The quota to report to a caller without a valid key.

        It states the plan's limit and nothing of what the key has used, which
        is no business of a caller who has not shown the key.
        """
        now = self._clock()
        minute = self._minute
        return Quota(False, minute.limit, minute.limit, now + minute.length, now)
