"""Algorithms that know no game."""
