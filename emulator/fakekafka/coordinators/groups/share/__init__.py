"""Share groups (KIP-932): members that read records of the same partitions, and acknowledge each.

group, records       a group in the coordinator's memory and in __consumer_offsets
groups, heartbeat    configs; which members there are, and what they read
assignor             the target assignment of partitions
offsets              where a group starts to read: what administrators ask for

How far each partition was delivered is in `coordinators.share_partitions`.
"""
