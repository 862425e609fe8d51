"""Reading and checking JSON request bodies.

Every function raises a 400 that names the field at fault. None of them
repeats what the client sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NoReturn

from catalogue import STATUSES
from exchange import ApiError

INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1


def invalid(message: str) -> ApiError:
    """The error for a value that the interface does not allow."""
    return ApiError(400, "invalid_value", message)


def parse_object(body: bytes) -> dict[str, object]:
    """The JSON object in a request body."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        # ValueError covers bad UTF-8, bad JSON and numbers of absurd length;
        # RecursionError covers brackets nested thousands deep.
        raise ApiError(400, "invalid_json", "the body is not valid JSON") from None
    if not isinstance(value, dict):
        raise invalid("the body must be a JSON object")
    return value


def required_string(body: Mapping[str, object], name: str) -> str:
    """A string field that must be there."""
    value = _required(body, name)
    if not isinstance(value, str) or not _is_unicode_text(value):
        raise invalid(f"'{name}' must be a string")
    return value


def required_int64(body: Mapping[str, object], name: str) -> int:
    """An int64 field that must be there.

    JSON's true and false are ints to Python, so the type is compared exactly.
    A number written with a fraction or an exponent is a float, even 1.0.
    """
    value = _required(body, name)
    if type(value) is not int:
        raise invalid(f"'{name}' must be an integer")
    if not INT64_MIN <= value <= INT64_MAX:
        raise invalid(f"'{name}' must fit in 64 bits")
    return value


def optional_status(body: Mapping[str, object], name: str) -> str | None:
    """A status that may be left out, but may not be null."""
    if name not in body:
        return None
    value = body[name]
    if not isinstance(value, str):
        raise invalid(f"'{name}' must be a string")
    return known_status(value, name)


def known_status(value: str, name: str) -> str:
    """The status itself, when it is one of the three."""
    if value not in STATUSES:
        raise invalid(f"'{name}' must be one of {', '.join(STATUSES)}")
    return value


def _required(body: Mapping[str, object], name: str) -> object:
    if name not in body:
        raise ApiError(400, "missing_field", f"'{name}' is required")
    return body[name]


def _is_unicode_text(value: str) -> bool:
    """False for half a surrogate pair, which JSON can spell but UTF-8 cannot."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _refuse_constant(text: str) -> NoReturn:
    """Python reads NaN and Infinity; JSON has neither."""
    raise ValueError(text)
