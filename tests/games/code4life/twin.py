"""The slow plain twin of Code 4 Life: lists and dictionaries, rules as the specification words them, text in and out.

It shares nothing with the product but the data files.
"""

import csv
import re
from pathlib import Path

import podium.games.code4life

DATA = Path(podium.games.code4life.__file__).parent / "data"
DISTANCES = {
    frozenset(("SAMPLES", "DIAGNOSIS")): 3,
    frozenset(("SAMPLES", "MOLECULES")): 3,
    frozenset(("SAMPLES", "LABORATORY")): 3,
    frozenset(("DIAGNOSIS", "MOLECULES")): 3,
    frozenset(("DIAGNOSIS", "LABORATORY")): 4,
    frozenset(("MOLECULES", "LABORATORY")): 3,
}


def table(name):
    return list(csv.DictReader((DATA / name).read_text().splitlines()))


class JavaRandom:
    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) % 2**48

    def next_int(self, n):
        while True:
            self.state = (self.state * 0x5DEECE66D + 0xB) % 2**48
            u = self.state >> 17
            if n & -n == n:
                return (n * u) >> 31
            if u - u % n + n - 1 < 2**31:
                return u % n

    def shuffle(self, items):
        for i in range(len(items), 1, -1):
            j = self.next_int(i)
            items[i - 1], items[j] = items[j], items[i - 1]


class ThrownOutError(Exception):
    pass


class Robot:
    def __init__(self):
        self.location = "START_POS"
        self.eta = 0
        self.score = 0
        self.storage = dict.fromkeys("ABCDE", 0)
        self.expertise = dict.fromkeys("ABCDE", 0)
        self.tray = []
        self.out = False

    def line(self):
        numbers = [self.eta, self.score, *self.storage.values(), *self.expertise.values()]
        return f"{self.location} {' '.join(map(str, numbers))}"

    def carried(self, number):
        return next((s for s in self.tray if s["id"] == number), None)


class Twin:
    def __init__(self, seed):
        random = JavaRandom(seed)
        rows = table("samples.csv")
        self.pools = {rank: [row for row in rows if row["rank"] == rank] for rank in "123"}
        projects = [{letter: int(row[letter]) for letter in "ABCDE"} for row in table("projects.csv")]
        for pool in self.pools.values():
            random.shuffle(pool)
        random.shuffle(projects)
        self.all_projects = projects[:3]
        self.projects = projects[:3]
        self.available = dict.fromkeys("ABCDE", 5)
        self.robots = [Robot(), Robot()]
        self.cloud = []
        self.ids = 0
        self.round = 0

    def init_lines(self):
        return ["3", *(" ".join(str(n) for n in project.values()) for project in self.all_projects)]

    def lines(self, seat):
        mine, other = self.robots[seat], self.robots[1 - seat]
        samples = [(s, 0) for s in mine.tray] + [(s, 1) for s in other.tray] + [(s, -1) for s in self.cloud]
        return [
            mine.line(),
            other.line(),
            " ".join(str(max(0, n)) for n in self.available.values()),
            str(len(samples)),
            *(self.sample_line(s, carrier) for s, carrier in samples),
        ]

    @staticmethod
    def sample_line(s, carrier):
        head = f"{s['id']} {carrier} {s['rank']}"
        if not s["diagnosed"]:
            return head + " 0 -1 -1 -1 -1 -1 -1"
        return f"{head} {s['gain']} {s['health']} {' '.join(s['cost' + letter] for letter in 'ABCDE')}"

    def over(self):
        return self.round == 200 or any(robot.out for robot in self.robots)

    def play(self, answers):
        self.transfers, self.downloads = [], {}
        for seat in (0, 1):
            try:
                self.read(seat, answers[seat])
            except ThrownOutError:
                self.robots[seat].out = True
                self.robots[seat].score = -1
        for robot in self.robots:
            robot.eta = max(0, robot.eta - 1)
        for transfer in self.transfers:
            transfer()
        for sample, seat in self.downloads.values():
            self.robots[seat].tray.append(sample)
            self.cloud.remove(sample)
        self.check_projects()
        self.round += 1

    def check_projects(self):
        done = []
        for robot in self.robots:
            for project in self.projects:
                if all(robot.expertise[letter] >= project[letter] for letter in "ABCDE"):
                    robot.score += 50
                    done.append(project)
        self.projects = [project for project in self.projects if project not in done]

    def read(self, seat, answer):
        robot = self.robots[seat]
        if answer is None:
            raise ThrownOutError
        if robot.eta > 0:
            return
        flags = re.ASCII | re.IGNORECASE
        if m := re.fullmatch(r"GOTO\s+(LABORATORY|DIAGNOSIS|MOLECULES|SAMPLES)\s*(\s+.+)?", answer, flags):
            target = m[1].upper()
            if target != robot.location:
                robot.eta = DISTANCES.get(frozenset((target, robot.location)), 2)
                robot.location = target
        elif m := re.fullmatch(r"CONNECT(\s+([ABCDE]|-?\d+))?\s*(\s+.+)?", answer, flags):
            if robot.location == "START_POS" or m[2] is None:
                raise ThrownOutError
            getattr(self, "connect_" + robot.location.lower())(seat, robot, m[2].upper())
        elif not re.fullmatch(r"WAIT\s*(\s+.+)?", answer, flags):
            raise ThrownOutError

    @staticmethod
    def number(data):
        if data in "ABCDE" or not -(2**31) <= int(data) < 2**31:
            raise ThrownOutError
        return int(data)

    def connect_samples(self, seat, robot, data):
        rank = self.number(data)
        if len(robot.tray) >= 3 or rank not in (1, 2, 3):
            raise ThrownOutError
        pool = self.pools[str(rank)]
        row = pool.pop(0)
        pool.append(row)
        sample = {**row, "id": self.ids, "diagnosed": False, "diagnoser": None}
        self.ids += 1
        self.transfers.append(lambda: robot.tray.append(sample))

    def connect_molecules(self, seat, robot, data):
        if data not in "ABCDE" or self.available[data] < 1 or sum(robot.storage.values()) >= 10:
            raise ThrownOutError

        def transfer():
            self.available[data] -= 1
            robot.storage[data] += 1

        self.transfers.append(transfer)

    def connect_diagnosis(self, seat, robot, data):
        number = self.number(data)
        sample = robot.carried(number)
        if sample and not sample["diagnosed"]:
            sample["diagnosed"] = True
            sample["diagnoser"] = seat
        elif sample:

            def transfer():
                robot.tray.remove(sample)
                self.cloud.append(sample)

            self.transfers.append(transfer)
        else:
            sample = next((s for s in self.cloud if s["id"] == number), None)
            if sample is None or len(robot.tray) >= 3:
                raise ThrownOutError
            if number not in self.downloads or sample["diagnoser"] == seat:
                self.downloads[number] = (sample, seat)

    def connect_laboratory(self, seat, robot, data):
        sample = robot.carried(self.number(data))
        if sample is None:
            raise ThrownOutError
        cost = {letter: int(sample["cost" + letter]) for letter in "ABCDE"}
        if any(robot.storage[letter] + robot.expertise[letter] < cost[letter] for letter in "ABCDE"):
            raise ThrownOutError

        def transfer():
            robot.tray.remove(sample)
            for letter in "ABCDE":
                paid = max(0, cost[letter] - robot.expertise[letter])
                robot.storage[letter] -= paid
                self.available[letter] += paid
            robot.score += int(sample["health"])
            robot.expertise[sample["gain"]] += 1

        self.transfers.append(transfer)
