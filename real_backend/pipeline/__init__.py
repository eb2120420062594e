"""Campaigns: slices of generated scenarios, run in this process or as tasks of Spark, kept as Parquet."""
