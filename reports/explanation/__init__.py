"""A run in sentences: the protocol-free core; each protocol's renderer is in its own folder."""
