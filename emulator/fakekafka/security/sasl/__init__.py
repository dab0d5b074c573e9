"""SASL: the mechanisms, and the conversation that precedes every request of a connection.

`authentication.py` is the conversation (SaslServerAuthenticator), each of the other files is a mechanism.
"""
