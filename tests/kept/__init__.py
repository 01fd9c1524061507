"""Projects as this version writes them, kept so that later versions go on opening them.

    python -m tests.kept        # writes those of `KEPT` that are not there yet

A version that changes the format, or adds a kind of record to it, adds a folder of its own and
leaves the earlier ones as they are.
"""
