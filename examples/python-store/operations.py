"""The operations of the two addresses."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from datetime import datetime, timezone

import bodies
from behavior import Behavior
from catalogue import Animal, Catalogue
from exchange import ApiError, Request, Response
from gateway import Route

BASE_PATH = "/v1"
DEFAULT_PAGE = 20
LARGEST_PAGE = 100


class AnimalOperations:
    """Listing, adding and fetching animals, and the listing of store orders."""

    def __init__(self, catalogue: Catalogue, behavior: Behavior) -> None:
        self._catalogue = catalogue
        self._behavior = behavior

    def routes(self) -> list[Route]:
        """The operations below the base address."""
        return [
            Route("GET", f"{BASE_PATH}/pets", self.list_pets),
            Route("POST", f"{BASE_PATH}/pets", self.create_pet),
            Route("GET", f"{BASE_PATH}/pets/([^/]+)", self.get_pet),
            Route("GET", f"{BASE_PATH}/store/orders", self.list_orders),
        ]

    def list_pets(self, request: Request) -> Response:
        """The newest animals, of one status if asked."""
        limit = _page_size(request.query)
        wanted = request.query.get("status")
        if wanted is not None:
            bodies.known_status(wanted, "status")

        def keep(animal: Animal) -> bool:
            return wanted is None or self._behavior.status_matches(
                animal.status, wanted
            )

        page = self._catalogue.newest(limit, keep)
        return Response(200, [animal.as_json() for animal in page])

    def create_pet(self, request: Request) -> Response:
        """Add an animal; fields that NewPet does not have are ignored."""
        body = self._behavior.received(bodies.parse_object(request.body))
        animal = self._catalogue.add(
            name=bodies.required_string(body, "name"),
            category_id=self._behavior.kept_category(
                bodies.required_int64(body, "categoryId")
            ),
            status=bodies.optional_status(body, "status"),
        )
        return Response(201, animal.as_json())

    def get_pet(self, request: Request, pet_id: str) -> Response:
        """One animal. Deprecated: to be removed on 5 December 2030.

        Text that is no integer names no animal either, so it answers the 404
        that this operation has rather than a 400 that it does not.
        """
        is_integer = re.fullmatch(r"-?[0-9]{1,19}", pet_id)
        animal = self._catalogue.get(int(pet_id)) if is_integer else None
        if animal is None:
            raise ApiError(404, "not_found", "there is no animal with this id")
        return Response(200, self._behavior.fetched(animal.as_json()))

    def list_orders(self, request: Request) -> Response:
        """Always empty: no operation places an order."""
        return Response(200, [])


class MessageOperations:
    """Submission of messages, which has its own address."""

    def __init__(self, behavior: Behavior) -> None:
        self._behavior = behavior

    def routes(self) -> list[Route]:
        """The operations at the message address."""
        return [Route("POST", "/messages", self.submit)]

    def submit(self, request: Request) -> Response:
        """Accept a message.

        202, because what is accepted is only queued. Nothing is kept here: no
        operation reads a message back.
        """
        message = bodies.required_string(bodies.parse_object(request.body), "message")
        receipt = {
            "id": f"msg_{secrets.token_hex(12)}",
            "message": message,
            "status": "queued",
            "createdAt": self._behavior.created_at(datetime.now(timezone.utc)),
        }
        return Response(202, receipt)


def _page_size(query: Mapping[str, str]) -> int:
    """The `limit` parameter.

    Out of range is an error rather than the nearest allowed size: a client
    that asks for 500 and gets 100 would take them for all there are.
    """
    text = query.get("limit", str(DEFAULT_PAGE))
    if not re.fullmatch(r"[0-9]{1,3}", text) or not 1 <= int(text) <= LARGEST_PAGE:
        raise bodies.invalid(f"'limit' must be an integer from 1 to {LARGEST_PAGE}")
    return int(text)
