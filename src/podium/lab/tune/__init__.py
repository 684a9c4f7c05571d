"""Ablations and tuning: `podium ablate`, `podium tune`.

| module | what it does |
| --- | --- |
| `tunable` | a bot whose parameters are changed by name, and the texts that name its variants |
| `variant_run` | what both have in common: variants of a bot in one run, planned block by block |
| `ablation` | the Elo that each part of a bot contributes |
| `space` | the parameters to tune and their ranges |
| `proposals` | which settings play next: design, surface, SPSA |
| `regression` | the model of Elo over the settings |
| `tuning` | a tuning run: search, then validation |
| `validation_match` | sequential tests of the tuned bot on fresh seeds |
| `tuning_report` | what a tuning has found |
| `effects` | the effect of each parameter as a picture |
"""
