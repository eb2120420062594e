"""Gates before live systems, the play of a schedule through them, and the comparison with the simulation."""
