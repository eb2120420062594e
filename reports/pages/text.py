"""A record as text: Markdown for `explain.md`, and the same sentences for a terminal."""

from collections.abc import Iterator

from checkers.words import value_words
from reports.explanation.phrases import key_text, plural
from reports.record import Explanation, Judged, Live, Record


def story_lines(explanation: Explanation) -> list[str]:
    """The sentences, numbered as in the picture."""
    return [f"{sentence.number:3}. {sentence.text}" for sentence in explanation.sentences]


def terminal_lines(record: Record) -> list[str]:
    """The verdict and its explanation for a terminal."""
    word = "as expected" if record.as_expected else "NOT as expected"
    others = "One run that does not end" if record.search.endless else "One run that hits the counters"
    shown = "The smallest violation found" if record.verdict == "violated" else others
    lines = [
        f"{record.scenario}: {record.verdict.upper()}, {word} (the scenario expects {record.expect})",
        f"  {record.headline}",
        "",
        f"{shown}, simulated ({plural(len(record.explanation.steps), 'port call')}):",
        *story_lines(record.explanation),
    ]
    reasons = record.explanation.therefore
    if record.judged.findings and not reasons:
        reasons = record.judged.findings[0].sentences
    return [*lines, *(f"  => {reason}" for reason in reasons)]


def explanation(record: Record, live: Live | None = None) -> str:
    """The whole explanation as Markdown."""
    return "\n".join(_explained(record, live)) + "\n"


def _explained(record: Record, live: Live | None) -> Iterator[str]:
    yield f"# {record.scenario}: {record.verdict}"
    yield from ("", record.summary, "", f"**{record.headline}**", "")
    as_expected = "as expected" if record.as_expected else "NOT as expected"
    yield f"Expected by the scenario: {record.expect}; this is {as_expected}."
    shown = "The violation" if record.verdict == "violated" else "One run"
    yield from ("", f"## {shown}, simulated, step by step", "")
    yield from (f"{sentence.number}. {sentence.text}" for sentence in record.explanation.sentences)
    if record.explanation.therefore:
        yield from ("", "## Therefore", "")
        yield from (f"* {sentence}" for sentence in record.explanation.therefore)
    yield from judged_lines(record.judged)
    yield from ("", "## Schedule", "", "```", record.schedule.rstrip(), "```")
    if live is not None:
        yield from live_lines(live)
    yield from ("", f"Replay: `{record.command}`")


def judged_lines(judged: Judged) -> Iterator[str]:
    """Broken properties in the checkers' words, reasons, and rows that are not as they must be."""
    for finding in judged.findings:
        yield from ("", f"## {finding.property}: {finding.anomaly}", "")
        yield from (f"* {sentence}" for sentence in finding.sentences)
    if judged.also_not:
        yield from ("", f"Also not: {', '.join(judged.also_not)}.")
    yield from (f"\nUnknown, because {reason}." for reason in judged.reasons)
    wrong = [row for row in judged.rows if not row.agrees]
    if wrong:
        yield from ("", "| row | must be | final read |", "| --- | --- | --- |")
        yield from (
            f"| {key_text(row.key)} | {value_words(row.key, row.expected)} | {value_words(row.key, row.got)} |"
            for row in wrong
        )


def judged_text(judged: Judged) -> str:
    """The same for a terminal: plain lines, "" if nothing is wrong."""
    lines = []
    for finding in judged.findings:
        lines += ["", f"{finding.property}: {finding.anomaly}", *(f"  {sentence}" for sentence in finding.sentences)]
    if judged.also_not:
        lines.append(f"  Also not: {', '.join(judged.also_not)}.")
    lines += [f"Unknown, because {reason}." for reason in judged.reasons]
    wrong = [row for row in judged.rows if not row.agrees]
    for row in wrong:
        expected, got = value_words(row.key, row.expected), value_words(row.key, row.got)
        lines.append(f"  {key_text(row.key)}: must be {expected}, final read {got}")
    return "".join(f"{line}\n" for line in lines)


def live_lines(live: Live) -> Iterator[str]:
    """Simulated beside live."""
    agreed = "agrees with the simulation" if live.agrees else "does NOT agree with the simulation"
    yield from ("", f"## Live: {live.system}: {agreed}", "")
    yield from ("| observation | simulated | live | |", "| --- | --- | --- | --- |")
    for row in live.compared:
        yield f"| {row.what} | {row.simulated} | {row.live} | {'' if row.agrees else 'differs'} |"
    remarks = live_remarks(live)
    if remarks:
        yield from ("", *(f"* {remark}" for remark in remarks))


def live_remarks(live: Live) -> tuple[str, ...]:
    """What there is to say below the comparison: notes, and why something cannot be said."""
    return (*live.notes, *(f"unknown, because {reason}" for reason in live.judged.reasons))
