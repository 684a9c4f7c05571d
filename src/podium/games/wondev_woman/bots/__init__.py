"""The bots of Wondev Woman."""
