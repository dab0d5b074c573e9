"""Upgrades of a running cluster, step by step. `releases/phases.py` says which steps there are.

`steps.py` enters and leaves phases; `leftovers.py` says what a rollback leaves behind.
"""
