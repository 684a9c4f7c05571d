"""The bots of Zuniq."""
