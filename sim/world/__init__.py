"""One simulated world: scenario, program, services bound to processes, the recorder."""
