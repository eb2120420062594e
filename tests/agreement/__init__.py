"""Generated scenarios replayed on the real systems, many at once: does the simulation agree? See `__main__`."""
