from tests.arena.numbers_game import game

GAME = game("table", 4, alternating=False)
