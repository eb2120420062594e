"""The built-in scenarios of Hudi, a part of the protocol a file; `sim.hudi.scenarios` has them all."""
