"""What the source document claims of Iceberg's transactions and of isolation on snapshots, each on the variant named.

The document is in Chinese; a claim has its words, and their sense in English. `document_test` plays its own test.

Source: iceberg/5; the document's sections are named at the claims.
"""

from sim.iceberg.claims_of_code import OF_THE_CODE
from sim.iceberg.claims_of_isolation import ISOLATION
from sim.iceberg.claims_of_test import OF_THE_TEST
from sim.search.claims import Claim

CLAIMS: tuple[Claim, ...] = (*ISOLATION, *OF_THE_TEST, *OF_THE_CODE)
"""Every claim of the document that a run can answer."""
