"""One browser for all tests of a process."""

from collections.abc import Iterator

import pytest

from tests.looks import axe
from tests.looks.measure import Eye
from tests.web.chromium import PROGRAM, tab


@pytest.fixture(scope="session")
def eye(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Eye]:
    """What looks at pages."""
    if PROGRAM is None:
        pytest.skip("there is no Chromium here (Debian: apt-get install chromium)")
    with tab(tmp_path_factory.mktemp("chromium")) as page:
        yield Eye(page)


@pytest.fixture(scope="session")
def checker() -> None:
    """Skip the test if axe-core cannot be had."""
    try:
        axe.source()
    except axe.Missing as why:
        pytest.skip(str(why))
