"""Where projects are kept in a test: in a folder, and in the full run on a real Postgres server.

SQLite keeps the same promises.
"""

import hashlib

import pytest
import sqlalchemy as sa

from dpviz.workspace.projects import Projects
from tests.conftest import few
from tests.postgres import programs, running_postgres
from tests.project_workers import PROJECT, workspace

NO_POSTGRES = "Postgres is not installed; make postgres installs it"


@pytest.fixture(scope="session")
def server():
    if programs() is None:
        pytest.skip(NO_POSTGRES)
    with running_postgres() as url:
        yield url


def new_database(url, name):
    engine = sa.create_engine(
        url.replace("postgresql:", "postgresql+psycopg:") + "/postgres",
        isolation_level="AUTOCOMMIT",
        poolclass=sa.NullPool,
    )
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    return f"{url}/{name}"


@pytest.fixture(params=few(["sqlite", "postgres"], 2))
def places(request, tmp_path):
    """Where the projects are, and where their key is: beside a server, in no folder yet."""
    if request.param == "sqlite":
        return tmp_path / "projects", tmp_path / "projects"
    name = "t" + hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:16]
    return new_database(request.getfixturevalue("server"), name), tmp_path / "user" / "keys"


@pytest.fixture
def projects(places):
    return Projects(places[0], keys=places[1])


@pytest.fixture
def ws(projects):
    """A workspace that is kept as a project."""
    made = workspace()
    projects.create(PROJECT, made)
    return made
