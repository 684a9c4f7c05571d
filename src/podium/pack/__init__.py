"""To the contest's judge and back: games saved from a contest's site become stored games."""
