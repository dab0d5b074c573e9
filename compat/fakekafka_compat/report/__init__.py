"""What the observations of a run say, for people and for machines: one HTML page, Markdown, JUnit XML.

`story` reads a cell, `matrix_report` puts cells together; `html`, `markdown` and `junit` write the result. Each
outcome is judged again by `verdict`, from the files alone: a report needs no run, and the same files give the same
bytes.
"""
