"""An animal store service: start it with `python3 store.py`, see `--help`."""

from __future__ import annotations

import argparse
import math
import os
import queue
import secrets
import signal
import sys
import threading
from collections.abc import Sequence

from breakages import BREAKAGES, broken_behavior, unknown_names
from catalogue import Catalogue, seed
from gateway import Gateway
from http_server import Listener
from limits import PLANS, Limiter
from operations import BASE_PATH, AnimalOperations, MessageOperations

_STOP_POLL = 0.1  # seconds between a listener's looks at whether to stop


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the service until it is told to stop; the result is the exit code."""
    options = _parse(arguments)
    if "list" in options.breakages:
        width = max(len(breakage.name) for breakage in BREAKAGES)
        for breakage in BREAKAGES:
            print(f"{breakage.name:{width}}  {breakage.summary}")
        return 0
    unknown = unknown_names(options.breakages)
    if unknown:
        names = ", ".join(unknown)
        hint = "--break list prints the names"
        print(f"store.py: no such breakage: {names} ({hint})", file=sys.stderr)
        return 2
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    stop = _stop_signals()
    api_key = options.api_key or os.environ.get("STORE_API_KEY") or _new_key()
    try:
        animals, messages = _listeners(options, api_key)
    except OSError as error:
        print(f"store.py: cannot listen: {error}", file=sys.stderr)
        return 1
    for listener in (animals, messages):
        threading.Thread(
            target=listener.serve_forever, args=(_STOP_POLL,), daemon=True
        ).start()
    print(f"base address: {animals.origin}{BASE_PATH}")
    print(f"message address: {messages.origin}")
    print(f"api key: {api_key}", flush=True)
    stop.get()
    for listener in (animals, messages):
        listener.shutdown()
        listener.server_close()
    return 0


def _listeners(options: argparse.Namespace, api_key: str) -> tuple[Listener, Listener]:
    """Both addresses, listening, with one key, one limiter and one behavior."""
    behavior = broken_behavior(options.breakages)
    limiter = Limiter(PLANS[options.plan], options.window)
    catalogue = Catalogue()
    seed(catalogue, options.animals)
    animals = AnimalOperations(catalogue, behavior).routes()
    messages = MessageOperations(behavior).routes()
    return (
        Listener(
            options.port,
            Gateway(animals, api_key, limiter, behavior),
            options.verbose,
        ),
        Listener(
            options.message_port,
            Gateway(messages, api_key, limiter, behavior),
            options.verbose,
        ),
    )


def _stop_signals() -> queue.SimpleQueue[int]:
    """A queue that receives SIGTERM and SIGINT.

    A SimpleQueue, because its put may be called from a signal handler; setting
    an Event there can deadlock with the wait that it interrupts.
    """
    signals: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, frame: signals.put(received))
    return signals


def _new_key() -> str:
    return f"sk_{secrets.token_urlsafe(24)}"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="An animal store service.")
    add = parser.add_argument
    add("--port", type=_port, default=8080, help="animal API port; 0 picks one")
    add("--message-port", type=_port, default=8081, help="message port; 0 picks one")
    add("--api-key", help="default: STORE_API_KEY, else a new key")
    add("--plan", choices=list(PLANS), default="free")
    add(
        "--window",
        type=_seconds,
        default=60.0,
        metavar="SECONDS",
        help="length of the minute limit's window (default 60)",
    )
    add("--animals", type=_count, default=120, help="seeded animals (default 120)")
    add(
        "--break",
        dest="breakages",
        action="append",
        default=[],
        metavar="NAME",
        help="do one thing wrong; repeatable; 'list' prints the names",
    )
    add("--verbose", action="store_true", help="log requests to stderr")
    return parser.parse_args(arguments)


def _port(text: str) -> int:
    number = _count(text)
    if number > 65_535:
        raise argparse.ArgumentTypeError("must be from 0 to 65535")
    return number


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError("must be a whole number, 0 or more")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError("must be a number of seconds above 0")
    return value


if __name__ == "__main__":
    sys.exit(main())
