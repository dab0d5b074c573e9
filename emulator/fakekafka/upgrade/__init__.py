"""Upgrades of a running cluster, step by step. `releases/phases.py` lists the steps.

`steps.py` enters and leaves phases; `leftovers.py` says what a rollback leaves behind.
"""
