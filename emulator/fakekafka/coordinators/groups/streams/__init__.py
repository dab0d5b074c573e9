"""Streams groups (KIP-1071): the instances of a Kafka Streams application share out the tasks of its topology.

member, group, records, replay     a group as its coordinator has it, in __consumer_offsets
topology, partition_counts         is a topology complete: its source topics, and its internal topics
internal_topics                    the internal topics are created
sticky, hash_order                 who is to have which task
target, reconciliation             the next assignment, and the steps of a member towards it
heartbeat, leaving, coordinator    what members say, how they go, how it is written down
endpoints, commits                 where tasks can be asked; who may commit offsets
"""
