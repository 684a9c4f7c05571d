"""The bots of Fall Challenge 2020."""
