"""The sections of `FakeKafka`: what a test can do with a running cluster, a class for each subject.

clients       where clients connect, and with which settings
brokers       single brokers: stop, kill and start them, make them lag or lead
topics        create, configure, compact and delete topics
records       send and read records, committed offsets
groups        groups and transactions: their state, and how to make them hurry
observation   what has happened: requests, refusals, conversions, failures
waiting       waits for records, commits, groups, transactions, requests
section       their common base: the way to the thread that owns the state

A method is a docstring and a call; the work is done in the room that owns the subject.
"""
