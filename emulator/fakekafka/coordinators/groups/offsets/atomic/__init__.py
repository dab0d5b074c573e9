"""Committed offsets as the first design of offset management had them ("Offset Management", Kafka wiki, 2012), where
Kafka went another way: `FakeKafka(drafts=["atomic-offset-log"])`. Nothing else needs these modules.
"""
