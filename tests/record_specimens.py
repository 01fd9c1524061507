"""Arguments of a valid example of each public record with numbers, and what else fields may hold.

A field gets an ordinary value of its type, unless `OWN` has one: where a record asks for more.
"""

import inspect
import typing
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from types import UnionType
from typing import Any, Literal

import numpy as np

from dpviz import accounting, local, queries, top_k
from dpviz.accounting.bounds import ANY_ORDER, EXACT, Bound
from dpviz.data import Address
from dpviz.experiments.covariance import Event
from dpviz.lossless.characteristic import Zero
from dpviz.noise import FAMILIES
from dpviz.noise.family import Family
from dpviz.palette import TierStyle
from dpviz.planning.tiers import DEFAULT_TIERS
from dpviz.sparse.first_passage import FirstPassage
from dpviz.workspace import composition
from dpviz.workspace.classroom import Student
from dpviz.workspace.top_k import Source

NAN, INF, FEWER, NEGATIVE, NONE = "NaN", "∞", "−∞", "negative", "None"

HALF, VECTOR, MATRIX = Fraction(1, 2), np.array([0.5, 0.25]), np.eye(2)
ORDINARY = {float: 0.5, int: 2, str: "a", bool: True, Fraction: HALF, Family: FAMILIES["laplace"]}
CROSSING = FirstPassage().crossing(1.0, 2.0)
TREE = accounting.Tree(3, 3, True)
LAW = Event(kind="law", low=0, high=1, noise=(0.0, 1.0), step=(1.0, 2.0), chance=0.5)
OPEN = Source(table=None, query=queries.TextCounts("to"))

OWN: dict[str, dict[str, Any]] = {
    "workspace.classroom.Register": {
        "students": (Student("Wise Owl", "audit"),), "asked": ((0,), ()), "round": 1,
    },
    "lossless.characteristic.Negative": {"value": -0.1},
    "lossless.characteristic.Refutation": {"verdict": "no", "zero": Zero(1.0, 2.0, 0.5)},
    "lossless.convolution.Bet": {"sharper": HALF / 2},
    "lossless.convolution.NoiseDecision": {
        "verdict": "no", "added": None, "negative": (0, -HALF), "bet": None, "hidden": 0.5,
    },
    "lossless.discrete_gaussian.GaussianDecision": {"times": Fraction(3)},
    "lossless.least_loss.LeastLoss": {
        "alone": Fraction(2), "low": Fraction(3), "high": Fraction(4),
        "above": ((HALF, HALF),),
    },
    "lossless.jumps.JumpDecision": {"verdict": "no", "coefficient": (1, -HALF)},
    "lossless.kernels.Guessing": {"sharper": HALF / 2},
    "lossless.lattice.LatticeLaw": {"left": Fraction(0)},
    "local.bloom.Bloom": {"bits": 16},
    "local.decoding.Decoded": {"candidates": ("a", "b"), "misfit": 1.0},
    "local.rappor.Rappor": {"q": 0.75},
    "local.survey.Reports": {
        "bloom": local.Bloom(bits=4, cohorts=2), "ones": np.ones((2, 4)),
        "clients": np.array([3, 4]),
    },
    "workspace.local.rappor.Subject": {
        "query": queries.TextCounts("to", queries.Bounds(relation="replace")), "q": 0.75,
    },
    "charts.forms.bar_rows.Scale": {"high": 1.0},
    "accounting.bounds.Best": {
        "method": "sum",
        "bounds": (Bound(name="sum", value=0.5, theorem="", kind=EXACT, assumes=ANY_ORDER),),
    },
    "accounting.bounds.Bound": {"kind": EXACT, "assumes": ANY_ORDER},
    "accounting.composition.ReleaseEvent": {
        "session": 1, "definition": "(ε, δ)-DP", "budget": 0.5, "delta": 1e-6, "points": (),
    },
    "accounting.filter.Registered": {"kind": "pure"},
    "accounting.laplace.L2Choice": {"log_delta_switch": 0.0},
    "accounting.odometer.Limit": {"definition": "(ε, δ)-DP"},
    "accounting.loss_promises.GeneralisedResponseTerm": {"top": 0.2},
    "accounting.trees.Vertex": {"sign": 1},
    "data.source.TableSource": {"address": Address("sqlite:///a.db"), "table": "visits"},
    "data.sample.Sample": {"bounds": {"x": (0.0, 1.0)}},
    "experiments.audit_events.Cells": {"scores": MATRIX},
    "experiments.audit_events.Seen": {"kind": "sum"},
    "experiments.audit_sessions.HistogramCells": {"rhos": (0.1, 0.2), "thresholds": (3.0, 2.0)},
    "experiments.audit_sessions.Coalition": {"order": (1.0, 2.0), "held": (1.0,)},
    "experiments.broken.table.Broken": {"caught_by": ()},
    "experiments.covariance.CovarianceCheck": {
        "theory": MATRIX, "sample": MATRIX, "half": MATRIX, "outside": MATRIX > 1,
        "events": (LAW, LAW),
    },
    "local.data_market.Sale": {"epsilon": Fraction(1)},
    "local.prices.Undercut": {"at_once": Fraction(4)},
    "experiments.covariance.SampleCovariances": {"matrix": MATRIX},
    "experiments.covariance.Event": {"kind": "law"},
    "experiments.top_k.Repetitions": {
        "places": np.array([[0, 2]]), **dict.fromkeys(("truth", "values", "fitted"), MATRIX[:1]),
    },
    "handout.report.facts.ReportTier": {"colour": "#385FC2"},
    "handout.tier_release.TierRelease": {
        "values": np.array([4]), "derived": (("estimate", np.array([4.0])),),
    },
    "local.person.NextDraw": {"how": "bridge"},
    "linear.contribution.Contribution": {"low": -2.0},
    "linear.error_bounds.Optimum": {"left": None, "right": None},
    "linear.operators.Matrix": {"entries": MATRIX},
    "linear.operators.TreeSums": {"tree": TREE},
    "linear.operators.TreeVertices": {"tree": TREE},
    "noise.bridge_law_geometric.GeometricLaw": {"sign": 1},
    "noise.bridge_law_lazy.LazyLaw": {"sign": 1},
    "parameters.Parameter": {"above": 0.0, "most": 1.0},
    "planning.choice.Choice": {
        "question": None, "crossover_pure": -3.0, "crossover_classical": -3.0,
        "gauss_between": (-3.0, -0.7), "switch": -1.0,
    },
    "planning.choice.Question": {"log_delta": -9.0, "l1": 2.0},
    "accounting.moves.Moves": {
        "l1_sensitivity": 2.0, "l2_sensitivity": 1.5, "linf_sensitivity": 1.0, "dimension": 3,
    },
    "release.commitment.Commitment": {
        "setting": accounting.guarantees.Setting(
            family=FAMILIES["discrete_laplace"], delta=1e-6, dimension=2,
            sensitivity=queries.Sensitivity.bounded(1),
        ),
        "pledge": "0" * 64, "root": "0" * 64,
    },
    "release.commitment.Opening": {"salt": "0" * 64, "proof": ("0" * 64,)},
    "queries.bounded_mean.BoundedMean": {"lower": -9.0},
    "queries.bounded_sum.BoundedSum": {"lower": -9.0},
    "data.reading.Reading": {"first_year": 1926},
    "queries.bounds.Bounds": {"person": "id"},
    "queries.clip.Clip": {"lower": -9.0},
    "queries.cuts.ByBins": {"edges": (-9.0, 5.0)},
    "queries.sensitivity.Sensitivity": {"l1": 2.0, "l2": 1.4, "linf": 1.0},
    "queries.bounded_sum.SumMoves": {"low": -5},
    "sparse.sampler.Crossed": {"held": [(1.0, VECTOR)]},
    "sparse.first_passage.Crossing": {"law": CROSSING.law, "log_staying": -0.1},
    "sparse.first_passage_law.OneSided": {
        "sign": 1, "panels": CROSSING.law.panels, "masses": CROSSING.law.masses,
    },
    "sparse.first_passage_panels.Panels": {"coefficients": np.ones((16, 1))},
    "top_k.choice.Choice": {"mechanism": "Gumbel list", "log_hidden": -9.0, "log_used": -9.0},
    "top_k.costs.ListCost": {"log_hidden": -9.0},
    "top_k.ranking.Ranking": {"items": ("a",)},
    "top_k.truncated_histogram.CommonItems": {"items": ("a", "b")},
    "top_k.reach.UnknownDomain": {"log_delta": -9.0},
    "charts.forms.cone.NewStop": {
        "style": TierStyle(1, 0), "noise": 1.0, "ends": None, "chances": (),
    },
    "workspace.composition.Part": {"answer": composition.WITH_DELTA},
    "workspace.plan_file.record.PlanFile": {
        "query": queries.Count(queries.Everybody()), "tiers": DEFAULT_TIERS,
        "family_name": "gaussian", "delta": "1e-6", "seed": 7,
    },
    "workspace.top_k.Common": {"source": OPEN, "log_delta": -9.0, "log_delta_used": -9.0},
    "workspace.top_k.Subject": {
        "source": OPEN, "unknown": top_k.UnknownDomain(seen=5, log_delta=-9.0),
    },
}  # fmt: skip


def specimens(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The arguments of a valid record of each class, named room.file.Class."""
    kinds = {class_of(name): name for name in names}

    def ordinary(kind: Any) -> Any:
        origin, of = typing.get_origin(kind), typing.get_args(kind)
        if origin in (UnionType, typing.Union):
            return ordinary(of[0])
        if origin is Literal:
            return of[0]
        if origin is np.ndarray:
            return VECTOR
        if origin in (tuple, Sequence):
            return tuple(ordinary(each) for each in of if each is not ...)
        if origin is Mapping:
            return {ordinary(of[0]): ordinary(of[1])}
        return kind(**arguments(kind)) if kind in kinds else ORDINARY.get(kind)

    def arguments(kind: Any) -> dict[str, Any]:
        own, asked = OWN.get(kinds[kind], {}), inspect.signature(kind).parameters.values()
        given = [p for p in asked if p.name not in own and (p.default is p.empty or of_numbers(p))]
        return {p.name: ordinary(p.annotation) for p in given} | own

    return {name: arguments(kind) for kind, name in kinds.items()}


def class_of(name: str) -> Any:
    module, kind = name.rsplit(".", 1)
    return getattr(import_module(f"dpviz.{module}"), kind)


def of_numbers(argument: inspect.Parameter) -> bool:
    kind = str(argument.annotation)
    return any(word in kind for word in ("float", "int", "Fraction", "ndarray"))


SIGNED = (NEGATIVE,)
MEASURED = (NAN, INF, FEWER, NEGATIVE)  # what a broken sampler gives is told, not refused
UNKNOWN = (NAN, INF)  # no guarantee stands behind it
LEGAL = {  # what a field may hold, and why
    "release.sharpening.Sharpened": {"release": (NEGATIVE, "another shape")},  # any numbers
    "release.commitment.Opening": {"values": (NEGATIVE,)},  # of noise
    "charts.forms.cone.Room": {"ends": (NEGATIVE,)},  # of noisy numbers
    "charts.still.Layer": {"x": (NEGATIVE, NONE), "y": (NEGATIVE, NONE)},  # places, and gaps
    "data.file_format.FileFormat": {"header": (NONE,)},  # nobody chose a row
    "data.file_format.HowRead": {"header": (NONE,)},
    "data.suggestion.Form": {"length": (NONE,)},  # values differ in length
    "experiments.peeling.ItemGroup": {"score": (NEGATIVE,)},  # of a rare item
    "experiments.peeling.PeelingCurves": {"totals": (NEGATIVE,)},  # of the mirrored half of a curve
    "lossless.characteristic.Negative": {"vector": (NEGATIVE,), "value": (NEGATIVE,)},
    "lossless.characteristic.Refutation": {"least": (NEGATIVE,)},  # an eigenvalue
    "lossless.convolution.Bet": {"first": (NEGATIVE,)},  # any whole number
    "lossless.convolution.NoiseDecision": {"negative": (NEGATIVE,), "hidden": (NONE,)},  # likewise
    "lossless.discrete_gaussian.GaussianDecision": {"candidate": (NEGATIVE,)},  # proves a no
    "lossless.lattice.LatticeLaw": {"first": (NEGATIVE,)},
    "workspace.local.data_market.Owner": {"values": (NEGATIVE,)},
    "planning.sharing.Request": {"total": (NONE,)},  # typed budgets add up
    "local.prices.PriceCurve": {"beyond": (NONE,)},  # nothing is sold beyond the last point
    "accounting.bounds.Bound": {"value": (NEGATIVE, FEWER, INF)},  # may be a logarithm
    "accounting.loss_terms.LossPoints": {
        "loss": SIGNED, "log_infinite": (NEGATIVE, FEWER), "log_cut": (NEGATIVE, FEWER),
        "offset": SIGNED,
    },  # logarithms
    "accounting.loss_curves.LossDistribution": {"loss": SIGNED},
    "local.decoding.Decoded": {"counts": SIGNED, "others": SIGNED},  # unbiased, so below 0 at times
    "accounting.laplace.L2Choice": {"log_delta_switch": SIGNED},  # a logarithm
    "accounting.loss_terms.Losses": {
        "loss": SIGNED, "log_mass": (NEGATIVE, FEWER), "log_infinite": (NEGATIVE, FEWER)
    },  # logarithms
    "accounting.bounds.Stated": {"value": (NEGATIVE, FEWER, INF)},  # may be a logarithm
    "words.claims.Claim": {"value": (NEGATIVE, FEWER, INF)},  # likewise
    "local.frequencies.Frequencies": {"shares": SIGNED},  # unbiased, so sometimes below 0
    "accounting.trees.Vertex": {"sign": SIGNED},
    "counting.counted_stream.Row": {"first": SIGNED},  # counted from the first step on
    "data.engine.Plain": {"records": (NONE,)},
    "data.sample.Sample": {"bounds": SIGNED},
    "experiments.attack.Worlds": dict.fromkeys(("out", "inside"), SIGNED),
    "experiments.audit_events.Cells": dict.fromkeys(("columns", "rows", "scores"), SIGNED),
    "experiments.audit_events.Event": {"threshold": (*SIGNED, INF, FEWER)},
    "experiments.audit_events.Likelihood": {"shifts": SIGNED},
    "experiments.audit_events.Seen": {"weights": SIGNED},
    "experiments.audit_sessions.HistogramCells": {"thresholds": SIGNED},
    "experiments.audit_sessions.Coalition": {"shifts": SIGNED},
    "experiments.attack_tests.Moved": {"shifts": SIGNED},
    "experiments.covariance.CovarianceCheck": {
        "theory": SIGNED, "sample": MEASURED, "half": SIGNED, "outside": SIGNED
    },
    "experiments.covariance.Event": {
        "low": (NONE,), "noise": (*SIGNED, INF, FEWER), "step": (*SIGNED, INF, FEWER)
    },
    "experiments.covariance.SampleCovariances": {"matrix": MEASURED},
    "experiments.top_k.Repetitions": {
        "places": SIGNED, **dict.fromkeys(("truth", "values", "fitted"), SIGNED)
    },
    "handout.report.facts.ReportFacts": dict.fromkeys(("lossless", "independent"), UNKNOWN),
    "handout.report.facts.ReportTier": {"people": (NONE,), "half_width": UNKNOWN},
    "handout.tier_release.TierRelease": {
        "values": SIGNED, "mean": SIGNED, "derived": MEASURED
    },  # an estimate may say nothing
    "linear.comparison.Comparison": {"bound": (NONE,)},  # nothing is known
    "linear.contribution.Contribution": {"low": SIGNED, "high": SIGNED},
    "linear.operators.Matrix": {"entries": SIGNED},
    "noise.bridge_law_counts.CountLaw": {"values": SIGNED},
    "noise.bridge_law_geometric.GeometricLaw": {
        "below": SIGNED, "sign": SIGNED, "distance": (INF,)
    },  # nothing noisier is held
    "noise.bridge_law_lazy.LazyLaw": {"below": SIGNED, "sign": SIGNED, "distance": (INF,)},
    "noise.gaussian.NormalLaw": {"mean": SIGNED},
    "noise.reals.Exponential": {"rate": (NONE,)},  # an infinite rate
    "parameters.Parameter": {"above": SIGNED},
    "planning.amounts.Amount": {"delta": (NONE,)},
    "accounting.moves.Moves": {"l0_sensitivity": (NONE,)},  # any number of coordinates
    "accounting.guarantees.Budget": {"rho": (NONE,), "mu": (NONE,)},  # the family has none
    "workspace.plan_file.record.PlanFile": {"seed": (NONE,)},  # it says none
    "planning.choice.Choice": {
        "gaussian_classical": (NONE,), "gauss_between": (NEGATIVE, FEWER),
        "crossover_pure": (NEGATIVE, FEWER), "crossover_classical": (NEGATIVE, FEWER, NONE),
        "switch": (NEGATIVE, FEWER),
    },
    "planning.choice.Question": {"log_delta": SIGNED},
    "planning.choice.SameRho": {"laplace": (NONE,)},
    "queries.bounded_mean.BoundedMean": {"lower": SIGNED, "upper": SIGNED},
    "queries.bounded_sum.BoundedSum": {"lower": SIGNED, "upper": SIGNED, "step": (NONE,)},
    "queries.clip.Clip": {"lower": SIGNED, "upper": SIGNED},
    "queries.cuts.ByBins": {"edges": SIGNED},
    "queries.item_names.WholeNumbers": {"low": SIGNED},
    "queries.bounded_sum.SumMoves": {"low": SIGNED, "high": SIGNED},
    "sparse.sampler.Crossed": {"held": SIGNED},
    "sparse.first_passage.Crossing": {
        "threshold": (NEGATIVE, INF, FEWER), "log_staying": (NEGATIVE, FEWER)
    },
    "sparse.first_passage_law.OneSided": {"sign": SIGNED, "log_mass": (NEGATIVE, FEWER)},
    "sparse.first_passage_panels.Panels": {"edges": SIGNED, "coefficients": SIGNED},
    "sparse.first_passage_step.Message": {"barrier": SIGNED},
    "sparse.histogram.Work": {"threshold": (NEGATIVE, INF, FEWER)},
    "sparse.printed_law.Round": {"threshold": SIGNED},
    "charts.forms.bar_rows.Scale": {"low": SIGNED, "line": (NONE,)},
    "charts.forms.bar_rows.Tick": {"at": SIGNED},
    "charts.forms.lines.Here": {"x": SIGNED, "y": (NEGATIVE, NONE)},  # None: a place across
    "experiments.domain_growth.Cost": dict.fromkeys(("dense_seconds", "dense_bytes"), (NONE,)),
    "charts.tidy.Intervals": dict.fromkeys(("value", "low", "high"), MEASURED),
    "top_k.choice.Choice": {  # only an unknown domain has a threshold, only a list has draws
        "threshold": (NONE,), "step": (NONE,),
        "log_hidden": (NEGATIVE, NONE), "log_used": (NEGATIVE, NONE),
    },
    "top_k.costs.ListCost": {"log_hidden": (NEGATIVE, NONE)},
    "local.averaging.AttackErrors": {"least": (NONE,)},
    "local.hospitals.PopulationMean": {"mean": SIGNED},
    "local.person.NextDraw": {"below": (NONE,), "above": (NONE,)},
    "workspace.local.social_network.Joined": {
        "distance": (NONE,), "epsilon": (NONE,), "answer": (NEGATIVE, NONE)
    },
    "workspace.local.social_network.Ring": {"answer": SIGNED},
    "top_k.reach.Reach": {"l0": (NONE,)},
    "top_k.truncated_histogram.CommonItems": {"values": SIGNED},
    "top_k.reach.UnknownDomain": {"log_delta": SIGNED},  # a logarithm
    "workspace.composition_totals.Room": {"best": (NEGATIVE,), "added": (NEGATIVE,)},
    "workspace.counting.Branching": {"arity": (NONE,)},
    "workspace.gradual.Reading": {"value": SIGNED},
    "workspace.held.HeldTier": {"values": SIGNED},
    "workspace.kept.HeldReleases": {"held": SIGNED},
    "workspace.one_tier.Answers": {"values": SIGNED},
    "workspace.top_k.Common": dict.fromkeys(("log_delta", "log_delta_used"), SIGNED),
    "workspace.sparse.ItemTier": {"threshold": (NEGATIVE, INF, FEWER), "released": SIGNED},
}  # fmt: skip
