"""The cluster and its brokers: topics, partitions, leaders, replication and reading."""
