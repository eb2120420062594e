"""Campaigns: slices of generated scenarios, run in this process or as tasks of Spark, kept as Parquet. And checks on
Spark of histories that no memory holds."""
