"""Fall Challenge 2020 (CodinGame): two witches brew potions; six brews end the game."""

from podium.games.fall_challenge_2020.analysis import analyze
from podium.games.fall_challenge_2020.benchmarks import benchmarks
from podium.games.fall_challenge_2020.bots import champion, greedy, random, wait
from podium.games.fall_challenge_2020.protocol import prompts
from podium.games.fall_challenge_2020.referee import LIMITS, FallReferee
from podium.games.fall_challenge_2020.scene import choices, picture, scene, sketch
from podium.games.fall_challenge_2020.setup import SETTINGS
from podium.games.fall_challenge_2020.state import CODES, MOST_MOVES, MOST_TURNS, SEATS, State
from podium.games.game import Game

GAME = Game(
    name="fall_challenge_2020",
    title="Fall Challenge 2020",
    source="CodinGame, November 2020",
    seats=SEATS,
    limits=LIMITS,
    state=State,
    most_moves=MOST_MOVES,
    codes=CODES,
    most_plies=SEATS * MOST_TURNS,
    simultaneous=True,
    hidden=True,
    referee=FallReferee,
    settings=SETTINGS,
    bots={kind.name: kind for kind in (*champion.KINDS, *greedy.KINDS, *random.KINDS, *wait.KINDS)},
    prompts=prompts,
    scene=scene,
    picture=picture,
    choices=choices,
    sketch=sketch,
    benchmarks=benchmarks,
    analyze=analyze,
)
