"""The topology of a streams group: from what its first member said to existing topics.

configured         whether it is complete, and what tasks and topics follow from it
partition_counts   how many partitions its internal topics are to have
internal_topics    how these are created
"""
