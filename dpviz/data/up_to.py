"""Read a stream to a limit, in no more memory than what is there needs.

`read(n)` makes room for n bytes first, however few come: 100 MB for a file of a hundred lines. The
dashboard overwrites all memory that is freed, so that such room would be written twice.
"""

import io
from typing import IO

_PIECE = 1 << 20  # bytes


def up_to(stream: IO[bytes] | io.BufferedIOBase, most: int) -> bytes:
    """The next bytes of a stream: `most` of them, or all if there are fewer.

    Args:
        stream: opened in binary mode.
        most: bytes.

    Raises:
        OSError: as the stream's own `read`.

    >>> up_to(io.BytesIO(b"a,b"), 100), up_to(io.BytesIO(b"a,b"), 2)
    (b'a,b', b'a,')
    """
    found = io.BytesIO()
    while (left := most - found.tell()) and (piece := stream.read(min(left, _PIECE))):
        found.write(piece)
    return found.getvalue()
