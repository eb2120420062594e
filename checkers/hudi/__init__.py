"""Properties that only histories of Hudi tables can break."""
