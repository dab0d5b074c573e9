"""Faults on purpose: rules that refuse, lose, delay, hold or change requests and answers, as data.

`rule.py` says when a rule acts, `actions.py` what it does, `book.py` which rule is asked first, `plan.py` how rules are
written as text. A rule wraps the handler of its request, so it sees what the handler sees: decoded messages, `Wait`s
and outcomes. Without rules nothing here is called or imported.
"""
