"""The one table of protocols. A row names where each part of a protocol is; a part is imported when it is first used.
To add a protocol takes one folder in each room, and one row here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lakeproof import titles

if TYPE_CHECKING:
    from real_backend.gating.system import LiveSystem
    from real_backend.jvm.session import Additions
    from reports.explanation.renderer import Renderer
    from sim.generation.generator import Generator
    from sim.search.claims import Claim
    from sim.search.matrix import Matrix
    from sim.search.study import Study
    from sim.world.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Protocol:
    """One protocol. Every part is named "module:NAME" and imported when asked for.

    Args: `scenarios` are tuples, each under its heading; `properties` those that only its histories can have, by name;
    `operations` the steps that only its clients make; `renderer` explains its runs; `generator` makes scenarios of
    draws ("": none); `claims` is a tuple of claims ("": its document is not judged yet); `defects` and `losses` are
    tuples, those defects among these; `studies` by the names that users type; `live` systems by the names that
    scenarios give them; `live_studies` measured there; `in_spark` a function that says what they bring into the Spark
    session; `jars` names the jars that live runs need, `fetch` a function that fetches what else they need and says
    where; `option_error` is for an option that cannot be; `autopsy` examines a damaged table; `matrix` has operations.
    """

    name: str
    title: str
    scenarios: Mapping[str, str]
    properties: str = ""
    operations: str = ""
    renderer: str = ""
    generator: str = ""
    claims: str = ""
    defects: str = ""
    losses: str = ""
    studies: Mapping[str, str] = field(default_factory=dict)
    live: Mapping[str, str] = field(default_factory=dict)
    live_studies: Mapping[str, str] = field(default_factory=dict)
    in_spark: str = ""
    jars: tuple[str, ...] = ()
    fetch: str = ""
    option_error: str = ""
    autopsy: str = ""
    matrix: str = ""


PROTOCOLS: tuple[Protocol, ...] = (
    Protocol(
        "iceberg",
        "Iceberg",
        scenarios=titles.ICEBERG,
        properties="checkers.iceberg:CHECKS",
        renderer="reports.iceberg.on_branch:renderer",
        generator="sim.iceberg.generate:GENERATOR",
        defects="sim.iceberg.defects:DEFECTS",
        losses="sim.iceberg.losses:LOSSES",
        claims="sim.iceberg.claims:CLAIMS",
        studies={"iceberg-formal": "sim.iceberg.study_formal:STUDY"},
        live={
            "iceberg-sql": "real_backend.iceberg.system:SPARK_SQL",
            "iceberg-java": "real_backend.iceberg.system:JAVA_API",
            "iceberg-java-on-rest": "real_backend.iceberg.system:JAVA_API_ON_REST",
            "iceberg-java-on-jdbc": "real_backend.iceberg.system:JAVA_API_ON_JDBC",
            "iceberg-java-on-hadoop": "real_backend.iceberg.system:JAVA_API_ON_HADOOP",
            "iceberg-java-on-hive": "real_backend.iceberg.system:JAVA_API_ON_HIVE",
            "iceberg-several-tables": "real_backend.iceberg.system:ON_SEVERAL_TABLES",
            "iceberg-on-metastores": "real_backend.iceberg.system:OVER_METASTORES",
        },
        jars=("iceberg",),
        option_error="sim.iceberg.checked_workload:SettingError",
        autopsy="reports.iceberg.autopsy:examine",
        matrix="sim.iceberg.matrix:MATRIX",
    ),
    Protocol(
        "hudi",
        "Hudi",
        scenarios=titles.HUDI,
        properties="checkers.hudi:CHECKS",
        renderer="reports.hudi.renderer:renderer",
        generator="sim.hudi.generate:GENERATOR",
        defects="sim.hudi.defects:DEFECTS",
        losses="sim.hudi.losses:LOSSES",
        claims="sim.hudi.claims:CLAIMS",
        studies={
            "hudi-early-detection": "sim.hudi.study_early_detection:STUDY",
            "hudi-consistency": "sim.hudi.study_consistency:STUDY",
            "hudi-detection": "sim.hudi.study_detection:STUDY",
            "hudi-formal": "sim.hudi.study_formal:STUDY",
        },
        live={"hudi": "real_backend.hudi.system:HUDI"},
        in_spark="real_backend.hudi.system:in_spark",
        live_studies={"hudi-early-detection": "real_backend.hudi.study:STUDY"},
        jars=("hudi",),
        option_error="model.hudi.errors:ConfigError",
    ),
    Protocol(
        "hive",
        "Hive's metastore cache",
        scenarios=titles.HIVE,
        properties="checkers.hive:CHECKS",
        operations="sim.hive.build:OPERATIONS",
        renderer="reports.hive.renderer:renderer",
        generator="sim.hive.generate:GENERATOR",
        defects="sim.hive.defects:DEFECTS",
        losses="sim.hive.losses:LOSSES",
        claims="sim.hive.claims:CLAIMS",
        studies={
            "hive-cache": "sim.hive.study_cache:STUDY",
            "hive-iceberg": "sim.iceberg.study_over_metastores:STUDY",
            "hive-iceberg-wide": "sim.iceberg.study_wide_metastores:STUDY",
        },
        live={"metastores": "real_backend.hive.system:METASTORES"},
        live_studies={"hive-cache": "real_backend.hive.study:STUDY"},
        fetch="real_backend.hive.distribution:fetch",
    ),
)


def part(dotted: str) -> Any:
    """The object that "module:NAME" names."""
    module, _, name = dotted.partition(":")
    return getattr(import_module(module), name)


def scenarios(of: str | None = None) -> dict[str, Scenario]:
    """The built-in scenarios, `of` a protocol or all, by name, in their order; their properties are known then."""
    known_properties()
    lists = [named for each in PROTOCOLS if of in (None, each.name) for named in each.scenarios.values()]
    return {one.name: one for named in lists for one in part(named)}


def named(name: str) -> Scenario | None:
    """The built-in or generated scenario of this name, or None. The lists of its protocol are read first."""
    from sim.world.words import is_generated, is_of_a_matrix

    known_properties()
    if is_generated(name):
        return _generated(name)
    if is_of_a_matrix(name):
        return next((cell for one in with_matrix() if (cell := matrix_of(one).named(name))), None)
    nearest = sorted(PROTOCOLS, key=lambda protocol: not name.startswith(protocol.name))
    lists = [dotted for protocol in nearest for dotted in protocol.scenarios.values()]
    return next((one for dotted in lists for one in part(dotted) if one.name == name), None)


def generator_of(protocol: str) -> Generator | None:
    """The generator of the protocol of this name; None if it has none, or if there is no such protocol."""
    dotted = next((each.generator for each in PROTOCOLS if each.name == protocol), "")
    return part(dotted) if dotted else None


def generators() -> dict[str, str]:
    """Where each generator of scenarios is, by its protocol's name."""
    return {protocol.name: protocol.generator for protocol in PROTOCOLS if protocol.generator}


def with_generator() -> tuple[str, ...]:
    """The protocols whose scenarios can be generated."""
    return tuple(generators())


def _generated(name: str) -> Scenario | None:
    generator = generator_of(name.partition("/")[0])
    try:
        return None if generator is None else generator.again(name)
    except ValueError:  # no such rules, no such draws
        return None


def properties() -> dict[str, tuple[str, ...]]:
    """The names of the properties that only one protocol's histories can have, by its title."""
    return {protocol.title: tuple(part(protocol.properties)) for protocol in PROTOCOLS if protocol.properties}


def known_properties() -> tuple[str, ...]:
    """The names of all properties, weakest first."""
    from checkers.properties import CHECKS, register

    for protocol in PROTOCOLS:
        if protocol.properties:
            register(part(protocol.properties))
    return tuple(CHECKS)


def operations() -> frozenset[str]:
    """The operations that only the protocols' own clients make."""
    return frozenset(name for protocol in PROTOCOLS if protocol.operations for name in part(protocol.operations))


def renderer_of(scenario: Scenario) -> Renderer:
    """What explains runs of the scenario; where its protocol has nothing, every step is told by itself."""
    named = next((protocol.renderer for protocol in PROTOCOLS if protocol.name == scenario.protocol), "")
    found: Renderer = part(named or "reports.explanation.renderer:plainly")
    return found


def option_errors() -> tuple[type[Exception], ...]:
    """The exceptions that say that an option of a protocol cannot be."""
    return tuple(part(protocol.option_error) for protocol in PROTOCOLS if protocol.option_error)


def claims_of(name: str) -> tuple[Claim, ...]:
    """The claims of a protocol's document, in its order; none if it is not judged yet."""
    named = next(protocol.claims for protocol in PROTOCOLS if protocol.name == name)
    return part(named) if named else ()


def matrix_of(name: str) -> Matrix:
    """The matrix of a protocol's operations, of one of `with_matrix`."""
    found: Matrix = part(next(protocol.matrix for protocol in PROTOCOLS if protocol.name == name))
    return found


def with_matrix() -> tuple[str, ...]:
    """The protocols that have a matrix of operations."""
    return tuple(protocol.name for protocol in PROTOCOLS if protocol.matrix)


def protocol_names() -> tuple[str, ...]:
    """The protocols."""
    return tuple(protocol.name for protocol in PROTOCOLS)


def with_claims() -> tuple[str, ...]:
    """The protocols whose documents are judged."""
    return tuple(protocol.name for protocol in PROTOCOLS if protocol.claims)


def studies() -> dict[str, str]:
    """Where each study is, by its name."""
    return {name: named for protocol in PROTOCOLS for name, named in protocol.studies.items()}


def live_system(name: str) -> LiveSystem:
    """The live system that scenarios call by this name. Raises: `LookupError` if no protocol has one."""
    for protocol in PROTOCOLS:
        if name in protocol.live:
            found: LiveSystem = part(protocol.live[name])
            return found
    raise LookupError(f"live system {name!r}: expected one of a protocol, got none of that name")


def in_spark() -> list[Additions]:
    """What the protocols' live systems bring into the one Spark session."""
    return [part(protocol.in_spark)() for protocol in PROTOCOLS if protocol.in_spark]


def examiner() -> Any:
    """What examines a damaged table: that of the one protocol that has one."""
    return part(next(protocol.autopsy for protocol in PROTOCOLS if protocol.autopsy))


def live_studies() -> dict[str, str]:
    """Where each study that can be measured on the real system is, by its name."""
    return {name: named for protocol in PROTOCOLS for name, named in protocol.live_studies.items()}


def study_at(named: str) -> Study:
    """The study at "module:NAME"."""
    found: Study = part(named)
    return found
