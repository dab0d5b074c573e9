"""Imitations of Java and Scala: hash codes, orders of maps, queues and regular expressions."""
