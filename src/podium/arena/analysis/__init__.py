"""Analysis of positions, and reviews and replays of stored games."""
