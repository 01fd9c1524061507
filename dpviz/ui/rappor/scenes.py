"""The made-up browsers of the page RAPPOR report: at once if they are few, else on a press."""

from collections.abc import Hashable

from dpviz import streams
from dpviz.local import Bloom, Rappor, RapporClient, decode_rappor
from dpviz.local.decoding import Decoded
from dpviz.local.survey import Reports
from dpviz.noise.family import Array
from dpviz.ui.kit import press, work
from dpviz.ui.kit.state import Shelf, Slot
from dpviz.ui.rappor import examples, jobs
from dpviz.ui.rappor.jobs import SEED
from dpviz.ui.rappor.view import Asked, Scene

AT_ONCE = 2_000_000  # bits of all filters: a fraction of a second
_AGAIN = Slot("rappor_again", lambda: 0)
_CLIENT = Shelf[tuple[dict[str, Array], Array]]("rappor_client")
_DECODED = Shelf[tuple[Decoded, ...]]("rappor_decoded")


def example_scene(asked: Asked, clients: int) -> Scene:
    """The made-up browsers with what they reported; drawn once and kept."""
    again, key = _AGAIN.get(), _key(asked, clients)
    reports: tuple[Reports, ...] = work.result(key) or ()
    if not reports and clients * asked.bloom.bits <= AT_ONCE:
        *_, (_, found) = jobs.reports(*_settings(asked, clients))
        reports = work.keep(key, found)
    return Scene(
        asked=asked,
        reports=reports,
        decoded=decoded(reports, asked, key),
        truth=examples.browsers(clients),
        clients=clients,
        again=again,
    )


def decoded(reports: tuple[Reports, ...], asked: Asked, key: Hashable) -> tuple[Decoded, ...]:
    """What reports say about the candidates; computed once and kept.

    Args:
        reports: at one f or two.
        asked: candidates and correction.
        key: what the reports are of.
    """
    fs = tuple(each.rappor.f for each in reports)
    return _DECODED.take(
        (key, fs, asked.candidates, asked.correction),
        lambda: tuple(
            decode_rappor(each, asked.candidates, correction=asked.correction) for each in reports
        ),
    )


def report_again() -> None:
    """Fresh noise for the same browsers."""
    _AGAIN.set(_AGAIN.get() + 1)


def collect_button(shown: Scene) -> None:
    """Start a simulation that takes a while."""
    clients = shown.clients or 0
    key = _key(shown.asked, clients)
    press.button(
        f"Collect {clients:,} reports",
        work.start,
        key,
        jobs.reports,
        *_settings(shown.asked, clients),
        key="rappor_collect",
        type="primary",
        icon="groups",
        width="stretch",
        disabled=work.pending(key),
        help="Each browser is simulated: its cohort, its kept bits at both f, and its reports.",
    )
    work.watch(key, lambda share: f"{int(share * clients):,} of {clients:,} reports")


def _key(asked: Asked, clients: int) -> Hashable:
    return asked.first, asked.second, asked.bloom, clients, _AGAIN.get()


def _settings(asked: Asked, clients: int) -> tuple[int, Bloom, Rappor, Rappor, int]:
    """What `jobs.reports` needs to let the browsers report."""
    return clients, asked.bloom, asked.first, asked.second, _AGAIN.get()


def one_client(asked: Asked, again: int) -> tuple[dict[str, Array], Array]:
    """The bits of one made-up client with the suspicious text, stage by stage, and its filter."""
    key = asked.first, asked.second, asked.bloom, asked.suspicious, again
    return _CLIENT.take(key, lambda: _one_client(asked, again))


def _one_client(asked: Asked, again: int) -> tuple[dict[str, Array], Array]:
    client = RapporClient(asked.suspicious, asked.bloom, rng=streams.teaching(SEED, again, 1))
    first, second = asked.first, asked.second
    stages = {
        "Bloom filter of the text": client.filter,
        f"kept for good at f = {first.f:g}": client.permanent(first),
        f"a report at f = {first.f:g}": client.report(first),
        f"kept for good at f = {second.f:g}": client.permanent(second),
        f"a report at f = {second.f:g}": client.report(second),
    }
    return stages, client.filter
