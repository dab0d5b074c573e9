"""The identity of a client, and its rights: pure logic, bytes and values in, decisions out.

`principal`, `listeners`, `jaas`: users and listeners. `sasl/`: how a client proves who it is. `acl`, `authorizer`:
what it may do. Nothing here knows a broker, reads a clock or keeps a secret in a `repr`.
"""
