"""Streams groups (KIP-1071): the instances of a Kafka Streams application share out the tasks of its topology.

group, records        a group and its members, in the coordinator's memory and in __consumer_offsets
groups, heartbeat     configs, members that leave; what members say
topology/             whether a topology is complete: its source topics, and its internal topics, which are created
assignor, assignment  which member is to have which task, and the steps of a member towards it
endpoints             where tasks can be queried
"""
