"""A running cluster at a glance, as values: topics, groups and transactions with everything that a person looks for.

They are for looking and for showing; all of them are made on the thread that owns the state.
"""
