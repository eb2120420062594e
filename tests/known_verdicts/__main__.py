"""Judge generated histories whose verdicts are known: `python -m tests.known_verdicts [--count N] [--seed S]`.

Prints what is judged wrongly, then how many histories of each kind there were; exits 1 if anything is wrong.
"""

import argparse
import random
import sys
from collections import Counter

import click

from tests.known_verdicts.judging import KINDS, wrong


def main() -> int:
    """Judge `--count` histories, the kinds in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    judged: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    for number in range(asked.count):
        kind = KINDS[number % len(KINDS)]
        found = wrong(kind, random.Random(f"{asked.seed} {number}"))
        judged[kind] += 1
        bad[kind] += bool(found)
        for line in found[:3]:
            click.echo(f"history {number} ({kind}): {line}")
    for kind in KINDS:
        click.echo(f"{kind:<12} {judged[kind]:>8,} histories, {bad[kind]:,} judged wrongly")
    return 1 if bad.total() else 0


if __name__ == "__main__":
    sys.exit(main())
