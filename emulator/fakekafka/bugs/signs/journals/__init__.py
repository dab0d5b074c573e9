"""Signs of bugs in requests and answers."""
