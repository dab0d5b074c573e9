"""Bugs of the museum: groups."""
