"""Simulated services behind the ports: object store, registers, metastore, locks with leases, clock."""
