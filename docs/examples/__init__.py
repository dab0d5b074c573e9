"""An example for each public name: the reference shows them below what they are about, and the tests run them.

A module has the examples of one class, and a function is called like the member that it shows. What it takes is there
when it begins: `kafka` is a broker with the topic "orders" of two partitions, `cluster` three of them with one
replicated partition, `folder` an empty directory.
"""
