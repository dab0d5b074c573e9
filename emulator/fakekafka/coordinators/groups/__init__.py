"""Groups of every kind: classic, consumer, share and streams, and the offsets that they commit."""
