"""A slow plain twin of Zuniq's rules, straight from their definitions: sets of walls and a flood fill over cells."""

from podium.games.zuniq.board import NAMES


def cells_beside(name):
    """The cells on both sides of a wall; a cell outside the board is None."""
    row, column = "ABCDEF".index(name[0]), int(name[1]) - 1
    pair = [(row - 1, column), (row, column)] if name[2] == "h" else [(row, column - 1), (row, column)]
    return [cell if 0 <= cell[0] < 5 and 0 <= cell[1] < 5 else None for cell in pair]


def sides(cell):
    """The four walls of a cell, each with the cell behind it."""
    row, column = cell
    return [
        (f"{'ABCDEF'[row]}{column + 1}h", (row - 1, column)),
        (f"{'ABCDEF'[row + 1]}{column + 1}h", (row + 1, column)),
        (f"{'ABCDEF'[row]}{column + 1}v", (row, column - 1)),
        (f"{'ABCDEF'[row]}{column + 2}v", (row, column + 1)),
    ]


def area(cell, drawn):
    """The cells that can be reached from one, or none if the outside can."""
    seen, front = {cell}, [cell]
    while front:
        for wall, (row, column) in sides(front.pop()):
            if wall in drawn:
                continue
            if not (0 <= row < 5 and 0 <= column < 5):
                return set()
            if (row, column) not in seen:
                seen.add((row, column))
                front.append((row, column))
    return seen


def fill(cell, drawn):
    """The number of cells of the area, or 0 if it reaches the outside."""
    return len(area(cell, drawn))


class PlainZuniq:
    """One game."""

    def __init__(self):
        self.drawn = set()
        self.sizes = set()

    def closes(self, wall):
        """The size of the zone that a wall would close, 0 if none."""
        return len(self.zone(wall))

    def zone(self, wall):
        """The cells of the zone that a wall would close."""
        return max((area(cell, self.drawn | {wall}) for cell in cells_beside(wall) if cell), key=len)

    def buried(self, wall):
        """The free walls inside that zone."""
        zone = self.zone(wall)
        inner = {each for cell in zone for each, other in sides(cell) if other in zone}
        return inner - self.drawn - {wall}

    def is_legal(self, wall):
        inside = next(cell for cell in cells_beside(wall) if cell)
        if wall in self.drawn or fill(inside, self.drawn):
            return False
        size = self.closes(wall)
        return size == 0 or size not in self.sizes

    def legal(self):
        return sorted(wall for wall in NAMES if self.is_legal(wall))

    def play(self, wall):
        size = self.closes(wall)
        if size:
            self.sizes.add(size)
        self.drawn.add(wall)

    def copy(self):
        other = PlainZuniq()
        other.drawn, other.sizes = set(self.drawn), set(self.sizes)
        return other

    def perft(self, depth):
        legal = self.legal()
        if depth == 1:
            return len(legal)
        total = 0
        for wall in legal:
            after = self.copy()
            after.play(wall)
            total += after.perft(depth - 1)
        return total

    def wins(self):
        """Whether the side to move wins with best play."""
        for wall in self.legal():
            after = self.copy()
            after.play(wall)
            if not after.wins():
                return True
        return False
