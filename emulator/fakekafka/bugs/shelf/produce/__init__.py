"""Bugs of the museum: produce."""
