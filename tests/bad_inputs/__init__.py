"""Four hundred generated bad inputs of the command line, and what no answer to one may be.

`python -m tests.bad_inputs` tries them all; a test tries every tenth.
"""
