"""What the ports below PyIceberg count."""

SWAP_LOST = "pyiceberg: swap lost"
REQUIREMENT_FAILED = "pyiceberg: requirement failed"
