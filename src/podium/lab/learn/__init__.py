"""The learner: AlphaZero for games of two players, on the cores of one machine or a cluster.

| module | what it does |
| --- | --- |
| `learner` | the loop of a training run: self-play, training, gate, log; the ladder of fixed opponents |
| `run_folder` | the files of a run: plan, log, networks |
| `selfplay_jobs` | games of a network against itself, as jobs for workers |
| `examples` | positions with their targets: files of them, and batches |
| `training` | the network's gradients and Adam, in NumPy |
| `strength` | matches of networks in the run's store: against the teacher, against fixed opponents |
| `retraining` | a network with random weights learns from all games of finished runs |
| `curves` | losses and scores as a picture |
| `tasks` | tasks on workers, with their progress |
"""
