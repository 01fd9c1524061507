"""Tables that stay where they are: Parquet files counted by group, beside DuckDB's own GROUP BY.

Of a hundred million rows, a count without persons may take three times the processor time of the
bare statement on the same file, in the same process; to ask takes 0.1 s. Persons' bounds are
compared with a bare count of distinct pairs. Memory is that of a process which does nothing else,
and must stay below 2 GB however large the file.
Where Spark is installed, the same file is counted by a Spark of this machine too, by the clock.
Run with `python -m tests.benchmarks.bench_engines`, and with the number of rows for other files
than the usual ones: `python -m tests.benchmarks.bench_engines 100000000` (1 GB on the disk).
"""

import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

from dpviz.data import Address, TableSource, open_source
from dpviz.data.engines.files import MEMORY
from dpviz.queries import Bounds, ByColumn, Count
from tests.benchmarks.table import heading, line
from tests.engines.places import missing

ROWS = (1_000_000, 10_000_000)
WARDS = tuple(f"ward {i}" for i in range(50))
LARGE = 100_000_000  # smaller files are counted in less time than it takes to ask
RATIO_GOAL = 3.0  # times the bare statement, of a count without persons
MEMORY_GOAL = 2000.0  # megabytes
ROUNDS = 3  # of a large file one, as its persons take minutes
BARE = "SELECT ward, count(*) FROM '{}' GROUP BY ward"
PAIRS = "SELECT ward, count(*) FROM (SELECT DISTINCT person, ward FROM '{}') GROUP BY ward"
BOUNDED = Bounds(person="person", groups_per_person=2, rows_per_group=1)


def write(path: Path, rows: int) -> None:
    """Ten rows of each person, in 50 wards."""
    with duckdb.connect(config={"memory_limit": "1GB"}) as connection:
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(
            f"COPY (SELECT 'p' || (hash(i) % {rows // 10}) AS person,"
            f" 'ward ' || (hash(i + 7) % 50) AS ward FROM range({rows}) t(i))"
            f" TO '{path}' (FORMAT parquet)"
        )


def spent(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of all processors together, and by the clock."""
    began, clock = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - began, time.perf_counter() - clock


def bare(path: Path, statement: str) -> tuple[float, float]:
    """What DuckDB itself takes, with as much memory as a source has."""
    config = {"memory_limit": f"{MEMORY} bytes", "temp_directory": str(path.parent)}
    with duckdb.connect(config=config) as connection:
        connection.execute("SET enable_progress_bar = false")
        return spent(connection.sql(statement.format(path)).fetchall)


def counted(path: Path, bounds: Bounds, *, spark: bool = False) -> tuple[float, float]:
    """What a count of the source takes, without the time to connect."""
    address, name = ("spark://local", f"parquet.`{path}`") if spark else (str(path), "")
    source = TableSource(name="visits", address=Address(address), table=name, seconds=3600.0)
    table = open_source(source)
    query = Count(ByColumn("ward", WARDS), bounds)
    try:
        return spent(lambda: query.values(table))
    finally:
        table.close()


def measure(
    path: str, bounds: Bounds | None, statement: str, rounds: int
) -> list[tuple[float, ...]]:
    """Several times both, one after the other; once before, as the first question loads Ibis."""
    counted(Path(path).with_name("small.parquet"), bounds or Bounds())
    found = []
    for _ in range(rounds):
        ours, clock = counted(Path(path), bounds or Bounds())
        found.append((ours, bare(Path(path), statement)[0], clock))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [(*one, peak) for one in found]


def by_spark(path: str, bounds: Bounds | None) -> float:
    """Seconds by the clock of the same count by a Spark that has counted a small file before."""
    counted(Path(path).with_name("small.parquet"), bounds or Bounds(), spark=True)
    return counted(Path(path), bounds or Bounds(), spark=True)[1]


def main() -> None:
    """Print a table for each size of file."""
    sizes = [int(word) for word in sys.argv[1:]] or ROWS
    fresh = multiprocessing.get_context("spawn")
    for rows in sizes:
        rounds = 1 if rows >= LARGE else ROUNDS
        heading(f"A Parquet file of {rows:,} rows that stays where it is")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "visits.parquet")
            write(path, rows)
            write(path.with_name("small.parquet"), 1000)
            for what, bounds, statement, goal in (
                ("by group", None, BARE, RATIO_GOAL if rows >= LARGE else None),
                ("by group, two groups of a person", BOUNDED, PAIRS, None),
            ):
                with fresh.Pool(1) as pool:
                    found = pool.apply(measure, (str(path), bounds, statement, rounds))
                ours, theirs, clock, peak = zip(*found, strict=True)
                ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
                line(f"{what}, times the bare statement", ratios, "×", goal)
                line(f"{what}, seconds", clock, "s", floor=min(theirs))
                line(f"{what}, memory at most", max(peak), "MB", MEMORY_GOAL)
                if not missing("spark"):
                    with fresh.Pool(1) as pool:
                        spark = pool.apply(by_spark, (str(path), bounds))
                    line(f"{what}, seconds by Spark", spark, "s", floor=min(clock))


if __name__ == "__main__":
    main()
