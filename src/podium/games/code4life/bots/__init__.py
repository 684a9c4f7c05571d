"""The bots of Code 4 Life."""
