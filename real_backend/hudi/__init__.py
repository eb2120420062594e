"""The real Hudi, stepped at its storage, its locks and its clients."""
