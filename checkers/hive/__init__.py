"""Properties that only histories of Hive metastores and their caches can break."""
