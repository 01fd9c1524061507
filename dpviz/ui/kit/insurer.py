"""Be the insurer: the game that opens a screen about noise, as a screen of its own.

Five towns without noise, then twenty with it; two large buttons guess, and after each the truth is
told. Nothing has to be played: Next goes on.
"""

from dpviz.charts.forms.picture import Picture
from dpviz.charts.insurer import piles, scores, written
from dpviz.planning.cast import ILL, KNOWN
from dpviz.scenes import insurer as scenes
from dpviz.scenes.insurer import HALFWAY, RHO, Game
from dpviz.scenes.lessons import Settings
from dpviz.ui.kit.comparing import guess_claim
from dpviz.ui.kit.lesson import Choice, Guessing, Screen, Side
from dpviz.ui.kit.state import Shelf
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import ALL, COIN

EXACT, NOISY = "No noise", "Noise"
BUDGETS = {EXACT: None, NOISY: RHO}
ASKED = f"{KNOWN} others are ill, and the town tells you its count. Is Maria ill?"
ASKED_WITH_NOISE = "Now the town adds noise to its count before you see it. Is Maria ill?"
ALWAYS = "Without noise, the count gives Maria away every time. Now try it with noise."
SELDOM = f"The best anyone can do: say “ill” if the number is closer to {ILL} than to {KNOWN}."
REACH = 9.0  # people to either side of the middle: as on the screen after it
TICKS = {float(x): f"{x}" for x in (ILL - 8, ILL - 4, ILL + 8)}
TICKS |= {HALFWAY: f"{KNOWN} | {ILL}<br>halfway", float(ILL + 4): f"{ILL + 4}<br>people"}
_TOWNS = Shelf[Game]("insurer_towns")


def played(settings: Settings) -> Game:
    """What the visitor has played of what is chosen; towns are made once for a visitor."""
    rho = BUDGETS[settings.chosen or EXACT]
    key = (settings.seed, rho, settings.rounds)
    begun = _TOWNS.take(key, lambda: scenes.game(settings.seed, rho, (), settings.rounds))
    return Game(rho=rho, towns=begun.towns, guesses=settings.guesses)


def sentence(game: Game) -> str:
    """The question, and what the round has shown once it is over."""
    if game.waits:
        return ASKED if game.rho is None else ASKED_WITH_NOISE
    return ALWAYS if game.rho is None else SELDOM


def picture(game: Game) -> Picture:
    """The town that waits between the piles; after a round with noise, scores beside the theory."""
    if not game.waits and game.rho is not None:
        frame = scenes.scores_frame(game.scores, scenes.right_share(game.rho))
        mine = ", ".join(map(str, game.scores[-5:]))
        return Picture(
            scores(frame),
            f"Bars like a hill: scores of 100 games by the best rule. Your rounds: {mine}.",
        )
    waits = ""
    if game.waits:
        waits = f"The next town says {written(game.towns[len(game.guesses)].said, game.rho)}. "
    return Picture(
        piles(game, reach=REACH, ticks=TICKS),
        f"{waits}Towns guessed so far: {len(game.round)}, above the line if Maria was ill.",
    )


def side(game: Game) -> Side:
    """The score, and after a round what the best rule gets."""
    count = len(game.round)
    return Side(
        label="Your right guesses",
        value=f"{game.right} of {count}" if count else "?",
        note=f"using the halfway line: {game.best} right"
        if count and game.rho is not None
        else None,
        claims=_claims(game) if count else (),
        lines=_last(game),
        caption=_caption(game),
    )


def _claims(game: Game) -> tuple[Claim, ...]:
    mine = Claim(
        what="your right guesses in this round",
        value=game.right,
        fixed="made-up towns of one seed; yes and no equally likely in each",
        method="counted",
        kind="simulated",
    )
    return (mine,) if game.rho is None else (mine, guess_claim("the best rule", game.rho))


def _last(game: Game) -> tuple[str, ...]:
    """Whether the last guess was right."""
    if not game.round:
        return ()
    town, hit = game.towns[len(game.guesses) - 1], game.hits[-1]
    said = literal(written(town.said, game.rho))
    how = "ill" if town.ill else "not ill"
    told = f"**{'Right' if hit else 'Wrong'}.** The last town said {said}, and Maria was {how}."
    if game.waits or len(game.scores) < 2:
        return (told,)
    right, count = sum(game.hits), len(game.guesses)
    return (told, f"In all rounds: {right} of {count}, or {ALL * right / count:.0f} in {ALL:,}.")


def _caption(game: Game) -> str:
    if not game.waits and game.rho is not None:
        right = guess_claim("the best rule", game.rho).value
        return (
            f"In the long run the halfway line is right {right:.0f} times in 1,000, and a coin "
            f"{COIN} times. With twenty towns, luck still decides a lot."
        )
    if game.rho is not None:
        return (
            f"{len(game.towns)} towns. Above and below, filled dots: you were right. Dotted line: "
            f"halfway between {KNOWN} and {ILL}."
        )
    return (
        f"{len(game.towns)} made-up towns; in each a coin decided whether Maria is ill. After "
        "your guess: a filled dot if you were right."
    )


def goes_on(game: Game) -> tuple[str, str]:
    """What the button says after a round, and what it chooses."""
    if game.rho is None:
        return "Now with noise", NOISY
    return "Twenty more towns", NOISY


def score(game: Game) -> int | None:
    """What the board of a class counts: the last round with noise, once it is over."""
    return None if game.waits or game.rho is None else game.scores[-1]


SCREEN = Screen(
    title="Be the insurer",
    sentence=ASKED,
    said=sentence,
    scene=played,
    picture=picture,
    side=side,
    choice=Choice(label="The town’s number has", options=(EXACT, NOISY), default=EXACT),
    guessing=Guessing(
        yes="Maria is ill", no="Maria is not ill", goes_on=goes_on, keys=("I", "N"), score=score
    ),
)
