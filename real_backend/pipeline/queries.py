"""Questions to a campaign, by name, in Spark SQL over its views (see `real_backend.pipeline.views`).

Choices: histories in `events` and `operations` are samples, one random schedule of each scenario; numbers of schedules
are of all. A query says in its sentence which it counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from real_backend.errors import BackendError
from real_backend.pipeline.folder import opened
from real_backend.pipeline.session import campaign_session, said
from real_backend.pipeline.views import views


@dataclass(frozen=True, slots=True)
class Query:
    """A question.

    Args: `about` says what it answers; `sql` asks it, with `:name` where a parameter stands; `parameters` are those,
    with the values that they have unless others are given.
    """

    about: str
    sql: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question: names of `columns`, and `rows` with as many values each."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


QUERIES: dict[str, Query] = {
    "configurations": Query(
        "What was searched of each configuration, how much of it fails, and what it cost",
        """
        select protocol, configuration, rules, sum(scenarios) as scenarios, sum(schedules) as schedules,
          sum(failed) as failed, round(sum(failed) / sum(scenarios), 4) as share_failed,
          sum(indeterminate) as indeterminate, sum(endless) as endless,
          sum(seed_hi - seed_lo - scenarios) as seeds_without_scenario, round(sum(cpu_s), 1) as cpu_s,
          cast(sum(schedules) / nullif(sum(cpu_s), 0) as bigint) as schedules_per_cpu_s
        from slices group by all order by protocol, configuration
        """,
    ),
    "growth": Query(
        "How the kinds of pairs of accesses and the causes of failures grew, wave after wave",
        """
        with met as (
          select protocol, wave, sum(schedules) as schedules from slices group by protocol, wave
        ), kinds as (
          select protocol, wave, count(*) as fresh from (
            select protocol, kind, min(wave) as wave from slices lateral view explode(kinds) as kind
            group by protocol, kind
          ) group by protocol, wave
        ), found as (
          select protocol, wave, count(*) as fresh from (
            select protocol, cause, min(wave) as wave from slices lateral view explode(causes) as cause
            group by protocol, cause
          ) group by protocol, wave
        )
        select protocol, wave, sum(met.schedules) over sofar as schedules,
          sum(coalesce(kinds.fresh, 0)) over sofar as kinds, sum(coalesce(found.fresh, 0)) over sofar as causes
        from met left join kinds using (protocol, wave) left join found using (protocol, wave)
        window sofar as (partition by protocol order by wave) order by protocol, wave
        """,
    ),
    "causes": Query(
        "The rough causes of failures, before they are made small, with the shortest scenario of each",
        """
        select protocol, property, anomaly, array_join(operations, ' + ') as operations,
          array_join(faults, ' + ') as faults, count(*) as failures, count(distinct configuration) as configurations,
          min_by(scenario, struct(length(scenario), scenario)) as shortest
        from failures group by protocol, property, anomaly, operations, faults
        order by failures desc, protocol, property, anomaly, operations, faults
        """,
    ),
    "longest-search": Query(
        "The failures that took the most schedules of their scenario to find",
        """
        select protocol, configuration, property, anomaly, array_join(faults, ' + ') as faults, found_at, scenario
        from failures order by found_at desc, scenario, property limit :limit
        """,
        {"limit": 20},
    ),
    "rare-pairs": Query(
        "Kinds of pairs of accesses that few scenarios met: many of them say that much is still to be met",
        """
        select protocol, name, sum(scenarios) as met_by, count(distinct configuration) as configurations
        from coverage where kind = 'pair' group by protocol, name having met_by <= :most order by met_by, protocol, name
        """,
        {"most": 2},
    ),
    "faults": Query(
        "How often each fault struck, over all schedules, and in how many failures it was needed or merely there",
        """
        with struck as (
          select protocol, substring(name, 7) as fault, sum(hits) as hits, sum(scenarios) as scenarios
          from coverage where kind = 'counter' and name like 'fault %' group by protocol, name
        ), failing as (
          select protocol, fault, count(*) as failures
          from failures lateral view explode(faults) as fault group by protocol, fault
        )
        select protocol, fault, hits, scenarios, coalesce(failures, 0) as failures
        from struck left join failing using (protocol, fault) order by protocol, fault
        """,
    ),
    "retries-per-commit": Query(
        "Retries over all schedules against operations acknowledged, which the samples give",
        """
        with retried as (
          select protocol, configuration, sum(hits) as retries from coverage
          where kind = 'counter' and lower(name) rlike :counters group by protocol, configuration
        ), searched as (
          select protocol, configuration, sum(schedules) as schedules from slices group by protocol, configuration
        ), sampled as (
          select protocol, configuration, count(distinct scenario) as samples,
            count_if(outcome = 'ok' and size(coalesce(writes, array())) > 0) as acknowledged
          from operations group by protocol, configuration
        )
        select protocol, configuration, coalesce(retries, 0) as retries, schedules,
          round(acknowledged / samples, 3) as commits_per_schedule,
          round(coalesce(retries, 0) / schedules / (acknowledged / samples), 4) as retries_per_commit
        from searched join sampled using (protocol, configuration) left join retried using (protocol, configuration)
        order by protocol, configuration
        """,
        {"counters": "retr(y|ied)( after|$)"},
    ),
    "refusals": Query(
        "Why operations were refused or left open in the samples: the first words of their errors",
        """
        select protocol, configuration, outcome, f, split(error, '[:,(]')[0] as error, count(*) as operations
        from operations where outcome <> 'ok' group by all
        order by operations desc, protocol, configuration, outcome, f, error
        """,
    ),
    "refusals-without-conflict": Query(
        "Operations of the samples that were refused though nobody else wrote a row of theirs meanwhile",
        """
        select protocol, configuration, scenario, process, f, arg, error from operations refused
        where outcome = 'fail' and size(keys) > 0 and not exists (
          select 1 from operations other
          where other.protocol = refused.protocol and other.configuration = refused.configuration
            and other.scenario = refused.scenario and other.process <> refused.process and other.outcome <> 'fail'
            and other.began < refused.ended and other.ended > refused.began
            and arrays_overlap(coalesce(other.writes.key, array()), refused.keys)
        )
        order by protocol, configuration, scenario, refused.began
        """,
    ),
    "before-without-between": Query(
        "A before B with no C between, in the samples; each is a pattern of LIKE over 'process f type'",
        """
        with said as (select *, concat_ws(' ', process, f, type) as what from events)
        select a.protocol, a.configuration, a.scenario, a.what as a, a.arg as a_arg, a.`index` as a_at, b.what as b,
          b.arg as b_arg, b.`index` as b_at
        from said a join said b
          on a.protocol = b.protocol and a.configuration = b.configuration and a.scenario = b.scenario
            and a.`index` < b.`index`
        where a.what like :a and b.what like :b and not exists (
          select 1 from said c
          where c.protocol = a.protocol and c.configuration = a.configuration and c.scenario = a.scenario
            and c.what like :c and c.`index` > a.`index` and c.`index` < b.`index`
        )
        order by a.protocol, a.configuration, a.scenario, a_at, b_at
        """,
        {"a": "w% info", "b": "r% read ok", "c": "w% ok"},
    ),
    "unknown-outcomes": Query(
        "Operations of the samples whose outcome their client never learned, and how many of them have a version",
        """
        select o.protocol, o.configuration, o.f, count(*) as unknown, count(v.op) as landed from operations o
        left join (select distinct protocol, configuration, scenario, op from events where type = 'version') v
          on o.protocol = v.protocol and o.configuration = v.configuration and o.scenario = v.scenario and o.op = v.op
        where o.outcome = 'info' group by o.protocol, o.configuration, o.f order by o.protocol, o.configuration, o.f
        """,
    ),
    "stale-reads": Query(
        "Reads of the samples that began after a commit was acknowledged, and saw an older version",
        """
        select r.protocol, r.configuration, r.scenario, r.process, r.start as saw, max(w.`commit`) as acknowledged
        from operations r join operations w
          on r.protocol = w.protocol and r.configuration = w.configuration and r.scenario = w.scenario
            and w.ended < r.began
        where r.outcome = 'ok' and r.f = 'read' and r.start is not null and w.outcome = 'ok' and w.`commit` > r.start
        group by r.protocol, r.configuration, r.scenario, r.process, r.op, r.start
        order by r.protocol, r.configuration, r.scenario, r.op
        """,
    ),
    "slowest": Query(
        "The scenarios that took the most CPU time for each schedule",
        """
        select protocol, configuration, round(1000 * cpu_s / schedules, 3) as ms_per_schedule, schedules,
          round(steps / schedules, 1) as steps_per_schedule, summary, scenario
        from runs where schedules > 0 order by cpu_s / schedules desc limit :limit
        """,
        {"limit": 20},
    ),
    "never-judged": Query(
        "Scenarios that do not fail, and of which still nothing can be said: what the histories lack",
        """
        select protocol, configuration, missing, count(*) as scenarios, min(scenario) as example
        from runs where missing <> '' and failed = 0 group by protocol, configuration, missing
        order by scenarios desc, protocol, configuration, missing
        """,
    ),
}
"""The queries by name."""


def run_query(
    path: Path, name: str, parameters: Mapping[str, Any] | None = None, *, master: str = "local[*]"
) -> Answer:
    """Ask a campaign a named question.

    Args: `path` is its folder; `name` one of `QUERIES`; `parameters` replace some of the query's; `master` is Spark's.

    Raises: `ValueError`, one line, for an unknown name, parameter or folder; `BackendError` as `campaign_session`.
    """
    if name not in QUERIES:
        raise ValueError(f"query: expected {', '.join(QUERIES)}, got {name!r}")
    query, given = QUERIES[name], dict(parameters or {})
    for key in given:
        if key not in query.parameters:
            raise ValueError(
                f"query {name}: expected a parameter of {', '.join(query.parameters) or 'none'}, got {key!r}"
            )
    values = {key: _value(name, key, given.get(key, value), type(value)) for key, value in query.parameters.items()}
    return run_sql(path, query.sql, values, master=master)


def _value(name: str, key: str, given: Any, kind: Any) -> Any:
    try:
        return kind(given)
    except ValueError:
        raise ValueError(f"query {name}: expected {key} as {kind.__name__}, got {given!r}") from None


def run_sql(path: Path, text: str, parameters: Mapping[str, Any] | None = None, *, master: str = "local[*]") -> Answer:
    """Ask a campaign a question of one's own, in Spark SQL over its views, with `:name` where a parameter stands.

    Raises: `ValueError`, one line, if there is no campaign or Spark does not understand the text.
    """
    opened(path)
    with campaign_session(master) as session:
        return ask(session, path, text, parameters)


def ask(session: Any, path: Path, text: str, parameters: Mapping[str, Any] | None = None) -> Answer:
    """As `run_sql`, with a `SparkSession` that is there already."""
    from pyspark.errors import AnalysisException, ParseException

    views(session, path)
    try:
        found = session.sql(text, args=dict(parameters or {}))
    except (AnalysisException, ParseException) as error:
        raise ValueError(f"SQL: expected what Spark understands, got {said(error)}") from error
    try:
        rows = found.collect()
    except Exception as error:
        raise BackendError(f"SQL: expected an answer, got {said(error)}") from error
    return Answer(tuple(found.columns), tuple([tuple(row) for row in rows]))
