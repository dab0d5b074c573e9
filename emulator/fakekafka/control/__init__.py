"""A running cluster commanded from outside: an HTTP API in JSON, its description, and a web page.

The README of this folder says which file holds what.
"""
