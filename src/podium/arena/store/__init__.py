"""The store: one SQLite file of runs, bots and games."""
