"""The built-in scenarios of Iceberg, a part of the protocol a file; `sim.iceberg.scenarios` has them all."""
