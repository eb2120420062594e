"""Live Hive Metastores: 4.0.1 over a PostgreSQL of our own, each behind a Thrift gate, each cache under a watermark.

Start at `servers.hive_servers` (what runs), `live.HiveLive` (sessions on it) and `iceberg.IcebergOnHive` (Iceberg's
Hive catalog on it); `conformance` holds a live run against the simulated one.
"""
