"""What RFC-56 claims of the speed of its checker: a time, which only a machine can answer, and not a schedule.

So the answer is what was measured, once, with Hudi's own classes; `tests/live/hudi/test_marker_speed.py` measures it
anew and fails where Hudi is slower than the document says.
"""

from sim.search.claims import Claim, Evidence

IN_TIME = (
    "using local FS and two concurrency writers based on 1500+ inflight markers located in MARKER0~MARKER19. It takes "
    "179ms to finish checking conflict"
)
MEASURED = Evidence(
    True,
    "no schedule: measured with Hudi's own checker on one machine of two cores, 1,500 markers of each writer in 20 "
    "files of a local disk, none in common; nine passes, the first with cold classes",
)
OF_SPEED: tuple[Claim, ...] = (
    Claim(
        IN_TIME,
        "RFC-56, AsyncTimelineMarkerEarlyConflictDetectionStrategy",
        "",
        "as shipped (1.2.0), in 179 ms at most",
        evidence=lambda: MEASURED,
        live="tests/live/hudi/test_marker_speed.py::test_a_pass_is_over_in_the_documents_time",
        note="A time is a machine's: the first pass took 70 ms, the median 18 ms; our checker, whose storage is "
        "simulated, 1 ms in the same run, an eighteenth.",
    ),
)
