"""How runs on an Iceberg table are explained."""
