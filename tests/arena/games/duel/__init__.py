from tests.arena.numbers_game import game

GAME = game("duel", 2, alternating=True)
