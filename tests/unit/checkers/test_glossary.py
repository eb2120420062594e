"""Every property is explained, and the page has what the code says."""

from checkers.glossary import meanings, table
from checkers.jepsen.judge import OWN
from checkers.properties import PROPERTIES
from tests.unit.house.rules import ROOT


def test_every_property_is_explained_in_the_order_of_reports():
    """Those of any history, and before them those of Jepsen's."""
    assert tuple(meanings()) == (*OWN, *PROPERTIES)
    assert all(one.means and one.needs for one in meanings().values())


def test_the_table_in_the_documents_is_the_one_of_the_code():
    """`python -m checkers.glossary` prints it."""
    page = (ROOT / "docs" / "histories.md").read_text(encoding="utf-8")
    assert "\n".join(table()) in page
