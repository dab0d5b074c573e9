"""Committed offsets as the first design of offset management had them ("Offset Management", Kafka wiki, 2012), where
Kafka decided otherwise: `FakeKafka(offsets_log="atomic")`. Nothing else needs these modules.
"""
