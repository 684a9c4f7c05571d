"""Other contests' referees, each in its own program, as games of the arena."""
