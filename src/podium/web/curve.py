"""A curve that never has too many points, however long it grows."""

from typing import Any

MOST_POINTS = 240


class Curve:
    """Points at equal distances; when they are too many every second one goes, and the distance doubles."""

    def __init__(self) -> None:
        self.points: list[list[Any]] = []
        self.stride = 1
        self._next = 0.0

    def wants(self, place: float) -> bool:
        """Whether a point at a place is far enough from the last one."""
        return place >= self._next

    def add(self, point: list[Any]) -> None:
        """Add a point; its first number is its place, which only grows."""
        self.points.append(point)
        if len(self.points) > MOST_POINTS:
            self.points = self.points[1::2]
            self.stride *= 2
        self._next = point[0] + self.stride

    def data(self) -> list[list[Any]]:
        """As plain data."""
        return self.points
