"""The made-up texts of the page RAPPOR: home pages of browsers, all invented."""

from collections.abc import Mapping

SHARES = {  # of a thousand browsers
    **{"search.example": 245, "news.example": 172, "town-hall.example": 130, "mail.example": 95},
    **{"weather.example": 80, "library.example": 62, "school.example": 50, "football.example": 41},
    **{"bus-times.example": 30, "recipes.example": 25, "clinic.example": 20},
    **{"free-prizes.example": 18, "choir.example": 15, "museum.example": 10, "bees.example": 7},
}
SUSPICIOUS = "free-prizes.example"
CODE = "\n".join(["shares = {", *(f"    {name!r}: {n}," for name, n in SHARES.items()), "}"])


def browsers(clients: int) -> Mapping[str, int]:
    """How many browsers have each home page, of this many.

    >>> sum(browsers(10_000).values()), browsers(1000)["bees.example"]
    (10000, 7)
    """
    return {name: share * clients // 1000 for name, share in SHARES.items()}


def nobodys(many: int) -> list[str]:
    """Candidates that nobody has."""
    return [f"nobody-{number + 1}.example" for number in range(many)]
