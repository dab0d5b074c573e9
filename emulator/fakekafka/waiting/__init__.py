"""What runs later: timers, and requests parked until something happens."""
