"""Search algorithms for any game: AlphaBeta, MaxN, Mcts, Puct and Beam; self-play, the exact solver and perft."""
