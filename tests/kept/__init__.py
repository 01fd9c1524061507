"""Projects as this version writes them, kept so that later versions go on opening them.

    python -m tests.kept        # writes format-1/ again: only before its format is published

A version that changes the format adds a folder of its own and leaves the earlier ones as they are.
"""
