"""How runs on a Hudi table are explained."""
