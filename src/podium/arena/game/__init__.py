"""One game: who is asked, how long an answer may take, what is recorded."""
