"""Experiments on bots: `tune` (ablations, tuning), `claims` (the authors' claims), `learn` (AlphaZero)."""
