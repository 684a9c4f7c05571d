"""Experiments on bots: ablations, tuning, and a learner."""
