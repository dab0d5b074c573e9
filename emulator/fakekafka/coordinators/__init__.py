"""What brokers coordinate for clients: groups, transactions and share partitions."""
