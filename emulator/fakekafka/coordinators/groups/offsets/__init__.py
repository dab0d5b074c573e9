"""Committed offsets, for every kind of group that commits.

store, pending     what is committed, packed; what an open transaction would commit
commits, expiry    who may commit, and how commits are stored; what is forgotten, and when
map_order          the order of records about offsets
atomic             offsets as the first design had them: each commit counts whole or not at all
"""
