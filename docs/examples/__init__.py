"""An example for each public name: the reference shows each below its name, and the tests run them all.

A module has the examples of one class, and a function has the name of the member that it shows. Its arguments are ready
when it begins: `kafka` is a broker with the topic "orders" of two partitions, `cluster` three of them with one
replicated partition, `folder` an empty directory.
"""
