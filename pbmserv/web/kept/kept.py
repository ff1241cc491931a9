"""Values that were used lately, as many as there is room for."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Kept(Generic[V]):
    """Keeps the values that were used last, as long as they weigh at most so much together; the last one always."""

    def __init__(self, most: int, weigh: Callable[[V], int]) -> None:
        self._most, self._weigh = most, weigh
        self._values: OrderedDict[object, V] = OrderedDict()
        self._lock = Lock()
        self.weight = 0

    def get(self, key: object, make: Callable[[], V]) -> V:
        """Return the value of a key; if it is not here, make it. Two threads may make the same at the same time."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        return self.put(key, make())

    def put(self, key: object, value: V) -> V:
        """Keep this value, in place of another one of the same key, and return it."""
        with self._lock:
            if key in self._values:
                self.weight -= self._weigh(self._values.pop(key))
            self._values[key] = value
            self.weight += self._weigh(value)
            self._make_room()
        return value

    def _make_room(self) -> None:
        while len(self._values) > 1 and self.weight > self._most:
            self.weight -= self._weigh(self._values.popitem(last=False)[1])
