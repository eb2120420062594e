"""The losses of Iceberg and PyIceberg as their pages tell them, a part of the protocol a file."""
