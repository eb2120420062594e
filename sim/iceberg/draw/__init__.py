"""What is drawn of Iceberg's races, a concern a file; `sim.iceberg.generate` puts them together."""
