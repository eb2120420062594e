"""PyIceberg 0.12.0, unmodified, in the simulator: its catalogs, what it is asked, its scenarios and its matrix."""
