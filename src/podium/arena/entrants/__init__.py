"""Who takes part: what a text that names a bot stands for, and the fingerprint that tells one version from another."""
