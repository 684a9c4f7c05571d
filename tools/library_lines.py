"""Lines that a user writes with Podium and with other libraries for the same task; every program here is run.

    pip install chess open_spiel pgx
    pip install --editable examples/connect_four
    python -m tools.library_lines

Counted are lines of code, without blank lines, comments and docstrings. A game of one's own is tic-tac-toe: that of
docs/add_a_game.md, and those that come with OpenSpiel (in Python) and pgx. python-chess knows no other games; a search
there needs the program of an engine, which is not run here.
"""

import ast
import re
from importlib.util import find_spec
from pathlib import Path

from tools.common import print_table

PAGE = Path(__file__).parents[1] / "docs" / "add_a_game.md"
EVALUATION = "own evaluation in alpha-beta"
SEARCH = "search of a position"
CUSTOM = "game of one's own, searched with MCTS"

PROGRAMS = {
    ("Podium", EVALUATION): """
import podium
game = podium.load("connect_four")
def stones_in_the_middle(state, seat):
    own = (int(state.own) >> 21 & 63).bit_count()
    other = ((int(state.taken) >> 21 & 63).bit_count()) - own
    return own - other if game.mover(state) == seat else other - own
result = podium.AlphaBeta(game, evaluate=stones_in_the_middle).search(game.initial_state(), depth=3)
""",
    ("OpenSpiel", EVALUATION): """
import pyspiel
from open_spiel.python.algorithms import minimax
game = pyspiel.load_game("connect_four")
def stones_in_the_middle(state):
    middle = [line[3] for line in str(state).split()]
    own = middle.count("x") - middle.count("o")
    return own if state.current_player() == 0 else -own
value, action = minimax.alpha_beta_search(game, game.new_initial_state(), stones_in_the_middle, 3)
""",
    ("python-chess", EVALUATION): """
import chess
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
def material(board):
    worth = [VALUES[p.piece_type] * (1 if p.color == board.turn else -1) for p in board.piece_map().values()]
    return sum(worth)
def search(board, depth, alpha=-1000, beta=1000):
    if depth == 0 or board.is_game_over():
        return (-999 if board.is_checkmate() else material(board)), None
    best = None
    for move in list(board.legal_moves):
        board.push(move)
        value = -search(board, depth - 1, -beta, -alpha)[0]
        board.pop()
        if value > alpha:
            alpha, best = value, move
        if alpha >= beta:
            break
    return alpha, best
value, move = search(chess.Board(), 2)
""",
    ("Podium", SEARCH): """
import podium
game = podium.load("connect_four")
game.search(game.position(["4", "4", "5"], opening=0), time=100)
""",
    ("OpenSpiel", SEARCH): """
import pyspiel
game = pyspiel.load_game("connect_four")
state = game.new_initial_state()
for action in (3, 3, 4):
    state.apply_action(action)
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 10_000, 1000, True, 1, False)
print(bot.mcts_search(state).children_str(state))
""",
}


def code_lines(source: str) -> int:
    """Lines that hold code: no blank lines, comments or docstrings."""
    tree = ast.parse(source)
    texts: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            texts.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") and number not in texts for number, line in lines
    )


def custom_games() -> dict[str, int]:
    """Lines of tic-tac-toe and a search of it."""
    page = re.search(r"```python\n(# tictactoe\.py.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert page is not None
    found = {"Podium": code_lines(page[1]) + 3}  # import podium, load, search
    if spec := find_spec("open_spiel.python.games.tic_tac_toe"):
        found["OpenSpiel"] = code_lines(Path(str(spec.origin)).read_text(encoding="utf-8")) + 4  # as for SEARCH
    if spec := find_spec("pgx"):
        folder = Path(str(spec.origin)).parent
        files = [folder / "tic_tac_toe.py", folder / "_src" / "games" / "tic_tac_toe.py"]
        found["pgx"] = sum(code_lines(file.read_text(encoding="utf-8")) for file in files)  # MCTS is in mctx
    return found


def main() -> None:
    """Run every program, and print a table of their lines."""
    counts: dict[str, dict[str, int]] = {CUSTOM: custom_games(), EVALUATION: {}, SEARCH: {}}
    modules = {"Podium": "podium", "OpenSpiel": "pyspiel", "python-chess": "chess"}
    for (library, task), program in PROGRAMS.items():
        if find_spec(modules[library]):
            exec(compile(program, f"{library}: {task}", "exec"), {})
            counts[task][library] = code_lines(program)
    names = [*modules, "pgx"]
    print_table(
        ("lines of code", *names), [(task, *(known.get(n, "") for n in names)) for task, known in counts.items()]
    )


if __name__ == "__main__":
    main()
