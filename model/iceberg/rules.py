"""The named variants of the protocol: what Iceberg 1.11.0 ships, and what would repair it.

Every default is the shipped behaviour. A variant is `dataclasses.replace(SHIPPED, ...)`.

Source: iceberg/2 (the loop that all variants share), and what stands at the single rules.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Where variants of the protocol differ; read the name as a statement that is true of the variant.

    Fields:

    * `delete_validates_new_delete_files`: a merge-on-read DELETE refuses concurrent delete files for its rows, as an
      UPDATE does. Shipped: it does not, and a deleted row can come back (I1, iceberg/4.1). The repair is I9's.
    * `self_check_first`: a retry looks for its own snapshot before it validates, and takes it for success wherever it
      stands below the head. Shipped: it validates first, against its own commit, and sets main back to a snapshot that
      it finds below the head (iceberg/2.1, J24). Upstream has no such option. Who moves a branch has no snapshot of
      his own to look for, nor has who finds the table dropped: they may be refused what was done.
    * `requires_named_files_only`: a retry requires the files that were named for removal, and no others. Shipped: also
      delete files that its first attempt dropped as old; if the commit that won dropped them, too, it is refused.
      Upstream has no such option.
    * `knows_manifests_by_number`: a manifest that an earlier attempt has met is known again by its path, its sequence
      number and its first row id. Shipped: by its path, so that a transaction that is applied again lists what its
      earlier updates added under the number of the first attempt, which is too old, and with row ids that another
      commit has taken since. Upstream has no such option.
    * `manifests_carry_row_ids`: Spark's `rewrite_manifests` writes the first row ids of data files. Shipped: it leaves
      them out, and all rows of the manifest get new ids. The repair is #16699, of 1.11.x (#16761).
    * `added_files_count`: which delete files are too old for all data is told by the files that a commit adds, too.
      Shipped: by those alone that stay, so that a compaction which pins the sequence number of its files drops equality
      deletes that they need. The repair is proposed upstream (#10312, #10962).
    * `validates_all_new_deletes`: an overwrite refuses every concurrent delete file that may be of a file that it
      replaces. Shipped: those alone that may be of the conflict filter, by their bounds: so an equality delete of
      another row of that file is undone. Upstream has no such option.
    * `idempotency_key`: every REST commit carries a key under which the service repeats its first answer. Off by
      default in 1.11.0, and of use only with a service that honours it (iceberg/3.3, #14740).
    * `hive_heartbeat`: the Hive catalog's lock is kept alive by heartbeats while a commit lasts, since 1.1.0 (J06).
      Without them a lock ends with its lease.
    * `roll_back_needs_head`: a roll-back is refused if `main` is not where it was when the roll-back was made. Shipped:
      it is applied again to whatever is there, and takes commits with it that nobody has looked at. Upstream has no
      such option.
    * `expiry_asserts_refs`: over REST, who removes snapshots requires that every ref is where it was. Shipped: no ref
      is required to be anywhere, and one that points to such a snapshot by then goes with it, main too. Upstream has no
      such option.
    * `expiry_chooses_anew`: each attempt of an expiry chooses what goes, by the table that it has loaded. Shipped: what
      an earlier attempt has chosen goes, too, whatever refs say they keep by then. Upstream has no such option.
    * `expiry_keeps_live_files`: an expiry deletes no file that is in use still. Shipped: what goes by an entry that
      says it was removed is deleted, a Puffin file with other deletion vectors, too. Upstream has no such option.
    * `expiry_cleans_as_committed`: which files an expiry deletes is told by the table as its own commit has made it.
      Shipped: by the table as it is loaded then, so that a catalog which answers that load with an older one has it
      delete the files of newer snapshots; and in Spark by the table as its session had it before, so that files of what
      was committed and has expired since stay. Upstream has no such option.
    * `specs_stay_known`: who removes partition specs requires over REST that main, too, is where it was; and each
      attempt of a commit that adds files refuses if the table does not have their spec any more, and requires over REST
      that the specs are those that it has loaded. Shipped: none of it, and a manifest may come to be of a spec
      that the table does not know. Upstream has no such option.
    * `schemas_stay_known`: over REST, who removes schemas requires that main, too, is where it was, and who adds a
      snapshot that the current schema is the one that it has loaded. Shipped: neither, and a snapshot may come to be
      of a schema that the table does not have. Upstream has no such option.
    * `creation_looks_again`: the Hive catalog, told that the table exists which it creates, looks whether it is its
      own. Shipped: it deletes the metadata file, which the table names if the metastore's client has sent the creation
      twice. Upstream has no such option.
    * `rewrite_remembers_start`: each commit of a `rewrite_data_files` in several goes by the sequence number that was
      read at first. Shipped: the snapshot is looked up anew, and where it has expired the commit is given up, and its
      files stay (apache/iceberg#17202). Upstream has no such option: that the call fails was proposed
      (apache/iceberg#17204, closed).
    * `pinned_scan_asks_again`: whether a session's branch (`spark.wap.branch`) is there is asked anew by a pinned scan
      that is filtered. Shipped: it goes by what there was when it was planned, and is filtered by another one's scan of
      a branch that was made meanwhile (`model.iceberg.group_filter`). Upstream has no such option.
    * `rename_compares`: a rename on the Hive catalog has the metastore compare the location that it puts back. Shipped:
      it puts the one back that it has read. Upstream has no such option; iceberg-go locks both names and reads again
      (iceberg-go#1442).
    * `purge_compares`: who drops a table to delete its files, over REST or on JDBC, has the catalog compare its uuid.
      Shipped: what has the name is dropped, and the files go of the table that is known by it. Upstream has no such
      option.
    * `gone_keeps_files`: a commit that is told that there is no table of that name deletes nothing. Shipped: it deletes
      its files, also if an earlier sending of it was applied, and the table has another name since. Upstream has no
      such option.
    * `strict_transaction_cleanup`: a transaction deletes its files only after an error that is cleanable, since 1.4.0
      (#8397). Before, and as the source document shows it: after any error but an unknown outcome.
    """

    delete_validates_new_delete_files: bool = False
    self_check_first: bool = False
    requires_named_files_only: bool = False
    knows_manifests_by_number: bool = False
    manifests_carry_row_ids: bool = False
    added_files_count: bool = False
    validates_all_new_deletes: bool = False
    idempotency_key: bool = False
    hive_heartbeat: bool = True
    roll_back_needs_head: bool = False
    expiry_asserts_refs: bool = False
    expiry_chooses_anew: bool = False
    expiry_keeps_live_files: bool = False
    expiry_cleans_as_committed: bool = False
    specs_stay_known: bool = False
    schemas_stay_known: bool = False
    creation_looks_again: bool = False
    rewrite_remembers_start: bool = False
    pinned_scan_asks_again: bool = False
    rename_compares: bool = False
    purge_compares: bool = False
    gone_keeps_files: bool = False
    strict_transaction_cleanup: bool = True


SHIPPED = Rules()
DELETE_VALIDATES_DELETES = replace(SHIPPED, delete_validates_new_delete_files=True)
SELF_CHECK_FIRST = replace(SHIPPED, self_check_first=True)
NAMED_FILES_ONLY = replace(SHIPPED, requires_named_files_only=True)
MANIFESTS_BY_NUMBER = replace(SHIPPED, knows_manifests_by_number=True)
CARRIED_ROW_IDS = replace(SHIPPED, manifests_carry_row_ids=True)
ADDED_FILES_COUNT = replace(SHIPPED, added_files_count=True)
ALL_NEW_DELETES = replace(SHIPPED, validates_all_new_deletes=True)
IDEMPOTENT = replace(SHIPPED, idempotency_key=True)
ROLL_BACK_NEEDS_HEAD = replace(SHIPPED, roll_back_needs_head=True)
EXPIRY_ASSERTS_REFS = replace(SHIPPED, expiry_asserts_refs=True)
EXPIRY_CHOOSES_ANEW = replace(SHIPPED, expiry_chooses_anew=True)
EXPIRY_KEEPS_LIVE_FILES = replace(SHIPPED, expiry_keeps_live_files=True)
EXPIRY_CLEANS_AS_COMMITTED = replace(SHIPPED, expiry_cleans_as_committed=True)
SPECS_STAY_KNOWN = replace(SHIPPED, specs_stay_known=True)
SCHEMAS_STAY_KNOWN = replace(SHIPPED, schemas_stay_known=True)
CREATION_LOOKS_AGAIN = replace(SHIPPED, creation_looks_again=True)
REWRITE_REMEMBERS_START = replace(SHIPPED, rewrite_remembers_start=True)
PINNED_SCAN_ASKS_AGAIN = replace(SHIPPED, pinned_scan_asks_again=True)
RENAME_COMPARES = replace(SHIPPED, rename_compares=True)
PURGE_COMPARES = replace(SHIPPED, purge_compares=True)
GONE_KEEPS_FILES = replace(SHIPPED, gone_keeps_files=True)
NO_HEARTBEAT = replace(SHIPPED, hive_heartbeat=False)
CLEANS_AFTER_ANY_ERROR = replace(SHIPPED, strict_transaction_cleanup=False)

VARIANTS = {
    "shipped": SHIPPED,
    "delete-validates-deletes": DELETE_VALIDATES_DELETES,
    "self-check-first": SELF_CHECK_FIRST,
    "named-files-only": NAMED_FILES_ONLY,
    "manifests-by-number": MANIFESTS_BY_NUMBER,
    "manifests-carry-row-ids": CARRIED_ROW_IDS,
    "added-files-count": ADDED_FILES_COUNT,
    "all-new-deletes": ALL_NEW_DELETES,
    "idempotent": IDEMPOTENT,
    "roll-back-needs-head": ROLL_BACK_NEEDS_HEAD,
    "expiry-asserts-refs": EXPIRY_ASSERTS_REFS,
    "expiry-chooses-anew": EXPIRY_CHOOSES_ANEW,
    "expiry-keeps-live-files": EXPIRY_KEEPS_LIVE_FILES,
    "expiry-cleans-as-committed": EXPIRY_CLEANS_AS_COMMITTED,
    "specs-stay-known": SPECS_STAY_KNOWN,
    "schemas-stay-known": SCHEMAS_STAY_KNOWN,
    "creation-looks-again": CREATION_LOOKS_AGAIN,
    "rewrite-remembers-start": REWRITE_REMEMBERS_START,
    "pinned-scan-asks-again": PINNED_SCAN_ASKS_AGAIN,
    "rename-compares": RENAME_COMPARES,
    "purge-compares": PURGE_COMPARES,
    "gone-keeps-files": GONE_KEEPS_FILES,
    "no-heartbeat": NO_HEARTBEAT,
    "cleans-after-any-error": CLEANS_AFTER_ANY_ERROR,
}
