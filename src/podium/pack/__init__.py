"""To the contest's judge and back: a bot as one file, and games saved from a contest's site as stored games."""
