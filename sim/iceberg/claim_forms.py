"""The forms in which claims of the document about Iceberg's transactions are stated, and words for what they are on.

Source: iceberg/5; the document's sections are named at the claims.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.iceberg import claim_evidence as found
from sim.iceberg.built_in.appended import APPENDED
from sim.iceberg.built_in.transactions import TRANSACTIONS, transacted
from sim.iceberg.scenarios import ICEBERG
from sim.search.claims import Claim, Evidence
from sim.world.scenario import Scenario

DOCUMENT = "Iceberg, transactions on snapshots"
SHIPPED, NO_CHECKS = "as shipped (1.11.0)", "the Java API's default: no validation is asked for"
SNAPSHOT, SERIALIZABLE = "snapshot isolation", "serializable isolation, the filter covers what was read"
OWN_FILTER = "serializable isolation, the filter covers what is written, as Spark's UPDATE has it"
OLD, CURRENT = "reading one snapshot", "reading the current snapshot each time"
OUTSIDE = "nobody else commits"
TESTED = "the document's own test"
MVCC, WRITERS, READERS = "MVCC", "concurrent writes", "concurrent reads"
TEST, MADE, APPEND, STAGED = "transaction test", "instantiation", "append in a transaction", "committing an update"
CREATED, CHECKED, COMMITTED, AGAIN, LOCKED = (
    "creation",
    "validity",
    "commitSimpleTransaction",
    "applyUpdates",
    "optimistic lock",
)
OWN_TEST = "tests/live/iceberg/test_transactions.py::test_the_documents_own_test_on_the_real_library"
BY_NAME = {scenario.name.removeprefix("iceberg/"): scenario for scenario in (*ICEBERG, *TRANSACTIONS, *APPENDED)}


def live_test(name: str) -> str:
    """The live test that plays the schedule found in this scenario."""
    return f"tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real[iceberg/{name}]"


def text_of(words: str, sense: str) -> str:
    return f"{words} [{sense}]"


def searched(
    words: str, sense: str, section: str, broken: str, variant: str, *scenarios: str | Scenario, **further: Any
) -> Claim:
    """A claim that scenarios are searched for. Args: `broken` is the property that it comes down to."""
    of = tuple([BY_NAME[one] if isinstance(one, str) else one for one in scenarios])
    return Claim(text_of(words, sense), f"{DOCUMENT}, {section}", broken, variant, of, **further)


def looked(
    words: str, sense: str, section: str, variant: str, evidence: Callable[[], Evidence], **further: Any
) -> Claim:
    """A claim that one run answers, or every run of a scenario."""
    return Claim(text_of(words, sense), f"{DOCUMENT}, {section}", "", variant, evidence=evidence, **further)


def in_its_test(words: str, sense: str, what: Callable[[], bool], shown: Callable[[], object] | None = None) -> Claim:
    """A claim that the document's own test makes."""
    return looked(words, sense, TEST, TESTED, found.document(what, shown), live=OWN_TEST)


def claimed(name: str, summary: str, writers: Any, asked: str, **further: Any) -> Scenario:
    """A scenario of a claim that no built-in one is about. Args: `asked` is its one property."""
    return transacted(f"claim-{name}", summary, writers, properties=(asked,), **further)


RESULT, NOT_ALL = "acknowledged-writes-survive", "no-lost-update"
"""Properties that claims ask most."""
