"""The files of a log directory, read without a broker: what `fakekafka check` and `fakekafka dump` show.

`dump.py` finds the kind of a file by its name. Everything is returned as rows, one at a time, so the size of a file
does not matter.
"""
