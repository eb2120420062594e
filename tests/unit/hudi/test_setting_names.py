"""What an option of Hudi may be called where a user sets it: RFC-56's names, and defaults that are written out."""

import pytest

from lakeproof.errors import UsageProblem
from lakeproof.settings import configuration_of
from sim.hudi.generate import GENERATOR
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import OPTIONS

DOCUMENT, SHIPPED = "hoodie.write.lock.early.conflict", "hoodie.write.concurrency"


@pytest.mark.parametrize(("given", "key", "value"), [
    (f"{DOCUMENT}.detection.enable=true", f"{SHIPPED}.early.conflict.detection.enable", "true"),
    (f"{DOCUMENT}.async.checker.period=10000", f"{SHIPPED}.async.conflict.detector.period_ms", "10000"),
    (f"{DOCUMENT}.async.checker.period=30000", f"{SHIPPED}.async.conflict.detector.period_ms", UNSET),
    (f"{DOCUMENT}.detection.strategy=org.a.AsyncTimelineMarkerEarlyConflictDetectionStrategy",
     f"{SHIPPED}.early.conflict.detection.strategy", "AsyncTimelineServerBasedDetectionStrategy"),
    ("hoodie.table.type=COPY_ON_WRITE", "hoodie.table.type", UNSET),
    ("hoodie.metadata.enable=false", "hoodie.metadata.enable", UNSET),
])  # fmt: skip
def test_a_setting_is_meant_by_each_of_its_names(given, key, value):
    """It is known by the shipped one from then on."""
    assert configuration_of(GENERATOR, (given,)).given == {key: value}


def test_an_error_has_both_names():
    """The one that was given, and the shipped one."""
    with pytest.raises(UsageProblem, match=rf"{DOCUMENT}.detection.enable \({SHIPPED}.early.*\): expected false or"):
        configuration_of(GENERATOR, (f"{DOCUMENT}.detection.enable=maybe",))


def test_no_two_options_have_a_name_in_common():
    """So what is set is one of them."""
    names = [name for option in OPTIONS for name in (option.key, *option.also)]
    assert len(names) == len(set(names))
