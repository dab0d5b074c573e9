"""A running cluster commanded from outside: an HTTP API in JSON, its description, and a page to look at.

The README of this folder says which file holds what.
"""
