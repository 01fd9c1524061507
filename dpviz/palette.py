"""One colour and one symbol per tier, the same in every figure and kept while tiers come and go.

Slots 1…12 run with increasing clearance from cool (private, much noise) to warm (exposed, little
noise); slot 0 is the grey of all that belongs to no tier. Lightness alternates, so that neighbours
stay apart (CIEDE2000 at least 14) for every kind of colour vision, and each colour has a contrast
of at least 3:1 on white and on the dark paper: one palette serves both themes. Beyond 12 tiers a
few neighbours share a colour, and the symbol tells them apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from dpviz.checks import one_of, whole
from dpviz.errors import ParameterError

COLOURS = (
    "#2196B4",
    "#385FC2",
    "#8784F7",
    "#794DC1",
    "#BA73F1",
    "#B42D75",
    "#EC6586",
    "#AD454E",
    "#DC7458",
    "#A74A14",
    "#C7821B",
    "#815F13",
)
COLOUR_NAMES = (
    *("teal", "blue", "periwinkle", "violet", "orchid", "magenta"),
    *("rose", "crimson", "coral", "rust", "amber", "brown"),
)
TRUE = COLOURS[5]  # a line of what is true, where no tier is drawn
BEYOND = COLOURS[9]  # more than was promised, and what no chance can be
GREY = "#7B818A"  # 3.9:1 on white, 4.6:1 on the dark paper
ON_GREY = "#FFFFFF"  # a line across what is grey
TEAL = COLOURS[0]  # that no tier of the cast has
LAPLACE_COLOUR, GAUSS_COLOUR = TEAL, COLOURS[9]
REGION = "rgba(123,129,138,0.18)"  # grey, where 95 of 100 numbers are
GRID = "rgba(128,134,144,0.22)"
INKS = {
    "light": {
        **{"text": "#454C56", "paper": "#FFFFFF", "box": "#FFFFFF", "edge": "#C9CDD3"},
        "mark": "#14171B",
        "chosen": "#1F5FA8",
    },
    "dark": {
        **{"text": "#AEB5BF", "paper": "#14161A", "box": "#23272E", "edge": "#4A515B"},
        "mark": "#E8EAED",
        "chosen": "#8FBFF2",
    },
}
SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "triangle-down",
    "star",
    "cross",
    "x",
    "triangle-right",
    "triangle-left",
    "hexagon2",
    "pentagon",
)
GLYPHS = "●■◆▲▼★✚✖▶◀⬢⬟"
SOLID, DASHED, DOTTED, MIXED = "solid", "8px 4px", "2px 3px", "8px 3px 2px 3px"
LONG, FINE = "14px 4px", "3px 4px"  # patterns of lines, as Plotly takes them
_PATTERNS = (SOLID, DASHED, DOTTED, MIXED, LONG, "14px 4px 2px 4px")
DASHES = tuple((pattern, width) for width in (2, 3) for pattern in _PATTERNS)
MOST = len(COLOURS)

_SPREAD = {
    1: (2,),
    2: (2, 11),
    3: (2, 7, 12),
    4: (2, 5, 8, 11),
    5: (2, 3, 6, 9, 12),
    6: (1, 4, 5, 8, 9, 12),
    7: (1, 4, 5, 7, 8, 11, 12),
    8: (1, 2, 5, 6, 7, 8, 11, 12),
    9: (1, 2, 3, 6, 7, 8, 9, 10, 11),
    10: (1, 2, 3, 6, 7, 8, 9, 10, 11, 12),
    11: (1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12),
    12: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
}


@dataclass(frozen=True)
class TierStyle:
    """How one tier looks: `slot` 0…12 (0: grey, no tier) and `symbol` 0…11.

    >>> TierStyle(2, 0).colour, TierStyle(2, 0).marker, TierStyle(2, 0).glyph
    ('#385FC2', 'circle', '●')
    """

    slot: int
    symbol: int

    def __post_init__(self) -> None:
        """Refuse what has no colour or no symbol."""
        whole(0, slot=self.slot, symbol=self.symbol)
        if self.slot > MOST or self.symbol >= MOST:
            raise ParameterError(
                f"a slot is at most {MOST}, a symbol {MOST - 1}, got {self.slot}, {self.symbol}"
            )

    @property
    def name(self) -> str:
        """What the colour of the slot is called.

        >>> TierStyle(2, 0).name
        'blue'
        """
        return COLOUR_NAMES[self.slot - 1] if self.slot else "grey"

    @property
    def colour(self) -> str:
        """The colour of the slot, as "#RRGGBB"."""
        return COLOURS[self.slot - 1] if self.slot else GREY

    @property
    def marker(self) -> str:
        """The symbol by its name in Plotly."""
        return SYMBOLS[self.symbol]

    @property
    def glyph(self) -> str:
        """The symbol as one character of text."""
        return GLYPHS[self.symbol]

    @property
    def line(self) -> tuple[str, int]:
        """Dash and width, for lines that could touch one another."""
        return DASHES[self.symbol]


def slots_for(count: int) -> tuple[int, ...]:
    """Slots for `count` tiers, most private first, spread so that neighbours differ most.

    Beyond 12 tiers: 1 + ⌊12·rank / count⌋.

    Raises:
        ParameterError: `count` is not a whole number of at least 1.

    >>> slots_for(4)
    (2, 5, 8, 11)
    >>> slots_for(24)[:5]
    (1, 1, 2, 2, 3)
    """
    whole(1, count=count)
    return _SPREAD.get(count) or tuple(1 + MOST * rank // count for rank in range(count))


def rgba(colour: str, alpha: float) -> str:
    """The colour "#RRGGBB" with opacity `alpha`, as Plotly takes it.

    >>> rgba("#385FC2", 0.3)
    'rgba(56,95,194,0.3)'
    """
    red, green, blue = _channels(colour)
    return f"rgba({red},{green},{blue},{alpha})"


def rgba_on(colour: str, alpha: float, below: str, alpha_below: float) -> str:
    """What a colour looks like on another one, whatever is below both.

    >>> rgba_on("#FFFFFF", 0.5, "#000000", 1.0), rgba_on("#385FC2", 0.3, "#000000", 0.0)
    ('rgba(128,128,128,1)', 'rgba(56,95,194,0.3)')
    """
    both = alpha + alpha_below * (1 - alpha)
    pairs = zip(_channels(colour), _channels(below), strict=True)
    red, green, blue = (round((alpha * a + (both - alpha) * b) / both) for a, b in pairs)
    return f"rgba({red},{green},{blue},{both:.3g})"


def _channels(colour: str) -> list[int]:
    """Red, green and blue of "#RRGGBB"."""
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def assign_styles(
    previous: Mapping[str, TierStyle],
    names_most_private_first: Sequence[str],
    chosen: Mapping[str, str] | None = None,
) -> tuple[dict[str, TierStyle], bool]:
    """Styles for these tiers: a known tier keeps its style, a new one takes a free one.

    A colour that was chosen for a tier is its colour; who had it without choosing takes another.

    A new tier takes the middle free slot between the slots of its neighbours and the first symbol
    that no tier uses. If no slot is free, the colours of all tiers are spread again. A tier
    that is gone gives its style back. Beyond 12 tiers slot and symbol follow the rank.

    Args:
        previous: styles so far, by name of the tier.
        names_most_private_first: every tier of now, each once.
        chosen: a colour of `COLOUR_NAMES` for each tier that somebody chose one for.

    Returns:
        styles by name in the given order, and whether a known tier had to change its style
        (then the page says so).

    Raises:
        ParameterError: a name is there twice, or there is no such colour.

    >>> before, _ = assign_styles({}, ["public", "audit"])
    >>> after, changed = assign_styles(before, ["public", "partners", "audit"])
    >>> [style.slot for style in after.values()], changed
    ([2, 6, 11], False)
    >>> after, _ = assign_styles(before, ["public", "audit"], {"audit": "blue"})
    >>> [style.name for style in after.values()]
    ['teal', 'blue']
    """
    names = list(names_most_private_first)
    if len(set(names)) < len(names):
        raise ParameterError("two tiers have the same name: give each tier a different one")
    wanted = {name: _slot_of(chosen[name]) for name in names if chosen and name in chosen}
    kept = {name: previous[name] for name in names if name in previous}
    if len(names) > MOST:
        styles = _ranked(names)
        styles |= {name: TierStyle(slot, styles[name].symbol) for name, slot in wanted.items()}
    else:
        symbols = _symbols(kept, names)
        own = {
            name: style.slot
            for name, style in kept.items()
            if name not in wanted and style.slot not in wanted.values()
        }
        usual = _spread(names, wanted)
        slots = _slots(own or usual, names, wanted) or _slots(usual, names, wanted) or {}
        styles = {name: TierStyle(slots[name], symbols[name]) for name in names}
    stay = {n: s for n, s in kept.items() if n not in wanted and s.slot not in wanted.values()}
    return styles, any(styles[name] != style for name, style in stay.items())


def _slot_of(colour: str) -> int:
    one_of(COLOUR_NAMES, colour=colour)
    return 1 + COLOUR_NAMES.index(colour)


def _spread(names: list[str], wanted: Mapping[str, int]) -> dict[str, int]:
    """The usual slots of these tiers, but for those that were chosen."""
    usual = zip(names, slots_for(len(names) or 1), strict=False)
    return {n: s for n, s in usual if n not in wanted and s not in wanted.values()}


def _ranked(names: list[str]) -> dict[str, TierStyle]:
    symbols = islice(cycle(range(MOST)), len(names))
    pairs = zip(slots_for(len(names)), symbols, strict=True)
    return {name: TierStyle(*pair) for name, pair in zip(names, pairs, strict=True)}


def _symbols(kept: Mapping[str, TierStyle], names: list[str]) -> dict[str, int]:
    """Known tiers keep their symbol (the first to claim it), new ones take the first unused."""
    taken: dict[str, int] = {}
    for name, style in kept.items():
        if style.symbol not in taken.values():
            taken[name] = style.symbol
    for name in names:
        if name not in taken:
            taken[name] = min(set(range(MOST)) - set(taken.values()))
    return taken


def _slots(
    own: Mapping[str, int], names: list[str], wanted: Mapping[str, int]
) -> dict[str, int] | None:
    """Slots with everybody known where they were, or None where that cannot be."""
    if 0 in own.values() or len(set(own.values())) < len(own):
        return None  # nobody known, or more than 12 tiers shared colours until now
    slots = {**own, **wanted}
    for rank, name in enumerate(names):
        if name in slots:
            continue
        above = next((slots[n] for n in reversed(names[:rank]) if n in slots), 0)
        below = next((slots[n] for n in names[rank:] if n in slots), MOST + 1)
        low, high = sorted((above, below))
        anywhere = range(1, MOST + 1) if wanted else ()
        free = [slot for slot in range(low + 1, high) if slot not in slots.values()]
        free = free or [slot for slot in anywhere if slot not in slots.values()]
        if not free:
            return None
        slots[name] = free[(len(free) - 1) // 2]
    return slots
