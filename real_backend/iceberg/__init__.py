"""The real Iceberg: Spark SQL behind a REST gate, the Java API behind gated table operations."""
