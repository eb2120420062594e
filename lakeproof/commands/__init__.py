"""The verbs of the command line, one file each. A verb returns its exit code."""
