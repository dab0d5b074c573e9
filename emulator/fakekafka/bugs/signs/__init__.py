"""Signs of known bugs in what a broker or a client has left: a journal of requests, a log directory, a log's text."""
