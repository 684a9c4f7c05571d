"""Zuniq (CodeCup 2021): draw the last wall; no two closed zones of the same size."""

from podium.games.game import Game
from podium.games.zuniq.analysis import analyze
from podium.games.zuniq.bots import champion, random, uct
from podium.games.zuniq.referee import LIMITS, ZuniqReferee, prompts
from podium.games.zuniq.rules import State
from podium.games.zuniq.scene import picture, scene

GAME = Game(
    name="zuniq",
    title="Zuniq",
    source="CodeCup 2021",
    seats=2,
    limits=LIMITS,
    state=State,
    referee=ZuniqReferee,
    settings={},
    bots={kind.name: kind for kind in (champion.KIND, uct.KIND, random.KIND)},
    prompts=prompts,
    scene=scene,
    picture=picture,
    analyze=analyze,
)
