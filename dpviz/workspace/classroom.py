"""Classes: who draws which number in which order, in the memory of this server for two hours.

A class has a code of six letters, which lets a student in, and a secret, which lets its teacher go
on to the second round, shuffle who asks first, and end it. It holds made-up names, the tiers that
they were dealt, the order in which students pressed, what they answered and how often they were
right in a game: no number that was drawn (these follow from the seed of the class and the
order, see `dpviz.scenes.classroom`), and nothing of a visitor's table.

Limits: who has the code may join as often as there is room, and who copies a student's pass draws
in that student's name. Codes can be guessed: `Doors` lets so few wrong ones through that all
guessers together find a class in fewer than 1 of 1,000 lessons.
"""

import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from dpviz import checks, streams
from dpviz.errors import ParameterError
from dpviz.planning.cast import AUDIT, PARTNERS, PUBLIC, RESEARCH, TOWNS

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowel, so no word; none looks like another
LENGTH = 6
HOURS = 2
LASTS = 3600.0 * HOURS  # seconds
MOST_CLASSES, MOST_STUDENTS = 20, 200
QUIET = 600.0  # seconds without an act or a board, after which a class makes room for another
MOST_WRONG, MOST_WRONG_IN_ALL = 10, 200  # codes that a visitor, or all, may guess wrong
WINDOW = 600.0  # seconds in which they may
MOST_QUESTIONS, LONGEST = 60, 200  # votes of a class, and letters of a question or an answer
FOUR_TIERS, AUDITORS = DEALT = (AUDIT, RESEARCH, PARTNERS, PUBLIC), (AUDIT,)
Round = Literal[0, 1]
SEPARATE: Round = 0
ONE_PATH: Round = 1
ROUNDS: tuple[Round, ...] = (SEPARATE, ONE_PATH)

NO_SUCH_CLASS = "No class has this code; type the six letters that stand on the board"
OVER = "This class is over; ask your teacher for the code of a new one"
WAIT = (
    "Too many wrong codes were tried; wait ten minutes, then type the six letters that stand on "
    "the board"
)
FULL = f"This class has {MOST_STUDENTS} students, as many as it holds; watch the board instead"
ALL_TAKEN = (
    f"{MOST_CLASSES} classes are open on this server, as many as it holds; try again in ten minutes"
)
NOT_YOURS = "This class is over, or another teacher’s; open a class of your own"

_ADJECTIVES = (
    *("Amber", "Bold", "Brave", "Bright", "Busy", "Calm", "Cheerful", "Clever", "Cosy", "Curious"),
    *("Eager", "Early", "Fair", "Fancy", "Gentle", "Glad", "Golden", "Happy", "Honest", "Jolly"),
    *("Keen", "Kind", "Lively", "Lucky", "Merry", "Neat", "Nimble", "Noble", "Patient", "Polite"),
    *("Quick", "Quiet", "Royal", "Silver", "Smart", "Sunny", "Swift", "Tidy", "Warm", "Wise"),
)
_ANIMALS = (
    *("Badger", "Bear", "Beaver", "Bee", "Bison", "Crane", "Deer", "Dolphin", "Duck", "Eagle"),
    *("Falcon", "Finch", "Fox", "Frog", "Gecko", "Goose", "Hare", "Hedgehog", "Heron", "Horse"),
    *("Ibex", "Koala", "Lark", "Lion", "Lynx", "Magpie", "Mole", "Moose", "Newt", "Otter"),
    *("Owl", "Panda", "Penguin", "Puffin", "Robin", "Seal", "Swan", "Tiger", "Whale", "Wren"),
)


class NoClassError(ParameterError):
    """A code belongs to no class, or to none any more."""


@dataclass(frozen=True, slots=True)
class Student:
    """One student, under a made-up name, and the tier that this student reads for."""

    name: str
    tier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """A class at one moment.

    Attributes:
        code: six letters.
        seed: of all its noise.
        tiers: which the students are dealt in turn.
        students: in the order in which they came.
        asked: for each round, the places of the students who drew, in the order of asking.
        round: that is open, `SEPARATE` or `ONE_PATH`.
        shuffles: how often the second round was drawn again in another order.
        votes: how many gave which answer, by question.
        told: questions whose answers the teacher has shown, so that nobody votes on them any more.
        scores: right guesses about twenty towns with noise, one of each student who played, sorted.
        edition: how often the class has changed.

    Raises:
        ParameterError: a number is not whole and at least 0, there is no such round, a student who
            is not in the class has drawn, or a score is above twenty.
    """

    code: str
    seed: int
    tiers: tuple[str, ...]
    students: tuple[Student, ...] = ()
    asked: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    round: Round = SEPARATE
    shuffles: int = 0
    votes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    edition: int = 0

    def __post_init__(self) -> None:
        checks.whole(0, seed=self.seed, shuffles=self.shuffles, edition=self.edition)
        checks.whole(0, round=self.round)
        if self.round not in ROUNDS:
            raise ParameterError(f"a class has the rounds 0 and 1, got {self.round}")
        for place in (place for order in self.asked for place in order):
            checks.whole(0, place=place)
            if place >= len(self.students):
                raise ParameterError(f"student {place} is not in the class, so has drawn nothing")
        for score in self.scores:
            checks.whole(0, score=score)
            checks.between(0, TOWNS, score=score)
        for tally in self.votes.values():
            for count in tally.values():
                checks.whole(0, count=count)

    @property
    def turn(self) -> tuple[int, int]:
        """What a student waits for: the next round, or another order."""
        return self.round, self.shuffles


@dataclass(slots=True, repr=False, eq=False)
class _Class:
    """What is kept of a class."""

    secret: str
    began: float
    acted: float
    now: Register
    passes: dict[str, int] = field(default_factory=dict)  # of students: their places
    voted: dict[str, dict[int, str]] = field(default_factory=dict)
    among: dict[str, tuple[str, ...]] = field(default_factory=dict)  # answers to choose from
    scored: dict[int, int] = field(default_factory=dict)


class Doors:
    """Wrong codes of the last minutes: who tried too many waits, and all do if all tried too many.

    Those who wait are not told whether their code is right, so waiting cannot be avoided by opening
    another tab; who is in a class already is not asked again.
    """

    def __init__(self) -> None:
        self._wrong: deque[tuple[float, str, str]] = deque(maxlen=MOST_WRONG_IN_ALL)

    def check(self, visitor: str, now: float) -> None:
        """Refuse a visitor who must wait.

        Raises:
            ParameterError: `WAIT`.
        """
        while self._wrong and self._wrong[0][0] <= now - WINDOW:
            self._wrong.popleft()
        own = sum(who == visitor for _, who, _ in self._wrong)
        if own >= MOST_WRONG or len(self._wrong) >= MOST_WRONG_IN_ALL:
            raise ParameterError(WAIT)

    def wrong(self, visitor: str, code: str, now: float) -> None:
        """Note a wrong code; the same one by the same visitor, of a page run again, once."""
        if all((who, tried) != (visitor, code) for _, who, tried in self._wrong):
            self._wrong.append((now, visitor, code))


class Classes:
    """All classes of a server; any thread may use it.

    >>> classes = Classes()
    >>> code, secret = classes.open()
    >>> mine = classes.join(code, visitor="a tab")
    >>> classes.press(code, mine)
    >>> register = classes.seen(code, secret)
    >>> register.students[0].tier, register.asked
    ('audit', ((0,), ()))
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without a class.

        Args:
            clock: seconds since some moment.
        """
        self._clock, self._lock, self._doors = clock, threading.Lock(), Doors()
        self._classes: dict[str, _Class] = {}
        self._over: deque[str] = deque(maxlen=10 * MOST_CLASSES)  # codes of classes that ended

    # --- the teacher ---

    def open(self, tiers: tuple[str, ...] = FOUR_TIERS) -> tuple[str, str]:
        """Open a class, in its first round.

        Args:
            tiers: which the students are dealt in turn.

        Returns:
            Its code and its secret.

        Raises:
            ParameterError: as many as the server holds are open, and all are in use; or there is no
                such class.
        """
        if tiers not in DEALT:
            raise ParameterError("a class has the four tiers of the cast or auditors alone")
        with self._lock:
            now = self._now()
            if len(self._classes) >= MOST_CLASSES:
                self._make_room(now)
            code = self._free_code()
            made = Register(code=code, seed=streams.any_seed(), tiers=tiers)
            secret = secrets.token_urlsafe(16)
            self._classes[code] = _Class(secret=secret, began=now, acted=now, now=made)
            return code, secret

    def seen(self, code: str, secret: str) -> Register:
        """The class as its teacher sees it.

        Raises:
            NoClassError: it is over, or the secret is that of another one.
        """
        with self._lock:
            found = self._taught(code, secret)
            found.acted = self._clock()  # a board is open
            return found.now

    def begin_second(self, code: str, secret: str, over: str) -> None:
        """Let the second round begin: from now on every press draws on one path.

        Args:
            code: of the class.
            secret: of its teacher.
            over: the question that the first round asked, on which nobody votes any more.

        Raises:
            NoClassError: as for `seen`.
        """
        with self._lock:
            found = self._taught(code, secret)
            if found.now.round == SEPARATE:
                self._change(found, round=ONE_PATH, told=_with(found.now.told, over))

    def tell(self, code: str, secret: str, question: str) -> None:
        """End the vote on a question: its answers may be shown, and nobody can copy them.

        Raises:
            NoClassError: as for `seen`.
            ParameterError: nobody has voted on it.
        """
        with self._lock:
            found = self._taught(code, secret)
            if question not in found.voted:
                raise ParameterError("Nobody has answered this question yet; wait for an answer")
            if question not in found.now.told:
                self._change(found, told=_with(found.now.told, question))

    def shuffle(self, code: str, secret: str) -> None:
        """Let those who drew in the second round ask again, in another order, of a new path.

        Another tier asks first, or next, wherever there are two; students of one tier alone change
        places.

        Raises:
            NoClassError: as for `seen`.
            ParameterError: the second round has not begun.
        """
        with self._lock:
            found = self._taught(code, secret)
            if found.now.round != ONE_PATH:
                raise ParameterError("Nobody has drawn on one path yet; start that round first")
            first, second = found.now.asked
            order = _another_order(second, [each.tier for each in found.now.students])
            self._change(found, asked=(first, order), shuffles=found.now.shuffles + 1)

    def end(self, code: str, secret: str) -> None:
        """End a class and forget it.

        Raises:
            NoClassError: as for `seen`.
        """
        with self._lock:
            self._taught(code, secret)
            self._forget(code)

    # --- the students ---

    def join(self, code: str, visitor: str) -> str:
        """Let a student in, under a new name.

        Args:
            code: six letters.
            visitor: which tab asks: wrong codes are counted for each.

        Returns:
            The pass by which the class knows this student from now on.

        Raises:
            NoClassError: no class has the code, or the class is over.
            ParameterError: too many wrong codes were tried, or the class is full.
        """
        with self._lock:
            now = self._now()
            if code in self._over:
                raise NoClassError(OVER)
            self._doors.check(visitor, now)
            found = self._classes.get(code)
            if found is None:
                self._doors.wrong(visitor, code, now)
                raise NoClassError(NO_SUCH_CLASS)
            students = found.now.students
            if len(students) >= MOST_STUDENTS:
                raise ParameterError(FULL)
            name = _new_name({student.name for student in students})
            tier = found.now.tiers[len(students) % len(found.now.tiers)]
            mine = secrets.token_urlsafe(12)
            found.passes[mine] = len(students)
            self._change(found, students=(*students, Student(name, tier)))
            return mine

    def place(self, code: str, mine: str) -> tuple[int, Register] | None:
        """Where a student stands in the register, and the register; None for who is not in it."""
        with self._lock:
            self._now()
            found = self._classes.get(code)
            if found is None or mine not in found.passes:
                return None
            return found.passes[mine], found.now

    def press(self, code: str, mine: str) -> None:
        """Draw the number of a student in the round that is open; a second press changes nothing.

        Raises:
            NoClassError: the class is over, or the student is not in it.
        """
        with self._lock:
            found, place = self._student(code, mine)
            asked = list(found.now.asked)
            if place not in asked[found.now.round]:
                asked[found.now.round] += (place,)
                self._change(found, asked=tuple(asked))

    def vote(
        self, code: str, mine: str, question: str, answer: str, among: Sequence[str] = ()
    ) -> None:
        """Count a student's answer to a question, in the place of an earlier one.

        Once the answers were shown, nothing changes.

        Args:
            code: of the class.
            mine: pass of the student.
            question: what was asked.
            answer: what the student said.
            among: the answers to choose from, in order: those that nobody gave count as 0, too.

        Raises:
            NoClassError: as for `press`.
            ParameterError: a text is empty or too long, the answer is not one to choose from, or
                the class has too many questions.
        """
        for text in (question, answer, *among):
            checks.instance(str, text=text)
            if not 0 < len(text) <= LONGEST:
                raise ParameterError(f"A question and an answer have 1 to {LONGEST} letters")
        checks.one_of(among or (answer,), answer=answer)
        with self._lock:
            found, place = self._student(code, mine)
            if question in found.now.told or found.voted.get(question, {}).get(place) == answer:
                return
            if question not in found.voted and len(found.voted) >= MOST_QUESTIONS:
                raise ParameterError(f"A class answers at most {MOST_QUESTIONS} questions")
            found.voted.setdefault(question, {})[place] = answer
            found.among.setdefault(question, tuple(among))
            tally = {
                asked: dict.fromkeys(found.among[asked], 0) | Counter(given.values())
                for asked, given in found.voted.items()
            }
            self._change(found, votes=tally)

    def score(self, code: str, mine: str, right: int) -> None:
        """Keep how many of twenty towns a student guessed right, in the place of an earlier score.

        Raises:
            NoClassError: as for `press`.
            ParameterError: it is not a whole number from 0 to 20.
        """
        checks.whole(0, right=right)
        checks.between(0, TOWNS, right=right)
        with self._lock:
            found, place = self._student(code, mine)
            if found.scored.get(place) != right:
                found.scored[place] = right
                self._change(found, scores=tuple(sorted(found.scored.values())))

    def votes(self, code: str, question: str) -> Mapping[str, int]:
        """How many gave which answer; nothing where nobody has, or where there is no such class."""
        with self._lock:
            self._now()
            found = self._classes.get(code)
            return dict(found.now.votes.get(question, {})) if found else {}

    def answer_of(self, code: str, mine: str, question: str) -> str | None:
        """What a student said to a question; None for one who said nothing, or is in no class."""
        with self._lock:
            self._now()
            found = self._classes.get(code)
            if found is None or mine not in found.passes:
                return None
            return found.voted.get(question, {}).get(found.passes[mine])

    # --- what a lock is held for ---

    def _now(self) -> float:
        """The time; classes that have lasted long enough are forgotten."""
        now = self._clock()
        for code in [c for c, each in self._classes.items() if each.began + LASTS <= now]:
            self._forget(code)
        return now

    def _change(self, found: _Class, **parts: object) -> None:
        found.acted = self._clock()
        found.now = replace(found.now, **parts, edition=found.now.edition + 1)  # type: ignore[arg-type]

    def _forget(self, code: str) -> None:
        del self._classes[code]
        self._over.append(code)

    def _make_room(self, now: float) -> None:
        """End the class that has been quiet longest, if it has been so for long."""
        code = min(self._classes, key=lambda code: self._classes[code].acted)
        if self._classes[code].acted + QUIET > now:
            raise ParameterError(ALL_TAKEN)
        self._forget(code)

    def _free_code(self) -> str:
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            if code not in self._classes and code not in self._over:
                return code

    def _taught(self, code: str, secret: str) -> _Class:
        self._now()
        found = self._classes.get(code)
        if found is None or not secrets.compare_digest(found.secret.encode(), secret.encode()):
            raise NoClassError(NOT_YOURS)
        return found

    def _student(self, code: str, mine: str) -> tuple[_Class, int]:
        self._now()
        found = self._classes.get(code)
        if found is None or mine not in found.passes:
            raise NoClassError(OVER)
        return found, found.passes[mine]


def code_from(typed: str) -> str:
    """The code that somebody typed, in capitals and without blanks and hyphens.

    >>> code_from(" kxr-tmp ")
    'KXRTMP'
    """
    return "".join(letter for letter in typed.upper() if letter.isalnum())[: 2 * LENGTH]


def _with(told: tuple[str, ...], question: str) -> tuple[str, ...]:
    return told if question in told else (*told, question)


def _another_order(places: tuple[int, ...], tiers: Sequence[str]) -> tuple[int, ...]:
    """The same students in a random order of all those that differ, where there is one.

    Args:
        places: of students, in the order in which they asked.
        tiers: of all students.

    Orders differ if another tier asks first, or next; among students of one tier, if they do.
    """

    def seen(order: tuple[int, ...]) -> tuple[object, ...]:
        of_tiers = tuple(dict.fromkeys(tiers[place] for place in order))
        return of_tiers if len(of_tiers) > 1 else order

    while len(places) > 1:
        order = tuple(sorted(places, key=lambda _: secrets.token_bytes(8)))
        if seen(order) != seen(places):
            return order
    return places


def _new_name(taken: set[str]) -> str:
    """A made-up name that nobody in the class has."""
    while True:
        name = f"{secrets.choice(_ADJECTIVES)} {secrets.choice(_ANIMALS)}"
        if name not in taken:
            return name
