"""The deterministic simulator: kernel, choices, faults, simulated services, scenarios, exploration, shrinking."""
