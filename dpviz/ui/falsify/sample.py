"""The code fold of the page Falsify."""

from dpviz.experiments.audit_sessions import Coalition
from dpviz.ui.falsify.games import BROKEN, Question, ours
from dpviz.ui.falsify.jobs import SEED
from dpviz.ui.falsify.words import TWIN_NAMES


def code(asked: Question) -> str:
    """The same audit with the library; defines `found`."""
    if asked.kind == BROKEN:
        play = [
            "from dpviz.experiments.broken.table import TWINS  # never for anything but a trial",
            "",
            f"game = TWINS[{asked.name!r}].wrong  # {TWIN_NAMES[asked.name]}",
        ]
    else:
        game: Coalition = ours(asked.name, asked.members)
        play = [
            "from dpviz.experiments.audit_sessions import Coalition",
            "from dpviz.noise import FAMILIES",
            "",
            "game = Coalition(",
            f"    FAMILIES[{asked.name!r}],",
            f"    order={game.order!r},  # in which the tiers asked",
            f"    held={game.held!r},  # {', '.join(asked.members)}",
            ")",
        ]
    return "\n".join(
        [
            "from dpviz import streams",
            "from dpviz.experiments.audit import audit",
            "from dpviz.experiments.audit_bet import best_bet, wins",
            *play,
            f"rng = streams.teaching({SEED}, {asked.path})",
            "found = audit(",
            f"    game, {asked.runs}, rng=rng, delta={asked.delta!r}, digits={asked.digits}",
            ")",
            f"print(found.epsilon({asked.delta!r}), game.promised_epsilon({asked.delta!r}))",
            f"rng = streams.teaching({SEED}, {asked.path}, 2)",
            f"bet = best_bet(game, {asked.runs}, rng=rng, digits={asked.digits})",
            "print(1000 * wins(bet))  # bets won of 1,000",
            "",
        ]
    )
