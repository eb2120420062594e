"""The metastore's properties on histories written by hand: kept, and broken in every anomaly."""

import pytest

import checkers.hive  # noqa: F401  # its properties are known then
from checkers.errors import HistoryError
from checkers.histories.notation import history
from checkers.verdict import INVALID, UNKNOWN, VALID, check
from tests.unit.hive.told import EMPTY, FREE, ONE, OPEN_1, Told, anomalies, changed


def test_freshness():
    """By the list, by real time where a change has no write id, and not beyond either."""
    assert anomalies(changed().begin("r1", 2).read("r1", 2, ONE, t1="v0").history(), "freshness") == ["stale-read"]
    assert anomalies(changed().begin("r1", 2).read("r1", 2, ONE, t1="v1").history(), "freshness") == []
    assert anomalies(changed(0).begin("r1", 2).read("r1", 2, EMPTY, t1="v0").history(), "freshness") == ["stale-read"]
    before = Told().begin("r1", 2).begin("w1", 1).change("w1", 1, 1, t1="v1").end("w1", 1)
    assert anomalies(before.read("r1", 2, EMPTY, t1="v0").history(), "freshness") == []
    own = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").read("w1", 1, ONE, t1="v0")
    assert anomalies(own.history(), "freshness") == ["own-write-missed"]


def test_an_aborted_change_is_owed_to_nobody():
    """Neither to those who begin later, nor to its own session; what that had committed before still is."""
    told = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").end("w1", 1)
    told.begin("w1", 2).change("w1", 2, 2, t1="v2").end("w1", 2, "abort").begin("w1", 3).begin("r1", 4)
    for process, txn in (("w1", 3), ("r1", 4)):
        told.read(process, txn, f"t:2:{FREE}::2", t1="v1")
    assert anomalies(told.history(), "freshness") == []
    assert anomalies(told.history(), "read-your-writes") == []
    assert anomalies(told.read("w1", 3, t1="v0").history(), "read-your-writes") == ["missed-own-write"]


def test_a_change_is_owed_to_its_session_while_its_transaction_is_open():
    """It may abort later."""
    told = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").read("w1", 1, ONE, t1="v0").end("w1", 1, "abort")
    assert anomalies(told.history(), "read-your-writes") == ["missed-own-write"]


def test_an_abandoned_change_is_owed_to_nobody():
    """A session that begins anew without an end to its transaction has left it open."""
    told = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").begin("w1", 2).read("w1", 2, "t:1:1:1:", t1="v0")
    assert anomalies(told.history(), "read-your-writes") == []


def test_what_the_final_reader_may_have_seen_leaves_no_session_open():
    """A table was made and dropped: the final read shows it absent, as before or after. No session cares."""
    told = Told().change("w1", 0, 0, "create", table=2, t2="u0").change("w1", 0, 0, "drop", table=2, t2=None)
    told.read("r1", 0, t1="v0").read("r1", 0, t1="v0")
    verdict = check(told.final(t1="v0", t2=None), ["monotonic-reads"])
    assert verdict.outcome == VALID


@pytest.mark.parametrize(("unknown", "expected"), [(True, []), (False, ["dead-table-served"])])
def test_a_rename_of_unknown_outcome_may_have_given_the_name(unknown, expected):
    """The table that lost the name may have it again; nobody can say that it is dead."""
    told = Told().begin("w1", 1).change("w1", 1, 1, "rename", name="u").end("w1", 1)
    if unknown:
        told.record.info(told.record.invoke("w2", "rename", "at=h1 table=u"), "ConnectionLost: no answer")
    told.begin("r1", 2).read("r1", 2, ONE, t1="v0")
    assert anomalies(told.history(), "right-incarnation") == expected


def test_a_list_says_nothing_of_a_table_that_its_session_does_not_mean():
    """The name has changed hands since, and the ids start again."""
    told = Told(t1="v0", t2="u0").begin("w1", 1).change("w1", 1, 1, table=2, t2="u1").begin("r1", 2)
    told.read("r1", 2, ONE, seen=2, table=1, t2="u0").end("w1", 1)
    assert anomalies(told.history(), "no-dirty-reads") == []
    assert anomalies(told.history(), "freshness") == []


def test_an_old_client_that_names_no_table_id_means_what_it_is_shown():
    """It is owed what its list has."""
    told = changed().begin("r1", 2).read("r1", 2, ONE, seen=1, table=0, t1="v0")
    assert anomalies(told.history(), "freshness") == ["stale-read"]


@pytest.mark.parametrize(("refused", "expected"), [(False, ["both-committed"]), (True, [])])
def test_the_first_committer_wins(refused, expected):
    """Two transactions that overlap update one table: the second may not commit."""
    told = Told().begin("w1", 1).begin("w2", 2)
    told.note("w1", "update", "at=h1 table=t txn=1 wid=1").note("w2", "update", "at=h1 table=t txn=2 wid=2")
    told.end("w1", 1)
    op = told.record.invoke("w2", "commit", "at=h1")
    told.record.fail(op, "TxnAborted: write conflict") if refused else told.record.ok(op, arg="at=h1 txn=2")
    assert anomalies(told.history(), "first-committer-wins") == expected


def test_updates_one_after_the_other_both_commit():
    """The second begins when the first has committed."""
    told = Told()
    for txn in (1, 2):
        told.begin("w1", txn).note("w1", "update", f"at=h1 table=t txn={txn} wid={txn}").end("w1", txn)
    assert anomalies(told.history(), "first-committer-wins") == []


def test_an_operation_that_plays_two_parts_is_introduced_once():
    """One read saw a transaction's first change and lacks its second: the sentences name that read for both."""
    steps = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").change("w1", 1, 1, t1="v2").end("w1", 1).begin("r1", 2)
    (found,) = check(steps.read("r1", 2, ONE, t1="v1").history(), ("all-or-nothing",)).violations
    assert [line.split(":")[0] for line in found.sentences[:3]] == ["w1's alter (first)", "w1's alter (second)", "r1"]
    assert (
        found.sentences[4]
        == "r1 saw w1's alter (first)'s change, and r1, of the same snapshot, lacks w1's alter (second)'s."
    )


def test_external_tables_are_promised_no_freshness():
    """A read without a list."""
    assert anomalies(changed(0).read("r1", 0, t1="v0").history(), "freshness") == []


def test_all_or_nothing():
    """Two partitions of one transaction, read in one list query or in two reads of one snapshot."""
    two = (
        Told(t1="v0")
        .begin("w1", 1)
        .change("w1", 1, 1, "put-partition", p1="a")
        .change("w1", 1, 1, "put-partition", p2="b")
    )
    two.end("w1", 1).begin("r1", 2)
    assert anomalies(two.read("r1", 2, ONE, p1="a", p2="b").history(), "all-or-nothing") == []
    assert anomalies(two.read("r1", 2, ONE, p1="a", p2=None).history(), "all-or-nothing") == ["partial-transaction"]
    steps = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").change("w1", 1, 1, t1="v2").end("w1", 1).begin("r1", 2)
    assert anomalies(steps.read("r1", 2, ONE, t1="v1").history(), "all-or-nothing") == ["partial-transaction"]
    unlisted = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").change("w1", 1, 1, t1="v2").end("w1", 1).begin("r1", 2)
    assert anomalies(unlisted.read("r1", 2, OPEN_1, t1="v1").history(), "all-or-nothing") == []


def test_right_incarnation():
    """A table that lost its name before the reader began; not one that lost it later, or has it back."""
    gone = Told().begin("w1", 1).change("w1", 1, 1, "rename", name="u").end("w1", 1)
    assert anomalies(gone.begin("r1", 2).read("r1", 2, EMPTY, t1="v0").history(), "right-incarnation") == [
        "dead-table-served"
    ]
    back = Told().begin("w1", 1).change("w1", 1, 1, "rename", name="u").change("w1", 1, 1, "rename").end("w1", 1)
    assert anomalies(back.begin("r1", 2).read("r1", 2, EMPTY, t1="v0").history(), "right-incarnation") == []
    later = Told().begin("r1", 2).begin("w1", 1).change("w1", 1, 1, "drop", t1=None).end("w1", 1)
    assert anomalies(later.read("r1", 2, EMPTY, t1="v0").history(), "right-incarnation") == []
    dropped = Told().begin("w1", 1).change("w1", 1, 1, "drop", t1=None).end("w1", 1).begin("r1", 2)
    assert anomalies(dropped.read("r1", 2, EMPTY, t1="v0").history(), "right-incarnation") == ["dead-table-served"]


@pytest.mark.parametrize(
    ("ended", "writes", "tag", "anomaly"),
    [
        ("", ONE, "", "open-id-in-list"),
        ("abort", ONE, "", "aborted-id-in-list"),
        ("", EMPTY, ONE, "open-id-in-tag"),
        ("abort", EMPTY, ONE, "aborted-id-in-tag"),
        ("commit", ONE, ONE, None),
    ],
)
def test_no_dirty_reads_by_lists_and_tags(ended, writes, tag, anomaly):
    """Nothing is called committed that is not."""
    told = Told().begin("w1", 1).change("w1", 1, 1, t1="v1")
    if ended:
        told.end("w1", 1, ended)
    history = told.begin("r1", 2).read("r1", 2, writes, tag=tag, t1="v0").history()
    assert anomalies(history, "no-dirty-reads") == ([anomaly] if anomaly else [])


@pytest.mark.parametrize(("source", "expected"), [("cache", ["unfinished-write-served"]), ("database", [])])
def test_no_dirty_reads_from_a_cache(source, expected):
    """The database may show an open transaction's change; a cache may not."""
    told = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").begin("r1", 2)
    assert anomalies(told.read("r1", 2, EMPTY, source, t1="v1").history(), "no-dirty-reads") == expected


def test_a_conflict_ends_a_transaction_like_an_abort():
    """A refused commit."""
    told = Told().begin("w1", 1).change("w1", 1, 1, t1="v1")
    op = told.record.invoke("w1", "commit", "at=h1")
    told.record.fail(op, "TxnAborted: write conflict")
    history = told.begin("r1", 2).read("r1", 2, ONE, t1="v1").history()
    assert anomalies(history, "no-dirty-reads") == ["aborted-id-in-list"]


@pytest.mark.parametrize(("error", "expected"), [("NoAnswer", ["unanswered-call"]), ("ConnectionLost", [])])
def test_a_call_that_a_server_holds_is_told_from_one_whose_answer_was_lost(error, expected):
    """Both end in an unknown outcome; a fault of the network is none of the server's."""
    told = Told()
    op = told.record.invoke("w1", "alter", "at=h2 table=default.e")
    told.record.info(op, f"{error}: expected an answer, got none")
    assert anomalies(told.history(), "calls-answered") == expected


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (lambda record, op: record.ok(op, writes=(("table:1", None),)), []),
        (lambda record, op: record.ok(op, writes=()), ["dropped-nothing"]),
        (lambda record, op: record.fail(op, "NoSuchTable: default.e"), []),
        (lambda record, op: record.fail(op, "PartitionsLeft: drop of default.e"), ["refused-drop"]),
        (lambda record, op: record.info(op, "ConnectionLost: call drop_table"), []),
    ],
    ids=["dropped", "nobody has it", "told so", "refused", "not answered"],
)
def test_drops_as_told(end, expected):
    """Whoever is told of a drop has dropped something; whoever finds nothing is told that; nobody else is refused."""
    told = Told()
    end(told.record, told.record.invoke("w1", "drop", "at=h2 table=default.e"))
    assert anomalies(told.history(), "drops-as-told") == expected


def test_monotonic_reads_per_replica():
    """Backwards at one replica, not across two."""
    same = changed().read("r1", 0, t1="v1").read("r1", 0, t1="v0").history()
    assert anomalies(same, "monotonic-reads-per-replica") == ["non-monotonic-read"]
    across = changed().read("r1", 0, t1="v1").read("r1", 0, at="h1", t1="v0").history()
    assert anomalies(across, "monotonic-reads-per-replica") == []
    assert anomalies(across, "monotonic-reads") == ["non-monotonic-read"]


def test_a_sessions_own_aborted_change_counts_for_monotonic_reads():
    """The database keeps it: who was shown it, and is then shown the table before it, goes back."""
    told = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").read("w1", 1, ONE, "database", t1="v1")
    told.end("w1", 1, "abort").begin("w1", 2).read("w1", 2, f"t:1:{FREE}::1", t1="v0")
    assert anomalies(told.history(), "monotonic-reads-per-replica") == ["non-monotonic-read"]


@pytest.mark.parametrize(
    ("words", "value", "anomaly"),
    [
        ("id=1 source=cache seen=1", "v1", None),
        ("id=1 source=cache seen=1", "v0", "stale-entry"),
        ("id=1 source=database", None, "never-served"),
        ("id=1 source=cache seen=9", "v1", "dead-table-kept"),
        ("id=0 source=cache seen=9", "v1", "phantom-table"),
    ],
)
def test_convergence(words, value, anomaly):
    """What each replica would serve at the end, beside what the database has."""
    reads = {} if value is None else {"t1": value}
    history = changed().cached(words, **reads).final(t1="v1")
    assert anomalies(history, "convergence") == ([anomaly] if anomaly else [])


def test_convergence_of_the_tag():
    """An aborted write is not open for ever."""
    told = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").end("w1", 1, "abort")
    history = told.cached(f"id=1 source=cache seen=1 tag={OPEN_1}", t1="v1").final(t1="v1")
    assert anomalies(history, "convergence") == ["aborted-id-open-in-tag"]


def test_convergence_is_in_unknown_if_nobody_asked():
    """Sessions read, and no replica was looked at; a history of something else is none of its business."""
    assert check(changed().read("r1", 0, t1="v1").final(t1="v1"), ["convergence"]).outcome == UNKNOWN
    assert check(history("w1:upd(x=1)@0->1"), ["convergence"]).outcome == VALID


def test_what_is_broken_is_told_in_sentences():
    """Who wrote, under which write id, who was served what, from where."""
    verdict = check(changed().begin("r1", 2).read("r1", 2, ONE, t1="v0").history(), ["freshness"])
    assert verdict.outcome == INVALID
    assert verdict.violations[0].sentences[-2:] == (
        "w1 changed table:1 in version 1 under write id 1, which r1's list has.",
        "r1 was served 'v0' by h2 from its cache.",
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("writes=t:x", "expected a list db.table:high"),
        ("writes=t", "expected a list"),
        ("txn=one", "a number after txn="),
    ],
)
def test_malformed_words_name_their_row(words, message):
    """One line: where, expected, got."""
    told = Told()
    told.note("r1", "get-table", words)
    with pytest.raises(HistoryError, match=message):
        check(told.history(), ["freshness"])
