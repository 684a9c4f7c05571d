"""A curve with a bounded number of points, however long it grows."""

from typing import Any

MOST_POINTS = 240


class Curve:
    """Points at equal distances; when there are too many, every second one is dropped and the distance doubles."""

    def __init__(self) -> None:
        self.points: list[list[Any]] = []
        self.stride = 1
        self._next = 0.0

    def distance(self, place: float) -> float:
        """How far the next point is from a place; 0 or less if it is due."""
        return self._next - place

    def add(self, point: list[Any]) -> None:
        """Add a point; its first number is its place, which only grows."""
        self.points.append(point)
        if len(self.points) > MOST_POINTS:
            self.points = self.points[1::2]
            self.stride *= 2
        self._next = point[0] + self.stride

    def state(self) -> list[Any]:
        """All of it as plain data."""
        return [self.points, self.stride, self._next]

    def restore(self, state: list[Any]) -> None:
        """Become what a state tells of."""
        self.points, self.stride, self._next = state
