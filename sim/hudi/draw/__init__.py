"""What is drawn of Hudi's races, a concern a file; `sim.hudi.generate` puts them together."""
