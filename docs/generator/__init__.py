"""The pages of the documentation that follow from the package: `python -m docs.generator FOLDER` writes them.

The folder gets the pages written by hand as well, so that it holds everything that the site is built from. None of it
belongs in the tree.
"""
