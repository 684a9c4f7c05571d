"""Statistics: intervals, sequential tests, ratings."""
