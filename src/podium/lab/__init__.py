"""Experiments on bots: a learner."""
