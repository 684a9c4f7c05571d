"""Matches, leagues and calibrations: schedules, workers, reports."""
