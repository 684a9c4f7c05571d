"""A slow plain twin of the rules: lists of objects in the referee's order, a priority queue for every path.

It shares nothing with the package but the mazes' rows, and follows the rules' text sentence by sentence.
"""

import heapq
from dataclasses import dataclass, field
from itertools import count

DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0))
WORDS = ("UP", "RIGHT", "DOWN", "LEFT", "WAIT", "PLAN", "LIGHT", "YELL")


class Java:
    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def next(self, bits):
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> (48 - bits)

    def int(self):
        value = self.next(32)
        return value - (1 << 32) if value >= 1 << 31 else value

    def below(self, n):
        while True:
            u = self.next(31)
            if n & (n - 1) == 0:
                return (n * u) >> 31
            r = u % n
            if u - r + (n - 1) < 1 << 31:
                return r


@dataclass(eq=False)
class Explorer:
    id: int
    at: tuple
    sanity: int = 250
    plans: int = 2
    lights: int = 3
    yelled_by: set = field(default_factory=set)
    has_slasher: bool = False
    score: int = 0
    command: str = "WAIT"


@dataclass(eq=False)
class Minion:
    kind: str
    id: int
    at: tuple
    countdown: int
    target: Explorer | None = None
    remembered: tuple | None = None
    state: int = 0
    done: bool = False


@dataclass(eq=False)
class Effect:
    kind: str
    counter: int
    caster: Explorer | None = None
    victim: Explorer | None = None
    at: tuple | None = None


def manhattan(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


class Twin:
    def __init__(self, seed, mazes, imposed=None):
        self.random = Java(seed)
        self.lonely = 3 + self.random.below(4)
        self.group = 1 + self.random.below(3)
        self.spawn_time = 3 + self.random.below(4)
        self.life_time = 30 + self.random.below(11)
        self.rows = mazes[abs(self.random.int()) % 16 if imposed is None else imposed]
        self.explorers = [Explorer(i, at) for i, at in enumerate(self.find("S"))]
        self.living = list(self.explorers)
        self.minions, self.effects, self.lit = [], [], set()
        self.next_id, self.turn, self.over = 4, 0, False

    def find(self, mark):
        return [(x, y) for y, row in enumerate(self.rows) for x, m in enumerate(row) if m == mark]

    def walkable(self, at):
        x, y = at
        return 0 <= y < len(self.rows) and 0 <= x < len(self.rows[0]) and self.rows[y][x] != "#"

    def path(self, start, goal, offset, cost_of):
        """(cost, next cell) of the referee's uniform-cost search, or None."""
        number = count()
        queue = [(0, next(number), start, None)]
        closed = set()
        while queue:
            cost, _, at, first = heapq.heappop(queue)
            if at == goal:
                return cost, first or start
            if at in closed:
                continue
            closed.add(at)
            for i in range(4):
                dx, dy = DIRECTIONS[(i + offset) % 4]
                there = (at[0] + dx, at[1] + dy)
                if self.walkable(there) and there not in closed:
                    heapq.heappush(queue, (cost + cost_of(there), next(number), there, first or there))
        return None

    def ball(self, centre, radius):
        reached, frontier = {centre}, [centre]
        for _ in range(radius):
            frontier = [
                there
                for x, y in frontier
                for there in ((x + dx, y + dy) for dx, dy in DIRECTIONS)
                if self.walkable(there) and there not in reached and not reached.add(there)
            ]
        return reached

    # --- one turn

    def step(self, commands):
        """Play a turn; `commands` has a word for each living explorer's id."""
        for explorer in self.living:
            explorer.command = commands[explorer.id]
        self.lit = set()
        for explorer in self.living:
            if not explorer.has_slasher and explorer.sanity < 200:
                explorer.has_slasher = True
                self.create(Minion("SLASHER", 0, explorer.at, 6, explorer, explorer.at))
        if self.turn % 5 == 0:
            self.spawn_wanderers()
        self.obey()
        self.apply_effects()
        for minion in list(self.minions):
            self.update(minion)
        self.minions = [m for m in self.minions if not m.done]
        self.lose()
        for explorer in list(self.living):
            if explorer.sanity == 0:
                self.remove(explorer, self.turn)
        if self.turn > 0 and self.turn % 50 == 0:
            self.effects = [e for e in self.effects if e.kind != "SHELTER"]
            self.effects += [Effect("SHELTER", 10, at=at) for at in self.find("U")]
        if self.turn == 200:
            for explorer in self.living:
                explorer.score = 200 + explorer.sanity
        self.over = self.turn == 200 or not self.living
        self.turn += 1

    def remove(self, explorer, score):
        self.effects = [e for e in self.effects if not (e.kind in ("PLAN", "LIGHT") and e.caster is explorer)]
        self.living.remove(explorer)
        explorer.sanity = 0
        explorer.score = score

    def create(self, minion):
        minion.id = self.next_id
        self.next_id += 1
        self.random.below(4)
        self.minions.append(minion)

    def spawn_wanderers(self):
        size = len(self.rows) + len(self.rows[0])
        distance = {w: min((manhattan(w, e.at) for e in self.living), default=size) for w in self.find("w")}
        for w, d in distance.items():
            if d == max(distance.values()):
                self.create(Minion("WANDERER", 0, w, self.spawn_time))

    def is_victim(self, explorer):
        return any(e.kind == "YELL" and e.victim is explorer for e in self.effects)

    def obey(self):
        for explorer in self.living:
            if self.is_victim(explorer):
                explorer.command = "WAIT"
        for a in self.living:
            if a.command == "YELL":
                for b in self.living:
                    if b is not a and manhattan(a.at, b.at) <= 1 and a.id not in b.yelled_by:
                        b.yelled_by.add(a.id)
                        self.effects.append(Effect("YELL", 2, a, b))
        for explorer in self.living:
            if self.is_victim(explorer):
                continue
            command = explorer.command
            if command in WORDS[:4]:
                dx, dy = DIRECTIONS[WORDS.index(command)]
                there = (explorer.at[0] + dx, explorer.at[1] + dy)
                if self.walkable(there):
                    explorer.at = there
            if command in ("PLAN", "LIGHT") and not any(e.caster is explorer for e in self.effects):
                if command == "PLAN" and explorer.plans:
                    explorer.plans -= 1
                    self.effects.append(Effect("PLAN", 4, explorer))
                if command == "LIGHT" and explorer.lights:
                    explorer.lights -= 1
                    self.effects.append(Effect("LIGHT", 2, explorer))

    def apply_effects(self):
        def gain(explorer, amount):
            explorer.sanity = min(250, explorer.sanity + amount)

        for effect in self.effects:
            if effect.kind == "PLAN":
                gain(effect.caster, 3)
                ball = self.ball(effect.caster.at, 2)
                for other in self.living:
                    if other is not effect.caster and other.at in ball:
                        gain(other, 3)
                        gain(effect.caster, 3)
                effect.counter -= 1
            elif effect.kind == "LIGHT":
                self.lit |= self.ball(effect.caster.at, 5)
                effect.counter -= 1
            elif effect.kind == "YELL":
                effect.counter -= 1
            else:
                healed = [e for e in self.living if e.at == effect.at]
                for explorer in healed:
                    gain(explorer, 5)
                effect.counter = max(0, effect.counter - len(healed))
        self.effects = [e for e in self.effects if e.counter]

    def lose(self):
        company = {e: any(o is not e and manhattan(o.at, e.at) <= 2 for o in self.living) for e in self.living}
        for explorer in self.living:
            loss = 50 if len(self.living) == 1 else self.group if company[explorer] else self.lonely
            explorer.sanity = max(0, explorer.sanity - loss)

    # --- minions

    def update(self, minion):
        if minion.kind == "WANDERER":
            self.update_wanderer(minion)
        else:
            self.update_slasher(minion)

    def chase(self, minion):
        order = list(range(len(self.living)))
        start = 0
        if minion.target in self.living:
            k = self.living.index(minion.target)
            order[0], order[k] = order[k], order[0]
            start = 1
        for i in range(start, len(order) - 1):
            j = i + self.random.below(len(order) - i)
            order[i], order[j] = order[j], order[i]
        best = None
        for index in order:
            cost, step = self.path(minion.at, self.living[index].at, self.turn, lambda at: 5 if at in self.lit else 1)
            if best is None or cost < best[0]:
                best = (cost, step, self.living[index])
        if best:
            minion.target, minion.at = best[2], best[1]

    def spook(self, minion):
        victims = [e for e in self.living if e.at == minion.at]
        for explorer in victims:
            explorer.sanity = max(0, explorer.sanity - 20)
        return bool(victims)

    def update_wanderer(self, minion):
        if minion.state == 0:
            minion.countdown -= 1
            if minion.countdown == 0:
                minion.state, minion.countdown = 1, self.life_time
            return
        self.chase(minion)
        if self.spook(minion):
            minion.done = True
            return
        minion.countdown -= 1
        minion.done = minion.countdown == 0

    def line_of_sight(self, at):
        """Per direction, the cells seen from the own one outwards."""
        for dx, dy in DIRECTIONS:
            line, there = [], at
            while self.walkable(there):
                line.append(there)
                there = (there[0] + dx, there[1] + dy)
            yield line

    def acquire(self, minion):
        if minion.target and minion.target.sanity == 0:
            minion.target = minion.remembered = None
        lines = list(self.line_of_sight(minion.at))
        if minion.target and any(minion.target.at in line for line in lines):
            minion.remembered = minion.target.at
            return True
        findings = []
        for line in lines:
            for distance, at in enumerate(line):
                here = [e for e in self.living if e.at == at]
                if here:
                    findings.append((distance, here))
                    break
        nearest = min((distance for distance, _ in findings), default=None)
        seen = {e for distance, here in findings if distance == nearest for e in here}
        minion.target = None
        if len(seen) == 1:
            (minion.target,) = seen
            minion.remembered = minion.target.at
            return True
        if seen:
            minion.remembered = None
        return False

    def update_slasher(self, minion):
        if minion.state == 0:
            minion.countdown -= 1
            if minion.countdown == 0:
                minion.state = 3
        elif minion.state == 3:
            if self.acquire(minion):
                minion.at = minion.target.at
            elif minion.remembered:
                minion.at = minion.remembered
            self.spook(minion)
            minion.target = minion.remembered = None
            minion.state, minion.countdown = 4, 6
        elif minion.state == 4:
            minion.countdown -= 1
            if minion.countdown == 0:
                minion.state = 1
        elif minion.state == 1:
            if self.acquire(minion):
                minion.state, minion.countdown = 2, 2
            else:
                self.chase(minion)
        else:
            minion.countdown -= 1
            self.acquire(minion)
            if minion.countdown == 0:
                minion.state = 3

    # --- prompts

    def prompt(self, seat):
        lines = []
        for id in ((seat + i) % 4 for i in range(4)):
            e = self.explorers[id]
            if e in self.living:
                lines.append(f"EXPLORER {id} {e.at[0]} {e.at[1]} {e.sanity} {e.plans} {e.lights}")
        for m in self.minions:
            target = m.target.id if m.target in self.living else -1
            shown = self.life_time if m.kind == "SLASHER" and m.state in (1, 3) else m.countdown
            lines.append(f"{m.kind} {m.id} {m.at[0]} {m.at[1]} {shown} {m.state} {target}")
        for e in self.effects:
            if e.kind == "SHELTER":
                lines.append(f"EFFECT_SHELTER -1 {e.at[0]} {e.at[1]} {e.counter} -1 -1")
            elif e.kind == "YELL":
                if e.victim in self.living:
                    lines.append(f"EFFECT_YELL -1 -1 -1 {e.counter} {e.caster.id} {e.victim.id}")
            else:
                x, y = e.caster.at
                lines.append(f"EFFECT_{e.kind} -1 {x} {y} {e.counter} {e.caster.id} -1")
        return [str(len(lines)), *lines]
