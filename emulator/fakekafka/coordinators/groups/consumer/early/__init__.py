"""The early access of consumer groups, in 3.5 to 3.7: records of its own, and other steps towards a target."""
