"""The partitions that a broker hosts, and the logs and directories that keep them."""
