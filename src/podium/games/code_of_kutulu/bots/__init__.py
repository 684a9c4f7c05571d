"""The bots of Code of Kutulu."""
