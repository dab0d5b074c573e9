"""Groups of the consumer rebalance protocol (KIP-848).

member, group, records              a group as its coordinator has it, in __consumer_offsets
groups, membership                  configs and assignors; members that stay or leave
heartbeat, progress, reconciliation what members say, and the steps towards their assignments
patterns                            subscriptions by regular expression
assignors, uniform, uniform_balance the target assignment of partitions
classic_members, embedded           members that speak the classic protocol
migration                           classic groups become consumer groups, and the other way round
"""
