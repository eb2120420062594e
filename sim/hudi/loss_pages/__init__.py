"""The losses of Hudi as their pages tell them, a part of the protocol a file."""
