"""Computations for the tests of the workers; a worker loads this module and no test."""

import os
import sys
import time
from importlib import import_module
from pathlib import Path

import dpviz.ui

UI = Path(dpviz.ui.__file__).parent
HEAVY = ("sqlglot", "streamlit", "plotly", "pandas", "ibis", "duckdb")  # 100 MB that no job needs


def counted(steps, seconds=0.0):
    """Counts to `steps`, each in this many seconds; the result is the count so far."""
    for step in range(1, steps + 1):
        time.sleep(seconds)
        yield step / steps, step


def told():
    """What the process is like with every page's jobs: number, priority, heavy modules loaded."""
    pages = sorted(f"ui.{path.parent.name}" for path in UI.glob("*/jobs.py"))
    jobs = ["scenes", *pages]
    for room in jobs:
        import_module(f"dpviz.{room}.jobs")
    heavy = [name for name in HEAVY if name in sys.modules]
    priority = os.getpriority(os.PRIO_PROCESS, 0) if hasattr(os, "getpriority") else None
    yield 1.0, (os.getpid(), priority, heavy)


def silent(seconds):
    """Says nothing on the way."""
    time.sleep(seconds)
    yield 1.0, "late"


def dying():
    """Ends its process on its second step."""
    yield 0.5, "half"
    time.sleep(0.3)
    yield 0.6, "more"
    os._exit(1)


def faulty():
    """Finds something, and breaks."""
    yield 0.5, "first"
    raise ZeroDivisionError
