"""Who a client is, and what it may do: pure logic, bytes and values in, decisions out.

`principal`, `listeners`, `jaas`: who is known, and where. `sasl/`: how a client proves who it is. `acl`, `authorizer`:
what it may do. Nothing here knows a broker, reads a clock or keeps a secret in a `repr`.
"""
