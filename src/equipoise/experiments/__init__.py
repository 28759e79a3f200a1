"""Worked examples, simulations and the paper's experiments."""
