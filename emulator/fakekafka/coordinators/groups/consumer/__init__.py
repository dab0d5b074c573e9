"""Groups of the consumer rebalance protocol (KIP-848).

group, records         a group and its members, in the coordinator's memory and in __consumer_offsets
groups, membership     configs and assignors; members that stay or leave
heartbeat, progress    what members say, and the steps towards their assignments
patterns               subscriptions by regular expression
assignors/             which member is to have which partitions
early/                 the early access of 3.5 to 3.7
classic_protocol/      members and groups that speak, or spoke, the classic protocol
"""
