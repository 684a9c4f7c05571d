"""The slow plain twin of the rules: lists and dictionaries, written straight from the rules' text."""

import csv
from pathlib import Path

import podium.games.fall_challenge_2020 as package

DATA = Path(package.__file__).parent / "data"


def rows(name):
    with (DATA / name).open() as file:
        return [{k: int(v) for k, v in row.items()} for row in csv.DictReader(file)]


def deltas(row):
    return [row[f"delta{i}"] for i in range(4)]


TOME = {row["id"]: (deltas(row), row["repeatable"]) for row in rows("tome.csv")}
ORDERS = {row["id"]: (deltas(row), row["price"]) for row in rows("orders.csv")}
STARTING = [(row["id_player0"], row["id_player1"], deltas(row)) for row in rows("starting_spells.csv")]


def int32(number):
    return (number + 2**31) % 2**32 - 2**31


class JavaRandom:
    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) % 2**48

    def next31(self):
        self.state = (self.state * 0x5DEECE66D + 0xB) % 2**48
        return self.state >> 17

    def below(self, n):
        if n & (n - 1) == 0:
            return n * self.next31() >> 31
        while True:
            b = self.next31()
            v = b % n
            if b - v + (n - 1) < 2**31:
                return v

    def shuffle(self, items):
        for i in range(len(items), 1, -1):
            j = self.below(i)
            items[i - 1], items[j] = items[j], items[i - 1]


class Player:
    def __init__(self, seat):
        self.inventory = [3, 0, 0, 0]
        self.score = 0
        self.brews = 0
        self.active = True
        self.spells = [
            {"id": row[seat], "deltas": row[2], "repeatable": 0, "castable": True, "tome": None} for row in STARTING
        ]


class PlainGame:
    """One game; commands are tuples such as ("CAST", 78, 2), ("LEARN", 3), ("BREW", 50), ("REST",), ("WAIT",)."""

    def __init__(self, seed):
        random = JavaRandom(seed)
        deck, orders = sorted(TOME), sorted(ORDERS)
        random.shuffle(deck)
        random.shuffle(orders)
        self.tome = [{"id": card, "stock": 0} for card in deck[:6]]
        self.counter = orders[:5]
        self.tome_deck, self.order_deck = deck[6:], orders[5:]
        self.players = [Player(0), Player(1)]
        self.left, self.value = [4, 4], [3, 1]
        self.next_id = 86
        self.turn = 0

    def payable(self, place):
        return self.value[place] if place < 2 and self.left[place] > 0 else 0

    def learn_place(self, card):
        return next((i for i, spell in enumerate(self.tome) if spell["id"] == card), None)

    def succeeds(self, player, command):
        kind = command[0]
        if kind == "CAST":
            spell = next((s for s in player.spells if s["id"] == command[1]), None)
            times = command[2] if len(command) > 2 else 1
            if spell is None or times == 0 or (times > 1 and not spell["repeatable"]) or not spell["castable"]:
                return False
            after = [int32(i + int32(d * times)) for i, d in zip(player.inventory, spell["deltas"], strict=True)]
            total = int32(int32(sum(player.inventory)) + int32(sum(spell["deltas"]) * times))
            return min(after) >= 0 and total <= 10
        if kind == "LEARN":
            place = self.learn_place(command[1])
            return place is not None and player.inventory[0] >= place
        if kind == "BREW":
            if command[1] not in self.counter:
                return False
            return all(int32(i + d) >= 0 for i, d in zip(player.inventory, ORDERS[command[1]][0], strict=True))
        return True

    def do(self, player, command, gain, learnt, brewed):
        kind = command[0]
        if kind == "REST":
            for spell in player.spells:
                spell["castable"] = True
        if not self.succeeds(player, command):
            return
        if kind == "CAST":
            spell = next(s for s in player.spells if s["id"] == command[1])
            times = command[2] if len(command) > 2 else 1
            player.inventory = [int32(i + d * times) for i, d in zip(player.inventory, spell["deltas"], strict=True)]
            spell["castable"] = False
        elif kind == "LEARN":
            place = self.learn_place(command[1])
            player.inventory[0] = int32(player.inventory[0] - place)
            for i in range(place):
                gain[i] += 1
            effect, repeatable = TOME[command[1]]
            player.spells.append(
                {"id": self.next_id, "deltas": effect, "repeatable": repeatable, "castable": True, "tome": command[1]}
            )
            self.next_id += 1
            collected = min(int32(10 - int32(sum(player.inventory))), self.tome[place]["stock"])
            player.inventory[0] = int32(player.inventory[0] + collected)
            learnt.append(command[1])
        elif kind == "BREW":
            place = self.counter.index(command[1])
            effect, price = ORDERS[command[1]]
            player.inventory = [int32(i + d) for i, d in zip(player.inventory, effect, strict=True)]
            player.score = int32(player.score + price + self.payable(place))
            player.brews += 1
            brewed.append(command[1])

    def play(self, commands):
        """Both players' commands; None disqualifies."""
        self.turn += 1
        gain, learnt, brewed = [0] * 6, [], []
        for player, command in zip(self.players, commands, strict=True):
            if command is None:
                player.active, player.score = False, -1
        for player, command in zip(self.players, commands, strict=True):
            if command is not None:
                self.do(player, command, gain, learnt, brewed)
        self.tome = [spell for spell in self.tome if spell["id"] not in learnt]
        for _ in set(learnt):
            if self.tome_deck:
                self.tome.append({"id": self.tome_deck.pop(0), "stock": 0})
        for order in brewed:
            place = self.counter.index(order)
            if place < 2 and self.left[place] > 0:
                self.left[place] -= 1
        self.counter = [order for order in self.counter if order not in brewed]
        for _ in set(brewed):
            self.counter.append(self.order_deck.pop(0))
        if self.left[0] == 0:
            self.left, self.value = [self.left[1], 0], [1, 0]
        for spell, more in zip(self.tome, gain, strict=False):
            spell["stock"] += more

    def over(self):
        return (
            sum(player.active for player in self.players) <= 1
            or any(player.brews >= 6 for player in self.players)
            or self.turn >= 100
        )

    def final(self):
        return [
            int32(p.score + int32(p.inventory[1] + p.inventory[2] + p.inventory[3])) if p.active else -1
            for p in self.players
        ]

    def prompt(self, seat):
        lines = []
        for place, order in enumerate(self.counter):
            effect, price = ORDERS[order]
            extra = self.payable(place)
            numbers = [*effect, price + extra, extra, self.left[place] if place < 2 else 0, 0, 0]
            lines.append(f"{order} BREW " + " ".join(map(str, numbers)))
        for place, spell in enumerate(self.tome):
            effect, repeatable = TOME[spell["id"]]
            numbers = [*effect, 0, place, spell["stock"], 0, repeatable]
            lines.append(f"{spell['id']} LEARN " + " ".join(map(str, numbers)))
        for player, word in ((self.players[seat], "CAST"), (self.players[1 - seat], "OPPONENT_CAST")):
            for spell in player.spells:
                numbers = [*spell["deltas"], 0, -1, -1, int(spell["castable"]), spell["repeatable"]]
                lines.append(f"{spell['id']} {word} " + " ".join(map(str, numbers)))
        ends = [" ".join(map(str, [*self.players[s].inventory, self.players[s].score])) for s in (seat, 1 - seat)]
        return [str(len(lines)), *lines, *ends]
