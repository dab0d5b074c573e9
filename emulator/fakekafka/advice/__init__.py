"""Advice before an upgrade: a verdict for each step, with reasons that can be looked up.

`client_list` reads who the clients are, `config_changes` says what changes silently, `steps` puts a step's advice
together, `text` and `page` show it.
"""
