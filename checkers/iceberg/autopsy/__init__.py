"""What went wrong with an Iceberg table, by its files alone: files as data in, findings out. Reads nothing itself."""
