"""KIP-984: compression plug-ins. The cluster's side; what clients need is `fakekafka.plugins`."""
