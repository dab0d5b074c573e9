"""SASL: the mechanisms, and the conversation that precedes every request of a connection.

`authentication.py` is the conversation (SaslServerAuthenticator), the other files are a mechanism each.
"""
