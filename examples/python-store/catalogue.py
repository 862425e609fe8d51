"""The animals of the store, in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

STATUSES = ("available", "pending", "sold")

_SEED_NAMES = ("Rex", "Misu", "Zoë", "Барсик", "たま", "小白", "Ñandú", "بسبوس")
_SEED_CATEGORIES = (1, 2, 3, 5, 8)


@dataclass(frozen=True)
class Animal:
    """One record; `status` is None when none was given, as there is no default."""

    id: int
    name: str
    category_id: int
    status: str | None

    def as_json(self) -> dict[str, object]:
        """The record as a Pet; an optional field without a value is left out."""
        pet: dict[str, object] = {
            "id": self.id,
            "name": self.name,
            "categoryId": self.category_id,
        }
        if self.status is not None:
            pet["status"] = self.status
        return pet


class Catalogue:
    """Every animal by its id. Records never change, so they can be shared."""

    def __init__(self) -> None:
        self._animals: dict[int, Animal] = {}
        self._lock = threading.Lock()

    def add(self, name: str, category_id: int, status: str | None) -> Animal:
        """Keep a new animal under the next free id."""
        with self._lock:
            animal = Animal(len(self._animals) + 1, name, category_id, status)
            self._animals[animal.id] = animal
            return animal

    def get(self, animal_id: int) -> Animal | None:
        """The animal with that id, or None."""
        with self._lock:
            return self._animals.get(animal_id)

    def newest(self, limit: int, keep: Callable[[Animal], bool]) -> list[Animal]:
        """Up to `limit` animals that pass `keep`, newest first.

        There is no way to ask for a following page, so the other order would
        hide each new animal once a first page is full.
        """
        with self._lock:
            return list(islice(filter(keep, reversed(self._animals.values())), limit))


def seed(catalogue: Catalogue, count: int) -> None:
    """Add `count` animals, always the same ones.

    The numbers of names, categories and statuses have no common divisor, so
    that they meet in every combination.
    """
    for number in range(count):
        catalogue.add(
            _SEED_NAMES[number % len(_SEED_NAMES)],
            _SEED_CATEGORIES[number % len(_SEED_CATEGORIES)],
            STATUSES[number % len(STATUSES)],
        )
