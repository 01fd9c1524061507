"""What bounds one person's contribution, and between which two tables the guarantee holds.

ℓ₀ is the number of groups in which a person counts, ℓ∞ the number of their rows that count in each.
The queries keep both bounds themselves, by a public rule that looks at one person's rows alone: the
first ℓ₀ of their groups, and in each the first ℓ∞ rows in the order of the table: of the file, or
of `Table.turns` where a table stays in its engine. So adding or removing somebody changes nothing
for the others. Which groups are first is the order of the list, or with a salt an order that looks
random and is another one for each person, so that no group is always last: by the MD5 of salt,
group and person, as 32 hexadecimal digits, which every engine computes alike. Nothing rests on MD5
being hard to invert: the salt is public, and the bound holds for every order.
"""

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from dpviz import checks
from dpviz.data import quoted
from dpviz.errors import ParameterError
from dpviz.queries.nouns import PERSON, Nouns
from dpviz.words import capitalised

Relation = Literal["add/remove", "replace"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
MOST_ROWS = 1_000_000  # ℓ∞; beyond it no file of 100 MB has a person
LONGEST_SALT = 40  # characters


@dataclass(frozen=True, slots=True)
class Bounds:
    """Who one person is, and how much of them counts.

    Attributes:
        person: the column that identifies the person; None: each row is one person, or counts for
            itself.
        groups_per_person: ℓ₀, in how many groups a person counts at most.
        rows_per_group: ℓ∞, how many rows of a person count in a group at most.
        relation: which tables are neighbours: one person more or less, or one replaced by another.
        salt: a public text that shuffles the groups of each person; empty: the first in the order
            of the list count.
        several_rows: where no column identifies the person, whether one can have several rows:
            False: no; True: yes, so a row is the unit of privacy; None: nobody has said, and each
            row is taken for one person. No number depends on it.
        nouns: what the unit of privacy, rows and numbers are called. Bounds that differ in these
            words or in `several_rows` alone are equal.

    Raises:
        ParameterError: if a number, the relation or the salt cannot be used, or `several_rows` is
            said beside a person's column.

    >>> Bounds(person="id", groups_per_person=2).unit
    'one person = all rows with the same “id”'
    >>> Bounds(person="id", groups_per_person=2, salt="rotterdam").first_in("the order of the list")
    'the first 2 in an order that the public salt “rotterdam” shuffles for each person'
    >>> Bounds(person="tail", nouns=Nouns(one="aircraft", row="flight", rows="flights")).unit
    'one aircraft = all flights with the same “tail”'
    >>> Bounds(several_rows=True).unit
    'one row is protected by itself (anyone who has several is protected less)'
    """

    person: str | None = None
    groups_per_person: int = 1
    rows_per_group: int = 1
    relation: Relation = "add/remove"
    salt: str = ""
    several_rows: bool | None = field(default=None, compare=False, repr=False)
    nouns: Nouns = field(default=PERSON, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("groups_per_person", "rows_per_group"):
            object.__setattr__(self, name, checks.integer(1, **{name: getattr(self, name)}))
        if self.rows_per_group > MOST_ROWS:
            raise ParameterError(
                f"rows_per_group must be at most {MOST_ROWS:,}; type a smaller one"
            )
        checks.one_of(RELATIONS, relation=self.relation)
        checks.instance(Nouns, nouns=self.nouns)
        object.__setattr__(self, "salt", _checked_salt(self.salt))
        self._check_several_rows()
        if self.person is not None:
            checks.instance(str, person=self.person)
        else:
            if self.salt:
                raise ParameterError(
                    "salt must be empty where each row is one person, because a row is in one "
                    "group; name the person's column"
                )
            for name in ("groups_per_person", "rows_per_group"):
                if getattr(self, name) != 1:
                    raise ParameterError(
                        f"{name} must be 1 where each row is one person, because a row is in "
                        f"one group; got {getattr(self, name)}"
                    )

    def _check_several_rows(self) -> None:
        """Refuse an answer that the person's column gives; where a row is the unit, call it so."""
        if self.several_rows is None:
            return
        checks.instance(bool, several_rows=self.several_rows)
        if self.person is not None:
            raise ParameterError(
                "several_rows must be left out where a column names the person: all rows with the "
                "same value are one person’s"
            )
        if self.several_rows:
            words = replace(self.nouns, one=self.nouns.row, many=self.nouns.rows)
            object.__setattr__(self, "nouns", words)

    @property
    def unsaid(self) -> bool:
        """Whether nobody has said if one person can have several rows."""
        return self.person is None and self.several_rows is None

    @property
    def unit(self) -> str:
        """The unit of privacy: what is one person."""
        if self.several_rows:
            return (
                f"one {self.nouns.row} is protected by itself (anyone who has several is protected "
                "less)"
            )
        if self.person is None:
            return f"one {self.nouns.one} = one {self.nouns.row}"
        same = f"all {self.nouns.rows} with the same {quoted(self.person)}"
        return f"one {self.nouns.one} = {same}"

    @property
    def left_out(self) -> str:
        """Which rows are of nobody and so are not counted, one sentence, or nothing.

        >>> Bounds(person="id").left_out
        'Rows without “id” are not counted.'
        """
        if self.person is None:
            return ""
        return f"{capitalised(self.nouns.rows)} without {quoted(self.person)} are not counted."

    def first_in(self, order: str) -> str:
        """Which groups of a person count, to go on a sentence.

        Args:
            order: what the groups are sorted by where there is no salt, "the order of the list".

        >>> Bounds(person="id").first_in("the order of the list")
        'the first 1 in the order of the list'
        """
        if self.salt:
            salt = quoted(self.salt)
            order = f"an order that the public salt {salt} shuffles for {self.nouns.each}"
        return f"the first {self.groups_per_person:,} in {order}"

    @property
    def neighbours(self) -> str:
        """The neighbouring relation: the two tables between which the guarantee holds."""
        return (
            f"{'replace' if self.relation == 'replace' else 'add or remove'} one {self.nouns.one}"
        )

    def moved(self, k: int) -> tuple[int, str, str]:
        """How many of k groups one person moves: ℓ₀, or if a person is replaced min(2ℓ₀, k).

        Returns:
            The number, its formula, and the formula with numbers.

        Raises:
            ParameterError: k is not a whole number of at least 0.

        >>> Bounds(person="id", groups_per_person=2, relation="replace").moved(5)
        (4, '2ℓ₀', '2·2')
        >>> Bounds(person="id", groups_per_person=2, relation="replace").moved(3)
        (3, 'k', '3')
        """
        k, l0 = checks.integer(0, k=k), self.groups_per_person
        if self.relation == "add/remove":
            return l0, "ℓ₀", f"{l0}"
        return (2 * l0, "2ℓ₀", f"2·{l0}") if 2 * l0 <= k else (k, "k", f"{k}")

    def shared(self, k: int) -> int:
        """In how many groups two persons who both count in ℓ₀ of k must meet: max(0, 2ℓ₀ − k).

        Raises:
            ParameterError: k is not a whole number of at least 0.
        """
        return max(0, 2 * self.groups_per_person - checks.integer(0, k=k))


def _checked_salt(salt: str) -> str:
    """The salt without white space around it."""
    text = salt.strip() if isinstance(salt, str) else "\0"
    if len(text) > LONGEST_SALT or not text.isprintable():
        raise ParameterError(
            f"salt must be a public text of at most {LONGEST_SALT} plain characters, such as "
            "“spring 2026”"
        )
    return text


EACH_ROW_A_PERSON = Bounds()
