"""Bugs of the museum: segments."""
