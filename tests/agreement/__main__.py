"""Replay generated scenarios on the real systems and compare step by step: `python -m tests.agreement [SYSTEM=N ...]`.

Pairs of the matrix that were played before, and of which the simulation says the same, are not played again: they are
in docs/agreement-iceberg.txt. Systems are iceberg-java, iceberg-java-on-rest, iceberg-sql, iceberg-on-metastores,
hudi, metastores and matrix, which is every schedule of each pair of Iceberg's operations on the Java API; N is how
many scenarios, or pairs, of each are replayed. Prints a table of what was replayed, what was not and why, and each
difference with the line that replays it; exits 1 if there is one, 2 if fewer were replayed than were asked for: a
system could not be had, or was given up, or time was up, or it was interrupted.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from lakeproof.live import live_systems
from lakeproof.protocols import PROTOCOLS, with_matrix
from real_backend.errors import BackendUnavailable
from tests.agreement.cells import SYSTEM, cells_of
from tests.agreement.drawing import Chosen, Way, in_turn, ways_of
from tests.agreement.kept import PAGE, Kept, told
from tests.agreement.replaying import Replaying, Tally
from tests.agreement.table import added, printed

SCENARIOS = {
    "iceberg-java": 1_600, "iceberg-java-on-rest": 200, "iceberg-sql": 330, "iceberg-on-metastores": 60, "hudi": 120,
    "metastores": 200, SYSTEM: 20_097,
}  # fmt: skip
EACH_S = 20.0
"""How often progress is told."""
MOST_BROKEN = 5
"""After so many replays in a row that could not be made, a system is given up."""


class Round:
    """The scenarios of one protocol. Args: `left` says how many are still to be replayed on each system; `kept`: pairs
    that need not be played again."""

    def __init__(self, protocol: str, ways: list[Way], left: dict[str, int], kept: Kept | None = None) -> None:
        self.protocol = protocol
        self.kept = kept
        self.ways = ways
        self.left = left
        self.tallies: dict[str, list[Tally]] = {system: [] for system in left}
        self.problems: list[str] = []
        self.interrupted = False
        self._told = time.monotonic()

    def play(self, replaying: Replaying, first: int, ends: float) -> None:
        """Replay until nothing is left, or it is later than `ends`, or the user interrupts."""
        try:
            self._play(replaying, first, ends)
        except KeyboardInterrupt:
            self.interrupted = True
        self.problems += [f"{system}: {count:,} scenarios fewer than asked for" for system, count in self.left.items()]

    def _play(self, replaying: Replaying, first: int, ends: float) -> None:
        for chosen in in_turn(self.ways, self.left, first):
            tally = self._tally(chosen.system, chosen.way.name)
            try:
                self._replay(replaying, chosen, tally)
            except BackendUnavailable as error:
                self._give_up(chosen.system, str(error))
            if replaying.broken[chosen.system] >= MOST_BROKEN:
                self._give_up(chosen.system, f"{MOST_BROKEN} replays in a row could not be made")
            elif chosen.system in self.left:
                self.left[chosen.system] -= 1
                if not self.left[chosen.system]:
                    del self.left[chosen.system]
            self._tell()
            if not self.left or time.monotonic() > ends:
                break

    def _replay(self, replaying: Replaying, chosen: Chosen, tally: Tally) -> None:
        if self.kept is None:
            return replaying.replay(chosen, tally)
        name, said, differing = chosen.scenario.name, told(chosen), len(tally.differing)
        if not self.kept.has(name, said):
            replaying.replay(chosen, tally)
            if len(tally.differing) == differing:
                self.kept.add(name, said)

    def _tally(self, system: str, name: str) -> Tally:
        found = next((each for each in self.tallies[system] if each.name == name), None)
        if found is None:
            found = Tally(name)
            self.tallies[system].append(found)
        return found

    def _give_up(self, system: str, why: str) -> None:
        self.left.pop(system, None)
        self.problems.append(f"{system}: given up: {why}")

    def _tell(self) -> None:
        if self.left and time.monotonic() - self._told < EACH_S:
            return
        self._told = time.monotonic()
        for system, tallies in self.tallies.items():
            done = added(tallies)
            left = f"{self.left[system]:,} left" if system in self.left else "done"
            known = f"{self.kept.count:,} as they were, " if self.kept is not None else ""
            said = f"{done.scenarios:,} scenarios, {done.schedules:,} schedules, {len(done.differing)} DIFFER; {left}"
            click.echo(f"{system}: {known}{said}", err=True)

    @property
    def code(self) -> int:
        """Exit code: 1 if anything differs, 2 if less was replayed than was asked for."""
        differing = any(each.differing for tallies in self.tallies.values() for each in tallies)
        return 1 if differing else 2 if self.problems else 0


def main() -> int:
    """Replay what was asked for, protocol by protocol."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM=N", type=_asked)
    parser.add_argument("--first", type=int, default=0, help="the first seed of each configuration (0)")
    parser.add_argument("--faults", action="store_true", help="only runs that a fault hits; not of the matrix")
    parser.add_argument("--minutes", type=float, default=240, help="how long all of it may take (240)")
    parser.add_argument(
        "--kept", type=Path, default=PAGE, help="pairs that were played and are as they were (%(default)s)"
    )
    parser.add_argument("--out", type=Path, default=Path("runs/agreement"), help="where schedules that differ are kept")
    given = parser.parse_args()
    asked = dict(given.systems) or SCENARIOS
    ends = time.monotonic() + given.minutes * 60
    codes = [0]
    with live_systems() as systems:
        replaying = Replaying(systems, given.out)
        for played in _rounds(asked, given.faults, given.kept):
            played.play(replaying, given.first, ends)
            if played.kept is not None:
                played.kept.sort()
                click.echo(f"\n{played.kept.count:,} pairs were played before, as {given.kept} says")
            click.echo("\n".join([*printed(played.protocol, played.ways, played.tallies), *played.problems]))
            codes.append(played.code)
            if played.interrupted:
                click.echo("agreement: interrupted; the rest was not replayed", err=True)
                break
        replaying.close()
    return 1 if 1 in codes else max(codes)


def _rounds(asked: Mapping[str, int], hit: bool, kept: Path) -> Iterator[Round]:
    for protocol in PROTOCOLS:
        if left := {system: asked[system] for system in protocol.live if asked.get(system)}:
            yield Round(protocol.name, ways_of(protocol.name, hit), left)
    for name in with_matrix() if asked.get(SYSTEM) else ():
        yield Round(f"{name}, {SYSTEM}", cells_of(name), {SYSTEM: asked[SYSTEM]}, Kept(kept))


def _asked(text: str) -> tuple[str, int]:
    system, _, count = text.partition("=")
    if system not in SCENARIOS or not count.isdigit():
        raise argparse.ArgumentTypeError(f"expected SYSTEM=N, a system of {', '.join(SCENARIOS)}, got {text!r}")
    return system, int(count)


if __name__ == "__main__":
    sys.exit(main())
