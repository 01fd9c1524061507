"""Charts of the lesson on how the trick works: paths of noise, heaps of runs, and limits."""
