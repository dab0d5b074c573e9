"""What administrative requests do, and what they refuse: one module per subject.

A broken rule raises `ApiError` with the code and the broker's message; handlers put it into their answers, and
`direct`, which serves tests without a client, turns it into a `UsageError`.
"""
