"""Search algorithms that know no game."""
