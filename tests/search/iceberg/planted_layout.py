"""What was planted in changes of sort orders, columns and locations: where each is looked for, and what is missing."""

from collections.abc import Mapping

from sim.iceberg.defects_statistics import STATISTICS_DEFECTS

JAVA, REST = "Java API", "Java API, REST catalog"
LAYOUT_WHERE: Mapping[str, str] = {
    "sort-order-not-asserted": REST,
    **dict.fromkeys(("added-order-taken-up", "column-ids-given-again"), "Java API, REST catalog, layout changed"),
    "hadoop-moves": "Java API, Hadoop catalog, layout changed",
    **dict.fromkeys([defect.scenario for defect in STATISTICS_DEFECTS], "Java API, layout changed"),
}
OF_ORDERS = "a property about sort orders: no row shows them"
STATISTICS_FINDINGS = tuple([defect.scenario for defect in STATISTICS_DEFECTS])
LAYOUT_MISSING: Mapping[str, str] = {
    **dict.fromkeys(("sort-orders-never-taken-up", "sort-order-not-asserted"), OF_ORDERS),
    **dict.fromkeys(("moved-files-stay", "hadoop-moves"), "a property about where files are: no row shows it"),
    **dict.fromkeys(
        ("statistics-need-a-snapshot", "partition-statistics-look-again"),
        "a property that tells who is kinder: to refuse more, or less, of statistics loses no row",
    ),
    "moves-look-again": "a property that tells who is kinder: to move a table loses nothing",
    "added-order-taken-up": "a property that tells who is kinder: not to refuse an order loses nothing",
}
