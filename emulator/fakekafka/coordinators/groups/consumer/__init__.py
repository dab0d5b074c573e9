"""Groups of the consumer rebalance protocol (KIP-848), beside the classic ones in `broker.groups`: the same
coordinator, the same partitions of `__consumer_offsets`, one namespace of group ids.

A request is carried out in three steps: what would change is worked out (`heartbeat`, `leaving`, `classic_members`,
`migration`), written down as records, and the records are applied (`replay`), as they are when a log is read.
"""
