"""The topology of a streams group: from what its first member said to topics that are there.

configured         whether it is complete, and what it comes to
partition_counts   how many partitions its internal topics are to have
internal_topics    they are created
"""
