"""The life of a cluster: planned, booted or serving, stopped, and started again.

runtime    one cluster and its life; the thread that owns its state
assembly   makes running brokers out of a blueprint; single brokers stop, die and start
addresses  which broker listens where
"""
