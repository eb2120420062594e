"""The protocols under test. Ordinary blocking Python that reaches the world only through `model.ports`."""
