"""Reading what is left of a real Iceberg table: through PyIceberg's file systems, catalogs and Avro reader."""
