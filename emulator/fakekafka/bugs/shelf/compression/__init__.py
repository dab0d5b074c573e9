"""Bugs of the museum: compression."""
