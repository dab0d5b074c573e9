"""A running cluster at a glance, as values: topics, groups and transactions with everything that a person looks for.

The values are for reading; all of them are made on the thread that owns the state.
"""
