"""The life of a cluster: planned, booted or serving, stopped, and started again.

runtime         one cluster and its life; the thread that owns its state
assembly        makes brokers that run out of a blueprint
addresses       which broker listens where
broker_changes  single brokers of a running cluster stop, die and start
"""
