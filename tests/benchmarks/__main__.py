"""All benchmarks on one page, those of the dashboard first, and how many goals are kept.

Run by `make bench`, on a machine that does nothing else. A missed goal is no error.
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.benchmarks.table import VERDICTS

FIRST = ("bench_app", "bench_controls")


def main() -> None:
    """Run every benchmark of this folder in a process of its own."""
    found = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))
    said: list[str] = []
    for name in (*FIRST, *(n for n in found if n not in FIRST)):
        command = [sys.executable, "-m", f"tests.benchmarks.{name}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            for text in running.stdout or ():
                print(text, end="", flush=True)
                said.append(text.rstrip())
        if running.returncode:
            sys.exit(f"{name} ended with {running.returncode}")
    counted = Counter(v for text in said for v in VERDICTS if text.endswith(f", {v}"))
    print("\n" + ", ".join(f"{v}: {counted[v]}" for v in VERDICTS))
    for text in said:
        if text.endswith(f", {VERDICTS[1]}"):
            print(f"  missed: {text.split('  ')[0]}")


if __name__ == "__main__":
    main()
