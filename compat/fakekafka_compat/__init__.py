"""The compatibility matrix: real client libraries against every release and message format. See compat/README.md.

A *cell* is client x release x format x codec x scenario. Each is run by a driver script in the client's own
environment, and leaves one file of observations. Its outcome follows from that file alone.
"""
