"""Hudi scenarios: RFC-56's two Bloom strategies, which Hudi never shipped.

They pick out by a Bloom file whose markers are to be read, and otherwise are the simple and the asynchronous strategy.
The document does not say in which order the two files are written, nor what a Bloom file says that cannot be read.
"""

from model.hudi import SHIPPED, coverage
from model.hudi.keys import BLOOM_ENTRIES, BLOOM_RATE, CONFLICTS, PREFER_WRITER
from model.hudi.variants import AS_DOCUMENT, BLOOM_FIRST, BLOOM_FIRST_OR_MARKERS
from sim.hudi.build import (
    BLOOM,
    BLOOM_ASYNC,
    EVERYTHING,
    HIT,
    IN_TIME_ON_SERVERS,
    LARGE,
    ONE_GROUP,
    SERVER_WRITES,
    TWO_GROUPS,
    Writers,
    race,
)
from sim.hudi.built_in.early import SIMILAR
from sim.hudi.built_in.server_markers import APART, ON_THE_WAY, PROMPT, SLOW
from sim.hudi.statements import Upsert

DIRECT = (*BLOOM, (CONFLICTS, PREFER_WRITER))
ASYNC = (*BLOOM_ASYNC, (CONFLICTS, PREFER_WRITER))
CROWDED = ((BLOOM_ENTRIES, "1"), (BLOOM_RATE, "0.7"))
"""A filter of one bit: where one name is a member, every other one seems to be."""
WRITING = ("overwrite", "close", "sleep")
"""The writing of marker and Bloom files, and the times of passes."""
NOTICED = ("made-markers-noticed",)
OVERLAPPING: Writers = {"w1": [Upsert(((1, "A"), (2, "B")))], "w2": [Upsert(((1, "C"),))]}
BLOOM_DETECTION = (
    race(
        "bloom-direct-safe",
        "Bloom files of direct markers: what they delay is found at the commit, and every property is kept.",
        ONE_GROUP,
        rules=AS_DOCUMENT,
        options=DIRECT,
        properties=EVERYTHING,
        counters=(
            coverage.EARLY_CONFLICT_BY_MARKER,
            coverage.CONFLICT_FOUND,
            coverage.BLOOM_EXCLUDES,
            coverage.BLOOM_MISSING,
        ),
        yield_points=SERVER_WRITES,
    ),
    race(
        "bloom-direct-any-fault",
        "The same with any fault at any step that changes something, the Bloom files among it.",
        ONE_GROUP,
        rules=AS_DOCUMENT,
        options=DIRECT,
        faults=IN_TIME_ON_SERVERS,
        properties=EVERYTHING,
        but=HIT,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.CONFLICT_FOUND, coverage.BLOOM_MISSING),
        yield_points=ON_THE_WAY,
        pair="bloom-direct-safe",
    ),
    race(
        "bloom-after-marker",
        "A marker is there, its Bloom file is not yet: who looks then is told that there is none.",
        ONE_GROUP,
        rules=AS_DOCUMENT,
        options=DIRECT,
        properties=(*EVERYTHING, *NOTICED),
        yield_points=SERVER_WRITES,
        broken="made-markers-noticed",
        pair="bloom-first",
    ),
    race(
        "bloom-first",
        "The same with the Bloom file written first: whoever's marker is there is noticed.",
        ONE_GROUP,
        rules=BLOOM_FIRST,
        options=DIRECT,
        properties=(*EVERYTHING, *NOTICED),
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.BLOOM_EXCLUDES, coverage.BLOOM_IN_VAIN),
        yield_points=SERVER_WRITES,
        pair="bloom-after-marker",
    ),
    race(
        "bloom-rewritten",
        "The Bloom file first, and a second marker: while it is written over, it hides the marker that it told of.",
        OVERLAPPING,
        groups=TWO_GROUPS,
        rules=BLOOM_FIRST,
        options=DIRECT,
        properties=(*EVERYTHING, *NOTICED),
        but=LARGE,
        yield_points=SERVER_WRITES,
        broken="made-markers-noticed",
        pair="bloom-rewritten-or-markers",
    ),
    race(
        "bloom-rewritten-or-markers",
        "The same where the markers are listed if the Bloom file cannot be read: whoever's marker is there is noticed.",
        OVERLAPPING,
        groups=TWO_GROUPS,
        rules=BLOOM_FIRST_OR_MARKERS,
        options=DIRECT,
        properties=(*EVERYTHING, *NOTICED),
        but=LARGE,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.BLOOM_MISSING),
        yield_points=("create", "overwrite", "close", "delete"),
        pair="bloom-rewritten",
    ),
    race(
        "bloom-similar-names",
        "Two file groups, the name of one of which begins with the other's: Bloom files hold whole names, and nobody "
        "is refused early, as shipped without them (F-8).",
        APART,
        groups=SIMILAR,
        rules=SHIPPED,
        options=DIRECT,
        properties=(*EVERYTHING, "sound-early-aborts", "no-early-refusals", "all-writes-commit"),
        counters=(coverage.BLOOM_EXCLUDES, coverage.COMMITTED),
        yield_points=SERVER_WRITES,
        pair="similar-names",
    ),
    race(
        "bloom-false-positive",
        "Two file groups that a crowded Bloom file does not tell apart: markers are listed in vain, nobody is refused.",
        APART,
        groups=TWO_GROUPS,
        rules=AS_DOCUMENT,
        options=(*DIRECT, *CROWDED),
        properties=(*EVERYTHING, "sound-early-aborts", "no-early-refusals", "all-writes-commit"),
        counters=(coverage.BLOOM_IN_VAIN, coverage.COMMITTED),
        yield_points=SERVER_WRITES,
    ),
    race(
        "bloom-async-safe",
        "Bloom files of the timeline server's markers: what no pass finds in time is found at the commit.",
        ONE_GROUP,
        rules=AS_DOCUMENT,
        options=ASYNC,
        properties=EVERYTHING,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.MARKER_REFUSED, coverage.CONFLICT_FOUND),
        yield_points=("create", "close", "delete", "sleep"),
    ),
    race(
        "bloom-async-any-fault",
        "The same with any fault at the writing of marker and Bloom files, and of a wait.",
        ONE_GROUP,
        rules=AS_DOCUMENT,
        options=ASYNC,
        faults=IN_TIME_ON_SERVERS,
        properties=EVERYTHING,
        but=HIT,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.CONFLICT_FOUND, coverage.MARKERS_UNANSWERED),
        yield_points=WRITING,
        pair="bloom-async-safe",
    ),
    race(
        "bloom-async-after-marker",
        "A pass comes between a marker file and its Bloom file, and finds nothing: the next one makes up for it.",
        SLOW,
        groups=TWO_GROUPS,
        rules=AS_DOCUMENT,
        options=ASYNC,
        properties=(*EVERYTHING, *PROMPT),
        but=LARGE,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.MARKER_REFUSED, coverage.BLOOM_MISSING),
        yield_points=WRITING,
        pair="bloom-async-first",
    ),
    race(
        "bloom-async-first",
        "The same with the Bloom file written first: a pass in between reads a marker file that is not there yet.",
        SLOW,
        groups=TWO_GROUPS,
        rules=BLOOM_FIRST,
        options=ASYNC,
        properties=(*EVERYTHING, *PROMPT),
        but=LARGE,
        counters=(coverage.EARLY_CONFLICT_BY_MARKER, coverage.MARKER_REFUSED),
        yield_points=WRITING,
        pair="bloom-async-after-marker",
    ),
)
