from tests.lab.learn.nim import GAME  # noqa: F401 - found by name
