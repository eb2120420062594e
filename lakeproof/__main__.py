"""`python -m lakeproof`: the same as the command `lakeproof`."""

from lakeproof.cli import main

if __name__ == "__main__":
    main()
