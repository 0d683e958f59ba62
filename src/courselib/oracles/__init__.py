"""Expected values, asked of PyTorch itself in the trusted process; never importable in a worker."""
