"""Upgrades of a running cluster, step by step. Which steps there are is in `releases/phases.py`.

`steps.py` enters and leaves phases; `leftovers.py` says what a way back leaves behind.
"""
