"""Scenarios that come with the product, by name; a user's own scenario is a file of the same shape."""
