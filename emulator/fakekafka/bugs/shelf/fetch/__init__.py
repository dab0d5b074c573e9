"""Bugs of the museum: fetch."""
