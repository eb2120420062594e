"""A record as text: Markdown for `explain.md`, and the same sentences for a terminal."""

import textwrap
from collections.abc import Iterable, Iterator

from checkers.text import LINE_CHARACTERS, plain
from checkers.words import value_words
from reports.explanation.phrases import key_text
from reports.record import Explanation, Judged, Live, Record
from sim.world.words import counted

STANDINGS = {0: "as expected", 1: "NOT as expected", 2: "unknown"}  # the verdict's exit code: what it is called
FENCE, REPLAY, MAX_LINE = "```", "Replay:", 2_000
FAILED_STRICT, LIVE_DIFFERS = "failed under --strict", "the live system DIFFERS"


def standing_of(record: Record) -> str:
    """What a search is called that nothing else is known of: as expected or not, or what seeds alone can say."""
    if record.search.nothing_found:
        return record.search.nothing_found
    return STANDINGS[0 if record.as_expected else 2 if record.verdict == "unknown" else 1]


def story_lines(explanation: Explanation) -> list[str]:
    """The sentences, numbered as in the picture."""
    return [f"{sentence.number:3}. {sentence.text}" for sentence in explanation.sentences]


def terminal_lines(record: Record, standing: str = "") -> list[str]:
    """The verdict and its explanation for a terminal. `standing`: as expected or not, if more is known of it."""
    standing = standing or standing_of(record)
    word = "" if standing == record.verdict else f", {standing}"
    others = "One run that does not end" if record.search.endless else "One run that hits the counters"
    shown = "The smallest violation found" if record.verdict == "violated" else others
    lines = [
        f"{record.scenario}: {record.verdict.upper()}{word} (the scenario expects {record.expect})",
        f"  {record.headline}",
        "",
        f"{shown}, simulated ({counted(len(record.explanation.steps), 'port call')}):",
        *story_lines(record.explanation),
    ]
    reasons = record.explanation.therefore
    if record.judged.findings and not reasons:
        reasons = record.judged.findings[0].sentences
    return [folded(line) for line in (*lines, *(f"  => {reason}" for reason in reasons))]


def folded(line: str) -> str:
    """A line of a sentence, as several ones if it is longer than any sentence has to be: a list of fifty names, say."""
    if len(line) <= LINE_CHARACTERS:
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.fill(line, LINE_CHARACTERS, subsequent_indent=indent, break_on_hyphens=False)


def explanation(record: Record, live: Live | None = None, standing: str = "") -> str:
    """The whole explanation as Markdown. `standing`: as expected or not, if more is known of it."""
    return "\n".join(_safe(_explained(record, live, standing or standing_of(record)))) + "\n"


def _safe(pieces: Iterable[str]) -> Iterator[str]:
    """Markdown in which nothing that came from outside is markup or cannot be seen; what is code stays as it is."""
    is_code = False
    for piece in pieces:
        is_code ^= piece == FENCE
        lines = [plain(line, MAX_LINE) for line in piece.split("\n")]
        whole = is_code or piece.startswith((REPLAY, "|"))
        text = "\n".join(lines if whole else map(folded, lines))
        yield text if is_code or piece.startswith(REPLAY) else text.replace("<", "&lt;")


def _explained(record: Record, live: Live | None, standing: str) -> Iterator[str]:
    yield f"# {record.scenario}: {record.verdict}"
    yield from ("", record.summary, "", f"**{record.headline}**", "")
    yield f"Expected by the scenario: {record.expect}; got {record.verdict}: {standing}."
    shown = "The violation" if record.verdict == "violated" else "One run"
    yield from ("", f"## {shown}, simulated, step by step", "")
    yield from (f"{sentence.number}. {sentence.text}" for sentence in record.explanation.sentences)
    if record.explanation.therefore:
        yield from ("", "## Therefore", "")
        yield from (f"* {sentence}" for sentence in record.explanation.therefore)
    yield from judged_lines(record.judged)
    yield from ("", "## Schedule", "", FENCE, record.schedule.rstrip(), FENCE)
    if live is not None:
        yield from live_lines(live)
    yield from ("", f"{REPLAY} `{record.command}`")


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
        for row in wrong:
            cells = key_text(row.key), value_words(row.key, row.expected), value_words(row.key, row.got)
            yield f"| {' | '.join(plain(cell).replace('|', '&#124;') for cell in cells)} |"


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
    return "".join(f"{folded(line)}\n" for line in lines)


def live_lines(live: Live) -> Iterator[str]:
    """Simulated beside live."""
    agreed = "agrees with the simulation" if live.agrees else "DIFFERS from the simulation"
    yield from ("", f"## Live: {live.system}: {agreed}", "")
    yield from ("| observation | simulated | live | |", "| --- | --- | --- | --- |")
    for row in live.compared:
        yield f"| {row.what} | {row.simulated} | {row.live} | {'' if row.agrees else 'DIFFERS'} |"
    remarks = live_remarks(live)
    if remarks:
        yield from ("", *(f"* {remark}" for remark in remarks))


def live_remarks(live: Live) -> tuple[str, ...]:
    """What there is to say below the comparison: notes, and why something cannot be said."""
    return (*live.notes, *(f"unknown, because {reason}" for reason in live.judged.reasons))
