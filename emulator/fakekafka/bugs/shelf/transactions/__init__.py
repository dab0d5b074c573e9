"""Bugs of the museum: transactions."""
