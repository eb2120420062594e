"""What the ports below PyIceberg count."""

SWAP_LOST = "pyiceberg: swap lost"
REQUIREMENT_FAILED = "pyiceberg: requirement failed"
REFUSED_LOCK = "pyiceberg: told to wait for a lock"
