"""The bugs, one module each, in a folder for each part of the broker.

A module has the name of its bug, and holds it as `BUG`; the function `story` plays it.
"""
