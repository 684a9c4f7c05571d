"""What searches and games agree on: the rules, hooks, parameters, budgets, proofs and results."""
