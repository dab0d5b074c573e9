"""Signs of known bugs in what a broker or a client has left behind: a journal of requests, a log directory, the text of
a log.
"""
