"""The engines that run here, each started once."""

from contextlib import ExitStack

import pytest

from tests.engines.places import PLACES, Place, missing
from tests.postgres import running_postgres


@pytest.fixture(scope="session")
def postgres_url():
    if missing("postgres"):
        pytest.skip(missing("postgres"))
    with running_postgres() as url:
        yield f"{url}/postgres"


@pytest.fixture(scope="session")
def place_of(tmp_path_factory, request):
    """Makes the place of an engine, by its name."""
    with ExitStack():

        def place(name: str) -> Place:
            if missing(name):
                pytest.skip(missing(name))
            url = request.getfixturevalue("postgres_url") if name == "postgres" else ""
            return PLACES[name](tmp_path_factory.mktemp(name), url)

        yield place
