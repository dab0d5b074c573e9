"""Cells on a broker that is not ours: `fakekafka-compat run --against HOST:PORT`.

The tool creates a topic for each cell, reads the log over the network, and watches what clients and broker say to each
other on a link between them.

| file | what is in it |
|---|---|
| `real_broker.py` | the broker, as a stage asks it |
| `asking.py` | one request, one answer |
| `watched_link.py` | the link: it redirects clients to itself |
| `traffic.py` | what went over the link: versions, formats, errors |
"""

from fakekafka_compat.against.real_broker import RealBroker
from fakekafka_compat.against.watched_link import WatchedLink

__all__ = ["RealBroker", "WatchedLink"]
