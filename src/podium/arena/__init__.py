"""Where bots meet: one game, many games, recordings, statistics."""
