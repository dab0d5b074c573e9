"""Share groups (KIP-932): members that take records of the same partitions, and say of each what became of it.

group, records       a group as its coordinator has it, in __consumer_offsets
groups, heartbeat    configs; who is a member, and what it reads
assignor             who is to have which partitions
offsets              where a group starts to read: what administrators ask for

How far each partition was delivered is in `coordinators.share_partitions`.
"""
