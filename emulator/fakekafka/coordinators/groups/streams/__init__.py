"""Streams groups (KIP-1071): the instances of a Kafka Streams application share out the tasks of its topology.

member, group, records             a group as its coordinator has it, in __consumer_offsets
groups, heartbeat, leaving         configs; what members say, and how they leave
topology, partition_counts         whether a topology is complete: its source topics, and its internal topics
internal_topics                    the internal topics are created
sticky the target assignment of tasks
target, reconciliation             the next assignment, and the steps of a member towards it
endpoints where tasks can be queried
"""
