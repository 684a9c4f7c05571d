"""Games as environments for learners: PettingZoo (many agents) and Gymnasium (one agent against bots).

    env = podium.zoo.environment("zuniq")            # PettingZoo, agents in turns (AECEnv)
    env = podium.zoo.parallel("code_of_kutulu")      # PettingZoo, all agents at once (ParallelEnv)
    env = podium.zoo.against("zuniq", "champion", nodes=200)      # Gymnasium: you against a named bot
    bot = podium.zoo.BotAgent(env, "seat_1", "champion", nodes=200)   # a bot as an agent: env.step(bot.action())

What an agent observes is its own *view*: the state as that seat knows it from its prompts, and never the referee's. So
nothing shows through the fog, shapes are fixed, and one observation tells all that the seat may know by now; the text
of a prompt does neither (Zuniq's is the last wall alone, a maze is shown once). `observation` holds the fields of the
state by name, `features` the inputs of a network where the game has them. An action is the number that the rules give a
move, with a mask of those that are legal now; it means the same in every position, and goes to the referee as the text
that a bot would have answered.

The reward comes at the end: 1 for the first place, -1 for the last, evenly spaced between; equal ranks share theirs.
"""

from typing import TYPE_CHECKING, Any

from podium.errors import PodiumError
from podium.zoo.bot_agent import BotAgent as BotAgent

if TYPE_CHECKING:
    from podium.games.game import Game
    from podium.zoo.opponents import OpponentEnvironment
    from podium.zoo.simultaneous import ParallelEnvironment
    from podium.zoo.turns import GameEnvironment


def environment(game: "Game | str", render_mode: str | None = None, **settings: object) -> "GameEnvironment":
    """A game between agents who act in turns; settings are those of `podium bots GAME`.

    Games with simultaneous moves ask one agent after the other; none of them sees what the others have chosen.

    >>> env = podium.zoo.environment("zuniq")
    >>> env.reset(seed=1)
    >>> env.agent_selection, int(env.observe("seat_0")["action_mask"].sum())
    ('seat_0', 60)
    """
    try:
        from podium.zoo.turns import GameEnvironment
    except ImportError as error:
        raise _missing("PettingZoo", error) from None
    return GameEnvironment(game, render_mode, **settings)


def parallel(game: "Game | str", render_mode: str | None = None, **settings: object) -> "ParallelEnvironment":
    """A game with simultaneous moves between agents who all act at once; a PodiumError for a game in turns.

    >>> env = podium.zoo.parallel("code4life")
    >>> seen, infos = env.reset(seed=1)
    >>> seen, rewards, ended, cut, infos = env.step({"seat_0": 1, "seat_1": 1})
    >>> rewards
    {'seat_0': 0.0, 'seat_1': 0.0}
    """
    try:
        from podium.zoo.simultaneous import ParallelEnvironment
    except ImportError as error:
        raise _missing("PettingZoo", error) from None
    return ParallelEnvironment(game, render_mode, **settings)


def against(
    game: "Game | str",
    *opponents: str,
    seat: int | None = None,
    time: float = 0.0,
    nodes: int = 0,
    render_mode: str | None = None,
    **settings: Any,
) -> "OpponentEnvironment":
    """A game of one agent against bots, in Gymnasium's words.

    `opponents` are any names of bots, one for all other seats or one for each of them; `time` (ms) or `nodes` is what
    they get for an answer. The agent's seat is drawn anew for every game if none is given.

    >>> env = podium.zoo.against("zuniq", "champion", seat=0, nodes=20)
    >>> seen, info = env.reset(seed=1)
    >>> seen, reward, terminated, truncated, info = env.step(0)
    >>> int(seen["observation"]["plies"]), reward
    (2, 0.0)
    """
    try:
        from podium.zoo.opponents import OpponentEnvironment
    except ImportError as error:
        raise _missing("Gymnasium", error) from None
    return OpponentEnvironment(
        game, opponents, seat=seat, time=time, nodes=nodes, render_mode=render_mode, settings=settings
    )


def _missing(library: str, error: ImportError) -> PodiumError:
    return PodiumError(f"these environments need {library}: pip install 'podium[{library.lower()}]' ({error})")
