"""Noise and mechanisms to begin with: tables as a visitor would type them."""

HEAD = "value, sharper, noisier"
DISCRETE_GAUSSIAN = "discrete Gaussian"


def _evenly(few: int, many: int) -> str:
    """Numbers that are all alike: a die with few sides, and one with many."""
    rows = [f"{x}, {f'1/{few}' if x <= few else 0}, 1/{many}" for x in range(1, many + 1)]
    return "\n".join((HEAD, *rows))


NOISE = {  # by name; `None` is typed as two variances
    "geometric on both sides": f"{HEAD}\n..., 1/3, 1/2\n0, 1/2, 1/3\n..., 1/3, 1/2",
    "Laplace, rounded": (
        f"{HEAD}\n..., 1/16, 1/4\n-1, 15/128, 3/16\n0, 3/4, 1/2\n1, 15/128, 3/16\n..., 1/16, 1/4"
    ),
    "binomial: 2 coins and 4": f"{HEAD}\n0, 1/4, 1/16\n1, 1/2, 4/16\n2, 1/4, 6/16\n3, 0, 4/16\n"
    "4, 0, 1/16",
    "binomial: 1 in 3, and 1 in 2": f"{HEAD}\n0, 8/27, 1/8\n1, 12/27, 3/8\n"
    "2, 6/27, 3/8\n3, 1/27, 1/8",
    "uniform: dice of 4 and 8 sides": _evenly(4, 8),
    "uniform: dice of 4 and 6 sides": _evenly(4, 6),
    DISCRETE_GAUSSIAN: None,
    "geometric, kept within ±2": (
        f"{HEAD}\n-2, 1/17, 1/10\n-1, 3/17, 2/10\n0, 9/17, 4/10\n1, 3/17, 2/10\n2, 1/17, 1/10"
    ),
}
MECHANISMS = {  # by name: the sharper table and the noisier one, a row for each data set
    "randomised response": ("7/8, 1/8\n1/8, 7/8", "5/8, 3/8\n3/8, 5/8"),
    "exponential mechanism": (
        "1/2, 1/2\n4/5, 1/5\n16/17, 1/17",
        "1/2, 1/2\n2/3, 1/3\n4/5, 1/5",
    ),
    "noisy max": ("1/2, 1/2\n7/8, 1/8\n31/32, 1/32", "1/2, 1/2\n3/4, 1/4\n7/8, 1/8"),
    "a count, clipped": (
        "4/5, 3/20, 1/20\n1/5, 3/5, 1/5\n1/20, 3/20, 4/5",
        "2/3, 1/6, 1/6\n1/3, 1/3, 1/3\n1/6, 1/6, 2/3",
    ),
}
