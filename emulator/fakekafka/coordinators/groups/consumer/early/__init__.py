"""The early access of consumer groups, in 3.5 to 3.7: its own records, and different steps towards a target."""
