"""The words of a metastore operation (`hive_facts`) as a person reads them.

in_words("at=h2 table=default.t txn=2 id=1 writes=default.t:1:9223372036854775807:: source=cache seen=1")
"default.t at h2 (transaction 2, list [1:], from the cache)"
"""

from checkers.words import Words

_CALL = "at="


def words_in(text: str | None) -> dict[str, str]:
    """The words `key=value` of an `arg`. A later one of the same key replaces an earlier one."""
    return dict(word.split("=", 1) for word in (text or "").split() if "=" in word)


def in_words(text: str) -> str:
    """An `arg` in a sentence; one that is not of a metastore operation as it stands."""
    if not text.startswith(_CALL):
        return text
    words = words_in(text)
    table = words.get("name") or words.get("table", "")
    before = words.get("table", "")
    head = f"{before} to {table} " if before and before != table else f"{table} " if table else ""
    about = []
    if words.get("txn", "0") != "0":
        about.append(f"transaction {words['txn']}")
    if words.get("wid", "0") != "0":
        about.append(f"write id {words['wid']}")
    if "writes" in words:
        about.append(f"list {short_form(words['writes'])}")
    if "source" in words:
        about.append(f"from the {words['source']}" + (f" tagged {short_form(words['tag'])}" if "tag" in words else ""))
    return f"{head}at {words['at']}" + (f" ({', '.join(about)})" if about else "")


def short_form(text: str) -> str:
    """A list `db.table:high:min_open:open:aborted` as the design document writes it: `[12:7,8,12]`."""
    fields = [*text.split(":"), "", "", "", ""]
    ids = sorted(int(word) for field in fields[3:5] for word in field.split(",") if word.isdigit())
    return f"[{fields[1]}:{','.join(map(str, ids))}]"


def _argument(text: str) -> str | None:
    return in_words(text) if text.startswith(_CALL) else None


WORDS = Words(argument=_argument)
