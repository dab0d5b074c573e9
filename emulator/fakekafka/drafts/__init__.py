"""Designs that were written down and never shipped, made to run: `FakeKafka("3.9", drafts=["KIP-984"])`.

A draft is a named mode, never a release: unless it is named, no byte differs.
"""
