"""Experiments on bots: ablations, tuning, claims of write-ups, and a learner."""
