"""What consumers are told, against what the versions say: each property kept, and broken in each way that it names."""

import re

import pytest

from checkers.finding import Indeterminate
from checkers.histories.history import History, Read
from checkers.histories.notation import history
from checkers.iceberg.consumers import CONSUMER_CHECKS
from checkers.isolation.resolve import Facts
from checkers.verdict import quick

KINDS = {"app": "append", "append": "append", "upd": "overwrite", "remove": "delete", "compact": "replace"}
SINCE = "since the race began"
ASKED = dict.fromkeys(("appends", "changes", "view", "net", "updates"), SINCE) | {
    "past": "0 back", "tag": "t", "main": "main, by option", "late": "since 1 back",
    "early": "since 1 back, until it began",
}  # fmt: skip
NAMES = {"expire2": "expire", "expire1": "expire", "back": "roll back"}
ARGUMENTS = {"expire2": "all but 2", "expire1": "all but 1", "retag": "t"}
READS = {
    "appends": "read appends", "late": "read appends", "early": "read appends", "changes": "read changes",
    "view": "read view", "net": "read net changes", "updates": "read updates",
    "past": "read at", "tag": "read at", "main": "read at",
}  # fmt: skip
A = "setup(row1=a) "
NEW, WHOLE, STAYS, UP = CONSUMER_CHECKS


def consumed(line: str) -> History:
    """A history in which what is said to be read by `appends`, `changes` (`row1:-a`; else it came), `past`, `main` and
    so on was told to a consumer (`row1:FROMa,row1:TOb`: an update), and versions have the operation of their makers."""
    plain = history(line)
    makers = {op.id: op.f for op in plain.ops}
    return History([_event(event, makers) for event in plain.events])


def _event(event, makers):
    if event.type == "version":
        f = makers.get(event.op, "")
        return event._replace(arg=KINDS.get(re.split(r"\W", f)[0], {"update": "overwrite", "drop": "no table"}.get(f)))
    if event.f not in READS:
        return event._replace(f=NAMES.get(event.f, event.f), arg=ARGUMENTS.get(event.f))
    told = ", ".join([_told(event.f, read) for read in event.reads]) or "nothing"
    asks = event.type == "invoke"
    return event._replace(f=READS[event.f], arg=ASKED[event.f] if asks else told, reads=())


def _told(f: str, read: Read) -> str:
    value = read.value or ""
    if value.startswith(("FROM", "TO")):
        value = value.replace("FROM", "from ").replace("TO", "to ")
    elif f in ("changes", "view", "net", "updates") and value[0] != "-":
        value = "+" + value
    return f"{read.key.removeprefix('row:')} = {value}"


@pytest.mark.parametrize(("name", "line", "broken"), [
    (NEW, "w1:app(row2=x)@0->1 ; c1:appends(row2:x)@1", None),
    (NEW, "w1:app(row2=x)@0->1 ; c1:appends(row1:a,row2:x)@1", "told-again"),
    (NEW, "w1:app(row2=x)@0->1 ; c1:appends(row2:x,row2:x)@1", "told-twice"),
    (NEW, "w1:compact()@0->1 ; c1:changes(row1:a,row1:-a)@1", "told-again"),
    (NEW, "w1:upd(row2=x)@0->1 ; c1:changes(row1:a,row1:-a,row2:x)@1", None),
    (NEW, "w1:compact()@0->1 ; c1:changes(row1:a,row1:-a)@1 ; w1:upd(row1=x)@1->2", "told-again"),
    (NEW, "w1:transaction(row2=x)@0->1 ; c1:changes(row1:a,row1:-a,row2:x)@1", None),
    (NEW, "w1:upd(row2=x)@0->1 ; c1:view(row2:x)@1", None),
    (NEW, "w1:upd(row2=x)@0->1 ; c1:view(row1:a,row1:-a,row2:x)@1", "told-again"),
    (NEW, "w1:upd(row2=x)@0->1 ; c1:updates(row2:x,row1:FROMa,row1:TOa)@1", "told-again"),
    (NEW, "w1:app(row2=x)@0->1 ; w1:remove(row2=-)@1->2 ; c1:view(row2:x,row2:-x)@2", None),
    (NEW, "w1:app(row2=x)@0->1 ; w1:remove(row2=-)@1->2 ; c1:net(row2:x,row2:-x)@2", "told-between"),
    (NEW, "w1:app(row2=x)@0->1 ; w1:remove(row2=-)@1->2 ; c1:net()@2", None),
    (NEW, "w1:app(row2=x)@0->1 ; c1:late(row1:a,row2:x)@1", None),
    (NEW, "w1:app(row2=x)@0->1 ; c1:late(row1:a,row2:x,row2:x)@1", "told-twice"),
    (WHOLE, "w1:app(row2=x)@0->1 ; c1:appends(row2:x)@1", None),
    (WHOLE, "w1:app(row2=x)@0->1 ; c1:appends()@1", "missed-append"),
    (WHOLE, "w1:app(row2=x)@0->1 ; c1:late(row1:a)@1", "missed-append"),
    (WHOLE, "w1:app(row2=x)@0->1 ; c1:late(row1:a,row2:x)@1", None),
    (WHOLE, "w1:upd(row1=x)@0->1 ; c1:late(row1:a,row1:x)@1", "no-append"),
    (WHOLE, "w1:app(row2=x)@0->1 ; c1:early(row1:a)@1", None),
    (WHOLE, "w1:upd(row1=x)@0->1 ; c1:updates(row1:FROMa,row1:TOx)@1", None),
    (WHOLE, "w1:upd(row1=x)@0->1 ; c1:updates(row1:-a,row1:x)@1", "update-astray"),
    (WHOLE, "w1:remove(row1=-)@0->1 ; w1:app(row1=x)@1->2 ; c1:updates(row1:FROMa,row1:TOx)@2", "update-astray"),
    (WHOLE, "w1:remove(row1=-)@0->1 ; w1:app(row1=x)@1->2 ; c1:updates(row1:-a,row1:x)@2", None),
    (WHOLE, "w1:upd(row1=x)@0->1 ; c1:net(row1:-a)@1", "changes-astray"),
    (WHOLE, "w1:app(row2=x)@0->1 ; c1:main(row1:a,row2:x)@1", None),
    (WHOLE, "w1:app(row2=x)@0->1 ; c1:main(row1:a)@1", "main-astray"),
    (STAYS, "c1:early(row1:a)@0 ; w1:app(row2=x)@0->1 ; c1:early(row1:a)@1", None),
    (STAYS, "c1:early(row1:a)@0 ; w1:app(row2=x)@0->1 ; c1:early()@1", "past-changed"),
    (STAYS, "w1:app(row2=x)@0->1 ; c1:early(row1:a,row2:x)@1", "past-changed"),
    (STAYS, "w1:back(row1=-)@0->1 ; w1:publish(row1=a)@1->2 ; c1:early(row1:a)@2", None),
    (UP, "c1:appends()!InvalidOperation ; w1:app(row2=x)@0->1", None),
    (UP, "w1:app(row2=x)@0->1 ; c1:late()!InvalidOperation", None),
    (WHOLE, "w1:app(row2=x)@0->1 ; c1:appends()@0", None),
    (WHOLE, "w1:upd(row1=x)@0->1 ; c1:appends()@1", None),
    (WHOLE, "w1:upd(row1=x)@0->1 ; c1:appends(row1:x)@1", "no-append"),
    (WHOLE, "w1:app(row2=x)@0->1 ; c1:appends(row2:x,row3:y)@1", "no-append"),
    (WHOLE, "w1:transaction(row2=x)@0->1 ; c1:appends(row2:x)@1", None),
    (WHOLE, "w1:app(row2=x)@0->1 ; w1:remove(row2=-)@1->2 ; c1:appends(row2:x)@2", None),
    (WHOLE, "w1:app(row2=x)@0->1 ; w1:remove(row1=-)@1->2 ; c1:changes(row2:x,row1:-a)@2", None),
    (WHOLE, "w1:app(row2=x)@0->1 ; w1:remove(row1=-)@1->2 ; c1:changes(row2:x)@2", "changes-astray"),
    (WHOLE, "w1:upd(row1=x)@0->1 ; c1:changes(row1:-a,row1:x,row1:x)@1", "changes-astray"),
    (WHOLE, "w1:compact()@0->1 ; c1:changes(row1:a,row1:-a)@1", None),
    (STAYS, "w1:app(row2=x)@0->1 ; c1:past(row1:a)@1", None),
    (STAYS, "w1:app(row2=x)@0->1 ; c1:past(row1:a,row2:x)@1", "past-changed"),
    (STAYS, "c1:tag(row1:a)@0 ; w1:app(row2=x)@0->1 ; c1:tag(row1:a)@1", None),
    (STAYS, "c1:tag(row1:a)@0 ; w1:app(row2=x)@0->1 ; c1:tag(row1:a,row2:x)@1", "past-changed"),
    (STAYS, "c1:tag(row1:a)@0 ; w1:app(row2=x)@0->1 w2:retag() ; c1:tag(row1:a,row2:x)@1", None),
    (STAYS, "c1:main(row1:a)@0 ; w1:app(row2=x)@0->1 ; c1:main(row1:a,row2:x)@1", None),
    (UP, "w1:app(row2=x)@0->1 ; c1:main(row1:a,row2:x)@1", None),
    (UP, "w1:app(row2=x)@0->1 ; c1:main(row1:a)@0", "stale-consumer"),
    (UP, "w1:app(row2=x)@0->1 c1:main(row1:a)@0", None),
    (UP, "w1:app(row2=x)@0->1 ; w2:drop(row1=-,row2=-)@1->2 ; c1:main(row1:a)@0", None),
    (UP, "w1:app(row2=x)@0->1 ; c1:appends()!InvalidOperation", "consumer-refused"),
    (UP, "w1:app(row2=x)@0->1 ; w1:expire2() ; c1:appends()!InvalidOperation", "consumer-refused"),
    (UP, "w1:app(row2=x)@0->1 ; w1:app(row3=y)@1->2 ; w1:expire1() ; c1:appends()!InvalidOperation", None),
    (UP, "w1:app(row2=x)@0->1 ; w1:back(row2=-)@1->2 ; c1:appends()!InvalidOperation", None),
    (UP, "w1:app(row2=x)@0->1 ; c1:appends()!TableUnreadable", None),
])  # fmt: skip
def test_what_a_consumer_is_told(name, line, broken):
    """As the table's versions have it, or not."""
    assert quick(consumed(A + line), (name,)) == (f"{name}/{broken}" if broken else None)


@pytest.mark.parametrize("name", CONSUMER_CHECKS)
def test_without_consumers_there_is_no_verdict(name):
    """Nobody was told anything that could be right."""
    found = CONSUMER_CHECKS[name](Facts(consumed(A + "w1:app(row2=x)@0->1")))
    assert found == [Indeterminate("no consumer asked for anything", unseen=True)]
