"""Bugs of the museum: compaction."""
