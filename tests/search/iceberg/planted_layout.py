"""What was planted in changes of sort orders, columns and locations: where each is looked for, and what is missing."""

from collections.abc import Mapping

JAVA, REST = "Java API", "Java API, REST catalog"
LAYOUT_WHERE: Mapping[str, str] = {
    **dict.fromkeys(("sort-order-not-asserted", "added-order-taken-up"), REST),
    "hadoop-moves": "Java API, Hadoop catalog",
}
OF_ORDERS = "a property about sort orders: no row shows them"
LAYOUT_MISSING: Mapping[str, str] = {
    **dict.fromkeys(("sort-orders-never-taken-up", "sort-order-not-asserted"), OF_ORDERS),
    "column-ids-given-again": "a property about the ids of columns: no row shows them",
    **dict.fromkeys(("moved-files-stay", "hadoop-moves"), "a property about where files are: no row shows it"),
    "moves-look-again": "a property that tells who is kinder: to move a table loses nothing",
    "added-order-taken-up": "a property that tells who is kinder: not to refuse an order loses nothing",
}
