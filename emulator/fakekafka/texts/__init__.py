"""Texts for people.

summary        the report of a failed test
explanation    how a broker differs from a real one: `explain()`
release_table  the table of releases
terminal       names from clients, made fit for a terminal
"""
