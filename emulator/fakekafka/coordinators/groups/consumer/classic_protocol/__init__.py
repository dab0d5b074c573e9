"""Where the consumer and the classic protocol meet (KIP-848's migration).

members     members of a consumer group that speak the classic protocol
migration   classic groups become consumer groups, and the other way round; what classic members put into requests
"""
