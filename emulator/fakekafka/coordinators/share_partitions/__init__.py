"""The partitions that share groups read: deliveries, locks, acknowledgements, sessions and stored states."""
