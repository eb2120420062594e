"""For searches: what counts is what was searched, and not how fast; a search of half an hour hangs."""

import pytest

LONGEST_S = 1800


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each search the time that it takes on a busy machine."""
    for item in items:
        if item.get_closest_marker("search") is not None and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(LONGEST_S))
