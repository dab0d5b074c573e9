"""Signs of bugs in the files of partitions."""
