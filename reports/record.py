"""The record of a run: everything that a report shows, as plain data. `run.json` is this record, and nothing else.

Every output (terminal, Markdown, HTML, JUnit) is made from it, so they cannot tell different explanations.

Choices: no times of day and no durations (they stand in `metrics.json`), so that one search gives one record. Records
are written without pydantic, which takes longer to import than a small search takes.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from reports.errors import RecordError

FORMAT = 1
T = TypeVar("T")


def strict(cls: type[T]) -> type[T]:
    """Let pydantic refuse unknown fields where it reads one of these: its `with_config`, without importing it."""
    cls.__pydantic_config__ = {"extra": "forbid"}  # type: ignore[attr-defined]
    return cls


@strict
@dataclass(frozen=True, slots=True)
class Step:
    """One traced port call. `lane` is the far side; `kind` is load, read, write, delete, commit, wait or call.

    `outcome` is ok, refused, or not applied; `version` the version of the table that was seen or made; `sentence` the
    number of the sentence that tells it.
    """

    number: int
    time_ms: int
    actor: str
    operation: str
    resource: str
    lane: str
    kind: str
    outcome: str = "ok"
    fault: str = ""
    version: str = ""
    sentence: int = 0


@strict
@dataclass(frozen=True, slots=True)
class Span:
    """A client operation over the steps `first` to `last`. `outcome` is ok, fail or info.

    `breaks` names the property that is broken by what the operation was answered ("": none).
    """

    actor: str
    label: str
    first: int
    last: int
    outcome: str
    breaks: str = ""


@strict
@dataclass(frozen=True, slots=True)
class Sentence:
    """What one actor did, in words. `tone` is plain, commit, refused, fault, end or broken."""

    number: int
    actor: str
    text: str
    tone: str = "plain"


@strict
@dataclass(frozen=True, slots=True)
class Explanation:
    """A run for people: the sentences, the steps behind them, and why it ended as it did."""

    sentences: tuple[Sentence, ...] = ()
    steps: tuple[Step, ...] = ()
    spans: tuple[Span, ...] = ()
    therefore: tuple[str, ...] = ()


@strict
@dataclass(frozen=True, slots=True)
class Version:
    """One version of the table, as the table itself gives it. `name` is its short name in the sentences."""

    name: str
    snapshot: str
    parent: str
    maker: str


@strict
@dataclass(frozen=True, slots=True)
class Row:
    """A key at the end: what the committed operations leave, in the table's own order, and what was read."""

    key: str
    expected: str
    got: str
    agrees: bool


@strict
@dataclass(frozen=True, slots=True)
class Finding:
    """A broken property, in the checkers' sentences."""

    property: str
    anomaly: str
    sentences: tuple[str, ...]


@strict
@dataclass(frozen=True, slots=True)
class Judged:
    """A history's verdict. `results` has valid, invalid or unknown for each property that was asked for."""

    outcome: str
    results: dict[str, str]
    findings: tuple[Finding, ...] = ()
    also_not: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    lineage: tuple[Version, ...] = ()
    rows: tuple[Row, ...] = ()


@strict
@dataclass(frozen=True, slots=True)
class Search:
    """What was searched, and what it covered.

    Args: `schedules` counts the runs of all phases, `exhaustive` those of the one that runs every schedule; `counters`
    is the coverage of all runs, and `required` must not be zero; `shrunk` says how small the run that is shown is;
    `found_within` is how many runs it took to meet the violation (0: none), and `no_search_needed` that the first, the
    default one, was enough; `endless` is how many runs did not come to their end; `reasons` say why nothing can be said
    to hold; `nothing_found` is what a search by seeds alone can say instead.
    """

    method: str
    schedules: int
    states: int
    complete: bool
    failed: int
    counters: dict[str, int]
    required: tuple[str, ...] = ()
    shrunk: str = ""
    exhaustive: int = 0
    found_within: int = 0
    no_search_needed: bool = False
    endless: int = 0
    reasons: tuple[str, ...] = ()
    nothing_found: str = ""


@strict
@dataclass(frozen=True, slots=True)
class Record:
    """One run of one scenario. `verdict` is violated, holds or unknown; `headline` says it with its bounds."""

    tool: str
    scenario: str
    summary: str
    question: str
    expect: str
    verdict: str
    as_expected: bool
    headline: str
    knobs: dict[str, str]
    search: Search
    judged: Judged
    explanation: Explanation
    schedule: str
    digest: str
    command: str
    format: int = FORMAT


@strict
@dataclass(frozen=True, slots=True)
class Compared:
    """One observation, simulated and live."""

    what: str
    simulated: str
    live: str
    agrees: bool


@strict
@dataclass(frozen=True, slots=True)
class Live:
    """The same schedule on the live system: `system` names it and its versions; `trace` is what passed its gate.

    `notes` say what was not judged, and what was set otherwise than in the simulation.
    """

    system: str
    trace: str
    compared: tuple[Compared, ...]
    judged: Judged
    agrees: bool
    notes: tuple[str, ...] = ()


def dump(record: Any) -> bytes:
    """A record, or a part of one, as JSON."""
    return f"{json.dumps(asdict(record), indent=1, ensure_ascii=False)}\n".encode()


def read_record(path: Path) -> Record:
    """Read a record. Raises: `RecordError`, one line."""
    record = parse(path, Record)
    if record.format != FORMAT:
        raise RecordError(f"{path}: format: expected {FORMAT}, got {record.format}")
    return record


def parse(path: Path, shape: type[T]) -> T:
    """Read JSON of a known shape. Raises: `RecordError`, one line."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(shape).validate_json(path.read_bytes())
    except FileNotFoundError:
        raise RecordError(f"{path}: expected a file of a run, got no such file") from None
    except OSError as error:
        raise RecordError(f"{path}: expected a readable file, got {error.strerror}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "content"
        got = " ".join(repr(first.get("input"))[:60].split())
        problem = str(first["msg"]).replace("Input should be", "expected")
        raise RecordError(f"{path}: {place}: {problem}; got {got}") from None
