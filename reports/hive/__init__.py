"""How runs on Hive metastores are explained."""
