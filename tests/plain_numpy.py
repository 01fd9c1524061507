"""Names what numpy would have to do without to run as on an older processor.

Numpy has several ways to compute log, exp and sums, and its linear algebra (OpenBLAS) several ways
to multiply matrices; both take the one that suits the processor. They differ in the last digit.
`make plain` runs the tests with the plainest ones, by two variables of the environment:

    OPENBLAS_CORETYPE=Nehalem
    NPY_DISABLE_CPU_FEATURES="$(python -m tests.plain_numpy)"
"""

import numpy as np


def dispatched() -> list[str]:
    """The features of this processor that this numpy makes use of and can do without."""
    config = np.show_config(mode="dicts")
    assert isinstance(config, dict)
    return list(config["SIMD Extensions"].get("found", []))


if __name__ == "__main__":
    print(",".join(dispatched()))
