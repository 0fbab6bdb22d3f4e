"""The offline backend: deterministic rules that answer every task without a model or a network."""
