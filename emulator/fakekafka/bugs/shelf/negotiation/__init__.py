"""Bugs of the museum: negotiation."""
