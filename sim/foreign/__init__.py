"""Shipped third-party Python code inside the simulator, unmodified: substitutes for its clock, chance and threads.

Nothing here knows a protocol. A library joins by a manifest of module attributes to substitute, and by file and
catalog objects of its own interfaces that stand on our ports.
"""
