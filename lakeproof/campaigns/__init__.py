"""Campaigns from the front door: what a file asks for, what became of it, how it is told and replayed."""
