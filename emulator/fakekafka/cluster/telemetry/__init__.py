"""Client telemetry (KIP-714): which metrics the broker wants from which clients, and what they push."""
