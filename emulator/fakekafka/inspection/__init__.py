"""Looking at the files of a log directory without a broker: what `fakekafka dump` shows.

`dump.py` finds the kind of a file by its name. Everything is given as rows, one at a time, so the size of a file does
not matter.
"""
