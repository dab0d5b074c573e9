"""Committed offsets: they are the kernel's, since groups of several kinds commit them.

store, pending     what is committed, packed; what an open transaction would commit
commits, expiry    who may commit, and how it is stored; what is forgotten when
map_order          the order in which records about offsets lie
atomic             offsets as the first design had them, each commit whole or not at all
"""
