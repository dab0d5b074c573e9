"""Bugs of the museum: timestamps."""
