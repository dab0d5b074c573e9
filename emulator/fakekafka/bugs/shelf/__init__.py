"""The bugs, one module each, in a folder for each part of a broker.

A module is called as its bug, and holds it as `BUG`; `story` beside it plays it.
"""
