"""An example of each public record with numbers, and what its fields may hold beside numbers."""

import datetime
from fractions import Fraction

import numpy as np

from dpviz import accounting, local, queries, top_k
from dpviz.accounting import bounds, guarantees
from dpviz.accounting.bounds import ANY_ORDER, EXACT
from dpviz.data import Address
from dpviz.experiments import audit_events
from dpviz.experiments.audit import Counted
from dpviz.experiments.audit_sessions import Coalition
from dpviz.experiments.increments import Event
from dpviz.handout.report import ReportTier
from dpviz.local import PriceCurve
from dpviz.local.averaging import AttackErrors
from dpviz.lossless.characteristic import Zero
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.planning.tiers import DEFAULT_TIERS, PlannedTier
from dpviz.sparse.first_passage import FirstPassage
from dpviz.workspace import composition
from dpviz.workspace.held import HeldTier
from dpviz.workspace.legend import NUMBERS
from dpviz.workspace.top_k import Source

NAN, INF, FEWER, NEGATIVE, NONE = "NaN", "∞", "−∞", "negative", "None"

SUM_SEEN = audit_events.Seen("sum", (0, 1), (1.0, 2.0))
EVENT_SEEN = audit_events.Event(SUM_SEEN, 1.0, True, True)
GAME = Coalition(FAMILIES["laplace"], (1.0,), (1.0,))
VECTOR, MATRIX = np.array([0.5, 0.25]), np.eye(2)
CROSSING = FirstPassage().crossing(1.0, 2.0)
SIZES = queries.Sensitivity.bounded(2)
BUDGET = {"level": 2.0, "letter": "ρ", "loss": 0.5, "exact": Fraction(1, 2), "rho": 0.5, "mu": 1.0}
BUDGET |= {"epsilon": 4.0, "delta": 1e-6, "half_width": 3.0}
CHOICE = {"laplace": 1.0, "exact": True, "laplace_pure": 1.0, "laplace_l2": 1.0, "gaussian": 1.0}
CHOICE |= {"gaussian_classical": 1.0, "crossover_pure": -3.0, "crossover_classical": -3.0}
CHOICE |= {"gauss_between": (-3.0, -0.7), "switch": -1.0, "moved_up_to": 2}
GEOMETRIC = {"below": 0.0, "sign": 1, "distance": 3.0, "away": 0.2, "toward": 0.5, "beyond": 0.1}
GEOMETRIC |= {"inner": 0.5, "outer": 0.5}
LAZY = {"below": 0.0, "sign": 1, "distance": 3.0, "away": 0.2, "stay": 0.5, "away_scale": 1.0}
LAZY |= {"toward_scale": 1.0, "rest": 0.1, "beyond": 0.1, "beyond_scale": 1.0}
SAMPLE = dict.fromkeys(
    ["title", "source", "licence", "row", "file", "person", "column", "loading"], "x"
)
SOURCE = {"name": "visits", "address": Address("sqlite:///a.db"), "table": "visits", "seconds": 9.0}
SAMPLE |= {"groups": {}, "bounds": {"x": (0.0, 1.0)}, "times": {}, "synthetic": True, "loading": ""}
LEDGER = {"number": 1, "session": 1, "tier": "a", "family": "gaussian", "kind": "lossless"}
LEDGER |= {"budget": guarantees.Budget(**BUDGET), "neighbours": ()}
TIER = {"tier": "a", "session": 1, "level": 1.0, "entries": ("a",), "values": np.array([4])}
TIER |= {"step": 1.0, "mean": 0.0, "facts": (), "labels": ("a",)}
TIER |= {"derived": (("estimate", np.array([4.0])),)}
REPORT_TIER = {"name": "a", "colour": "#385FC2", "glyph": "●", "budget": "", "drawn": None}
REPORT_TIER |= {"people": 5, "half_width": 3.0}
REPORT = dict.fromkeys(["title", "takeaway", "noun", "definition"], "")
REPORT |= {"lossless_stated": "", "independent_stated": "", "badges": (), "kind": "lossless"}
REPORT |= {"tiers": (ReportTier(**REPORT_TIER),), "confidence": 0.95, "lossless": 0.5}
REPORT |= {"independent": 1.0, "sessions": 1, "facts": (), "key": "3b6a", "versions": ()}
REPORT |= {"groups": ("a",)}
REPORT |= {"made": datetime.date(2020, 1, 1)}
ERRORS = {"average": 2.0, "weighted": 1.0, "least": 0.5, "lossless_average": 5.0, "lossless": 4.0}
POPULATION = {"mean": 132.0, "noise_error": 1.0, "standard_error": 2.0, "patients": 3}
WORK = {"drawn": 1, "drawn_so_far": 1, "lemma": 1, "dense": 1, "crossed": 0}
WORDS = dict.fromkeys(("name", "who", "what", "unit", "budget", "source"), "")
DEPLOYMENT = {**WORDS, "year": 2020}
PARAMETER = {"symbol": "", "kind": "", "unit": "", "above": 0.0, "least": 0.1, "most": 1.0}
TREE = accounting.Tree(3, 3, True)
N = {"n": 4}
BOUND = {"name": "sum", "value": 0.5, "theorem": "", "kind": EXACT, "assumes": ANY_ORDER}
ONE_BOUND = bounds.Bound(**BOUND)
EVENT = {"kind": "law", "low": 0, "high": 1, "noise": (0.0, 1.0), "step": (1.0, 2.0)}
EVENT |= {"chance": 0.5}

OPEN = Source(table=None, query=queries.TextCounts("to"))
STYLE = TierStyle(1, 0)
HELD = HeldTier(
    name="a",
    level=1.0,
    letter="ε",
    loss=0.5,
    delta=0.1,
    first=3,
    values=VECTOR,
    style=TierStyle(1, 0),
)
PLANNED = PlannedTier(tier=DEFAULT_TIERS[0], budget=guarantees.Budget(**BUDGET))
ASKING = dict.fromkeys(("mechanism", "release", "facts", "values", "entries"))
ASKING |= {"key": "", "statistic": "", "data": "", "family": FAMILIES["laplace"]}
STREAM = dict.fromkeys(("every", "noun", "statistic", "data", "unit", "neighbours"), "")
STREAM |= {"key": "", "counted": None, "exact": None, "labels": None, "contribution": ""}
COST = dict.fromkeys(("size", "bytes", "normals", "lemma", "rounds", "dense_bytes"), 5)

BLOOM, RAPPOR = local.Bloom(bits=4, cohorts=2), local.Rappor(f=0.5, p=0.25, q=0.75)
SALE = {"number": 1, "buyer": "a", "before": Fraction(0), "epsilon": Fraction(1)}
SALE |= {"paid": Fraction(4), "level": 1.0}
SPLIT = {"first": Fraction(1), "second": Fraction(2), "apart": Fraction(3), "at_once": Fraction(4)}

HALF = Fraction(1, 2)

SPECIMENS = {
    "lossless.characteristic.Negative": {"spacing": 0.5, "vector": (1.0, -1.0), "value": -0.1},
    "lossless.characteristic.Refutation": {
        "verdict": "no", "zero": Zero(1.0, 2.0, 0.5), "negative": None, "least": 0.5,
    },
    "lossless.characteristic.Zero": {"low": 1.0, "high": 2.0, "noisier": 0.5},
    "lossless.convolution.Bet": {
        "first": 0, "payoffs": (Fraction(1), HALF), "noisier": HALF, "sharper": HALF / 2,
    },
    "lossless.convolution.NoiseDecision": {
        "verdict": "no", "added": None, "negative": (0, -HALF), "bet": None,
    },
    "lossless.discrete_gaussian.GaussianDecision": {
        "verdict": "yes", "times": Fraction(3), "candidate": (0.25, 0.5, 0.25),
    },
    "lossless.least_loss.LeastLoss": {
        "sharper": Fraction(2), "low": Fraction(3), "high": Fraction(4),
        "above": (((HALF, HALF),),),
    },
    "lossless.jumps.JumpDecision": {"verdict": "no", "added": None, "coefficient": (1, -HALF)},
    "lossless.jumps.JumpLaw": {"rates": {1: HALF, -2: Fraction(1)}, "variance": HALF},
    "lossless.kernels.Guessing": {
        "payoffs": ((HALF, Fraction(1)),), "noisier": HALF, "sharper": HALF / 2,
    },
    "lossless.lattice.LatticeLaw": {
        "first": 0, "masses": (HALF, HALF / 2), "left": Fraction(0), "right": HALF,
    },
    "local.bloom.Bloom": {"bits": 16, "hashes": 2, "cohorts": 4},
    "local.decoding.Decoded": {
        "candidates": ("a", "b"), "counts": VECTOR, "errors": VECTOR, "p_values": VECTOR,
        "found": np.array([True, False]), "others": 1.0, "misfit": 1.0,
    },
    "local.rappor.Rappor": {"f": 0.5, "p": 0.25, "q": 0.75},
    "local.survey.Reports": {
        "bloom": BLOOM, "rappor": RAPPOR, "ones": np.ones((2, 4)), "clients": np.array([3, 4])
    },
    "workspace.local.rappor.Subject": {
        "table": None, "query": queries.TextCounts("to", queries.Bounds(relation="replace")),
        "bloom": BLOOM, "p": 0.25, "q": 0.75,
    },
    "charts.forms.bar_rows.Scale": {
        **{"low": 0.0, "high": 1.0, "low_words": "", "high_words": ""},
        **{"ticks": (), "line": 0.5},
    },
    "charts.forms.bar_rows.Tick": {"at": 0.5, "words": "", "end": "", "detail": ""},
    "charts.forms.lines.Here": {"x": 1.0, "words": "", "y": 2.0},
    "charts.forms.lines.Look": {},
    "accounting.bounds.Best": {"value": 0.5, "method": "sum", "bounds": (ONE_BOUND,)},
    "accounting.bounds.Bound": BOUND,
    "accounting.composition.JointLoss": {
        "value": 1.0, "delta": 0.0, "definition": "ε-DP", "method": ""
    },
    "accounting.composition.ReleaseEvent": {
        "session": 1, "definition": "(ε, δ)-DP", "budget": 0.5, "delta": 1e-6
    },
    "accounting.laplace.L2Choice": {
        "which": "pure", "scale": 1.0, "variance": 2.0, "log_delta_switch": 0.0
    },
    "accounting.odometer.Limit": {"definition": "(ε, δ)-DP", "budget": 0.5, "delta": 1e-6},
    "accounting.loss_noise.DoubleExponentialTerm": {"budget": 0.5},
    "accounting.loss_noise.GeometricTerm": {"level": 2.0, "shift": 1},
    "accounting.loss_terms.LossPoints": {
        "loss": VECTOR, "mass": VECTOR, "log_infinite": -9.0, "log_cut": -9.0, "cut_low": 0.0,
        "offset": 0.0,
    },
    "accounting.loss_classes.BoundedRangeTerm": {"budget": 0.5, "steps": 3},
    "accounting.loss_classes.ConcentratedTerm": {"rho": 0.1},
    "accounting.loss_distribution.LossDistribution": {
        "loss": VECTOR, "mass": VECTOR / 9, "width": 0.1, "infinite": 0.0
    },
    "accounting.loss_noise.NormalTerm": {"mu": 0.5},
    "accounting.loss_noise.PoissonTerm": {"level": 2.0, "shift": 1},
    "accounting.loss_promises.ResponseTerm": {"budget": 0.5, "delta": 0.1, "categories": 3},
    "accounting.loss_promises.GeneralisedResponseTerm": {"budget": 0.5, "top": 0.2},
    "accounting.loss_noise.SkellamTerm": {"level": 2.0, "shift": 1},
    "accounting.poisson_losses.Losses": {
        "loss": VECTOR, "log_mass": -VECTOR, "width": 0.1, "log_infinite": -9.0
    },
    "accounting.setwise.Mechanisms": {
        "pure": ((0.1, 2),), "bounded_range": ((0.2, 1),), "concentrated": ((0.5, 1.0),)
    },
    "accounting.bounds.Stated": {"value": 1.0, "method": ""},
    "accounting.tradeoff_pairs.Pair": {"out": VECTOR, "inside": VECTOR},
    "accounting.trees.Tree": {"arity": 3, "height": 3, "subtraction": True},
    "accounting.trees.Vertex": {"level": 0, "first": 1, "last": 3, "sign": 1},
    "counting.maps.Row": {"width": 1, "nodes": 3, "first_node": 0, "first": 1, "place": 0},
    "counting.steps.CounterPlan": {
        "tree": TREE, "steps": 9, "family": FAMILIES["laplace"], "levels": (1.0, 2.0),
        "arity": 3, "offset": 13,
    },
    "data.layout.Layout": {"delimiter": ",", "names": ("a",), "start": 2, "line": 1},
    "data.file_format.FileFormat": {"unnamed": (1,), "header": 3},
    "data.file_format.HowRead": {"header": 3},
    "data.plain.Plain": {"records": 2},
    "data.source.TableSource": SOURCE,
    "data.sample.Sample": SAMPLE,
    "experiments.attack.Worlds": dict.fromkeys(("out", "inside", "joining"), VECTOR),
    "experiments.audit.Audit": {
        "counted": (Counted(EVENT_SEEN, 4, 1, 9, 0.1),), "confidence": 0.9
    },
    "experiments.audit.Counted": {
        "event": EVENT_SEEN, "likelier": 4, "other": 1, "runs": 9, "miss": 0.1
    },
    "experiments.audit_events.Cells": {
        "places": (0, 1), "columns": VECTOR, "rows": VECTOR, "scores": MATRIX
    },
    "experiments.audit_events.Event": {
        "statistic": SUM_SEEN, "threshold": 1.0, "above": True, "inside": True
    },
    "experiments.audit_events.Likelihood": {
        "family": FAMILIES["laplace"], "level": 1.0, "shifts": (1.0,), "places": (0,)
    },
    "experiments.audit_events.Seen": {"kind": "sum", "places": (0, 1), "weights": (1.0, 2.0)},
    "experiments.audit_histogram.HistogramCells": {"rhos": (0.1, 0.2), "thresholds": (3.0, 2.0)},
    "experiments.audit_sessions.Coalition": {
        "family": FAMILIES["laplace"], "order": (1.0, 2.0), "held": (1.0,), "shifts": (1.0, 2.0)
    },
    "experiments.broken.table.Broken": {
        "key": "x", "wrong": GAME, "right": GAME, "delta": 0.5, "caught_by": ()
    },
    "experiments.averaging.Measured": {"value": 2.0, "error": 0.1},
    "experiments.covariance.CovarianceCheck": {
        "theory": MATRIX, "sample": MATRIX, "half": MATRIX, "outside": MATRIX > 1,
        "events": (Event(**EVENT),) * 2, "shares": VECTOR, "strange": VECTOR > 1,
    },
    "local.data_market.MarketTerms": {
        "curve": PriceCurve.linear(4), "limit": Fraction(2), "sensitivity": 1.0
    },
    "local.data_market.Sale": SALE,
    "workspace.local.data_market.Owner": {"values": (147.0,), "noun": "days", "moves": 1.0},
    "local.prices.PriceCurve": {"points": ((Fraction(1), Fraction(4)),), "beyond": Fraction(2)},
    "local.prices.Undercut": SPLIT,
    "experiments.covariance.SampleCovariances": {
        "matrix": MATRIX, "counts": VECTOR, "repetitions": 5
    },
    "experiments.increments.Event": EVENT,
    "experiments.moved.Moved": {"shifts": ((1.0, 5), (5.0, 1))},
    "experiments.simulation.SampleVariances": {
        "lossless": VECTOR, "baseline": VECTOR, "repetitions": 5
    },
    "experiments.top_k.Repetitions": {
        "places": np.array([[0, 2]]), "truth": MATRIX[:1], "values": MATRIX[:1],
        "fitted": MATRIX[:1],
    },
    "gradual.laws.JumpLaw": {"mean": 2.5},
    "handout.report.facts.ReportFacts": REPORT,
    "handout.report.facts.ReportTier": REPORT_TIER,
    "handout.tier_release.TierRelease": TIER,
    "accounting.counting_gauss.Duel": {"tree": 3.0, "gauss": None, "root": 2.0},
    "accounting.prefix_sums.LeastFactor": {"bound": 1.3, "reached": 1.4},
    "local.averaging.AttackErrors": ERRORS,
    "local.hospitals.PopulationMean": POPULATION,
    "local.person.NextDraw": {"how": "bridge", "level": 2.0, "below": 1.0, "above": 3.0},
    "local.trust.Trust": {"epsilons": (Fraction(1), Fraction(1, 2))},
    "linear.comparison.Comparison": {"ways": {}, "left_out": {}, "bound": 1.0},
    "linear.comparison.Way": {"factorization": None, "budget": None, "variances": VECTOR},
    "linear.contribution.Contribution": {"groups": 1, "low": -2.0, "high": 1.0},
    "linear.error_bounds.Optimum": {"left": None, "right": None, "error": 2.0, "bound": 1.0},
    "linear.operators.ColumnNorms": {"l1": VECTOR, "l2": VECTOR, "linf": VECTOR},
    "linear.operators.Identity": N,
    "linear.operators.Matrix": {"entries": MATRIX},
    "linear.operators.PrefixSums": N,
    "linear.operators_intervals.HaarCoefficients": N,
    "linear.operators_intervals.HaarSums": {"n": 4, "which": "prefixes"},
    "linear.operators_intervals.Ranges": N,
    "linear.operators_marginals.Marginals": {"rows": 2, "columns": 3},
    "linear.operators_toeplitz.SquareRoot": N,
    "linear.operators_tree.TreeSums": {"tree": TREE, "n": 4},
    "linear.operators_tree.TreeVertices": {"tree": TREE, "n": 4},
    "noise.bridge_law_counts.CountLaw": {
        "values": VECTOR, "chances": VECTOR, "step": 1, "log_mass": np.log
    },
    "noise.bridge_law_geometric.GeometricLaw": GEOMETRIC,
    "noise.bridge_law_lazy.LazyLaw": LAZY,
    "noise.bridge_law_normal.NormalLaw": {"mean": 0.0, "deviation": 1.0},
    "noise.reals.Exponential": {"rate": Fraction(1, 2)},
    "noise.reals.Interval": {"low": 1, "high": 2, "bits": 8},
    "palette.TierStyle": {"slot": 3, "symbol": 2},
    "parameters.Parameter": {**PARAMETER, "example": "0.5"},
    "planning.amounts.Amount": {"value": 0.5, "delta": 1e-6},
    "accounting.guarantees.Budget": BUDGET,
    "accounting.guarantees.Setting": {
        "family": FAMILIES["laplace"], "delta": 1e-6, "sensitivity": SIZES, "dimension": 3,
        "step": 1.0,
    },
    "planning.choice.Choice": {"question": None, **CHOICE},
    "planning.same_rho.SameRho": {
        "rho": 0.5, "gaussian": 1.0, "laplace": 1.0, "laplace_bound": 1.0
    },
    "planning.choice.Question": {"epsilon": 1.0, "log_delta": -9.0, "l1": 2.0, "l2": 1.0},
    "accounting.moves.Moves": {
        "l1_sensitivity": 2.0, "l2_sensitivity": 1.5, "linf_sensitivity": 1.0, "dimension": 3
    },
    "planning.practice.Deployment": {**DEPLOYMENT, "epsilon": 1.0, "delta": 1e-6, "rho": 0.5},
    "queries.bounded_mean.BoundedMean": {"column": "x", "lower": -9.0, "upper": 5.0, "step": 0.5},
    "queries.bounded_sum.BoundedSum": {"column": "x", "lower": -9.0, "upper": 5.0, "step": 0.5},
    "data.reading.Reading": {"kind": "date", "dates": "dd.mm.yy", "first_year": 1926},
    "queries.bounds.Bounds": {"person": "id", "groups_per_person": 2, "rows_per_group": 2},
    "queries.clip.Clip": {"column": "x", "lower": -9.0, "upper": 5.0},
    "queries.cuts.ByBins": {"column": "x", "edges": (-9.0, 5.0)},
    "queries.grid.Grid": {"step": 0.5},
    "queries.item_names.WholeNumbers": {"low": 0, "high": 5},
    "queries.item_names.Words": {"longest": 3},
    "data.form.Form": {"kind": "text", "length": 5, "digits": True},
    "queries.reading_check.FormatCheck": {"column": "", "form": "number", "values": 3, "fit": 2},
    "queries.reading_check.ListCheck": {
        "column": "a",
        "labels": ("a",),
        "rows": (3,),
        "others": 2,
        "missing": 1,
    },
    "queries.reading_check.ReadingCheck": {"rows": 6, "lists": (), "formats": ()},
    "queries.kept.Kept": {
        "rows": 5, "in_groups": 4, "after_groups": 3, "after_rows": 2, "clipped": 1
    },
    "queries.sensitivity.Sensitivity": {"l0": 2, "l1": 2.0, "l2": 1.4, "linf": 1.0},
    "queries.sum_moves.SumMoves": {"bounds": queries.Bounds(), "k": 3, "low": -5, "high": 5},
    "release.ledger.LedgerEntry": LEDGER,
    "release.ledger.Neighbour": {"level": 1.0, "weight": 0.5},
    "sparse.crossed.Crossed": {"cells": np.array([1, 2]), "held": [(1.0, VECTOR)]},
    "sparse.first_passage.Crossing": {
        "level": 1.0, "threshold": 2.0, "probability": 0.1, "law": CROSSING.law,
        "log_staying": -0.1,
    },
    "sparse.first_passage_law.OneSided": {
        "sign": 1, "panels": CROSSING.law.panels, "masses": CROSSING.law.masses, "log_mass": -1.0
    },
    "sparse.first_passage_panels.Panels": {
        "edges": VECTOR, "coefficients": np.ones((16, 1)), "bends": np.ones(1)
    },
    "sparse.first_passage_step.Message": {"barrier": 1.0, "panels": None},
    "sparse.histogram.Work": {"rho": 0.5, "threshold": 2.0, **WORK},
    "sparse.printed_law.Leak": dict.fromkeys(("printed", "right", "zcdp", "gaussian"), 0.1),
    "sparse.printed_law.Round": {
        "rho": 0.5, "threshold": 2.0, "right": CROSSING, "printed": CROSSING.law, "distance": 0.1
    },
    "charts.still.Layer": {"kind": "line", "x": (1.0, 2.0), "y": (3.0, 4.0)},
    "top_k.choice.Choice": {
        "mechanism": "Gumbel list", "scale": 2.0, "spread": 2.5, "value_sigma": 3.0,
        "threshold": 9.0, "epsilon": 1.0, "delta": 1e-6, "reason": "", "others": (),
        "step": Fraction(1, 2), "log_hidden": -9.0, "log_used": -9.0,
    },
    "noise.randomised_response.RandomisedResponse": {"categories": 3},
    "local.frequencies.Frequencies": {
        "shares": VECTOR, "standard_errors": VECTOR, "people": 5
    },
    "top_k.costs.ListCost": {"steps": 3, "step": 0.1, "log_hidden": -9.0},
    "top_k.ranking.Ranking": {
        "items": ("a",), "asked": 2, "ended": True, "cost": top_k.ListCost(steps=2, step=0.1)
    },
    "top_k.reach.Reach": {"linf": 1, "l0": 2, "both_ways": False},
    "top_k.truncated_histogram.CommonItems": {
        "items": ("a", "b"), "values": VECTOR, "threshold": 2.0
    },
    "top_k.truncated_histogram.ConcentratedCost": {"rho": 0.1, "hidden": 1e-7},
    "top_k.unknown.UnknownDomain": {"seen": 5, "log_delta": -9.0},
    "charts.forms.cone.NewStop": {
        "name": "a", "style": STYLE, "noise": 1.0, "below": "", "ends": None
    },
    "experiments.domain_growth.Cost": {"seconds": 0.5, "dense_seconds": 0.5, **COST},
    "charts.tidy.Intervals": {"value": VECTOR, "low": VECTOR, "high": VECTOR},
    "words.claims.Claim": {"what": "x", "value": 1.0, "fixed": "x", "method": "x"},
    "workspace.composition.Part": {
        "answer": composition.WITH_DELTA, "budget": 0.5, "delta": 0.1, "count": 2
    },
    "workspace.composition_totals.Room": {"best": 3, "added": 1},
    "workspace.counting.Branching": {"arity": 3},
    "workspace.counting.Stream": {"steps": 9, "moved": 2, **STREAM},
    "workspace.gradual.Pieces": {
        "stays": 0.5, "between": 0.2, "opposite": 0.2, "beyond": 0.1
    },
    "workspace.gradual.Reading": {"what": "", "value": 62.0, "unit": "", "step": 2.0},
    "workspace.guesses.Right": {"value": 600.0, "kind": "exact", "method": ""},
    "workspace.plan_file.use.Former": {
        "table": None,
        "statistic": None,
        "family_name": "gaussian",
        "mode": "teaching",
        "delta": 1e-6,
        "seed": 7,
        "plan": {},
    },
    "workspace.plan_file.record.PlanFile": {
        "table": "t", "query": queries.Count(queries.Everybody()), "tiers": DEFAULT_TIERS,
        "family_name": "gaussian", "mode": "teaching", "delta": "1e-6", "seed": 7,
    },
    "workspace.nearness.Size": {"rows": 80.0, "least": True, "why": "typed"},
    "workspace.held.HeldTier": {
        "name": "a", "level": 1.0, "letter": "ε", "loss": 0.5, "delta": 0.1, "first": 3,
        "values": VECTOR, "style": TierStyle(1, 0),
    },
    "workspace.kept.HeldReleases": {"held": {2.0: VECTOR}},
    "workspace.one_tier.Answers": {
        "tier": HELD, "statistic": "", "legend": NUMBERS, "names": ("a", "b"), "values": VECTOR,
        "half": VECTOR, "for_all": False, "mode": "teaching", "facts": (),
    },
    "workspace.local.rappor.SurveySums": {"f": 0.5, "clients": (3, 2), "ones": ((1, 2), (0, 1))},
    "workspace.accounts.Accounts": {"people": {}, "hours": 12.0},
    "workspace.projects.acts.Act": {"what": "draw", "who": "a", "at": None, "session": 1},
    "workspace.projects.plans.KeptPlan": {
        "tiers": (), "delta": 1e-6, "asked": None, "sizes": {}, "groups_from_data": (),
        "looked": False,
    },
    "workspace.projects.overview.Overview": {
        "statistic": "number of people",
        "table": "visits.csv",
        "released": ("a",),
        "sessions": 2,
        "sealed": 1,
        "used": None,
        "losses": {},
    },
    "workspace.linear.Numbers": {
        "key": "", "labels": (), "one": "week", "noun": "", "step": 0.5
    },
    "workspace.local.social_network.Coalition": {
        "viewers": ("a",), "epsilons": (Fraction(1),), "levels": (2.0,), "together": None,
        "errors": AttackErrors(**ERRORS), "half_width": 9.0, "separate": 5.0,
    },
    "workspace.local.social_network.Joined": {
        "name": "a", "distance": 2, "epsilon": Fraction(1), "draw": None, "answer": 141.0
    },
    "workspace.local.social_network.Ring": {
        "distance": 1, "members": ("a",), "epsilon": Fraction(1), "level": 2.0,
        "answer": 141.0, "half_width": 3.0, "error": 2.0,
    },
    "workspace.top_k.Common": {
        "source": OPEN, "sigma": 2.0, "log_delta": -9.0, "log_delta_used": -9.0
    },
    "workspace.top_k.Subject": {
        "source": OPEN, "k": 2, "step": Fraction(1, 2),
        "unknown": top_k.UnknownDomain(seen=5, log_delta=-9.0),
    },
    "workspace.sessions.Asking": {"step": 0.5, "kind": "lossless", **ASKING},
    "workspace.sparse.ItemTier": {
        "planned": PLANNED, "style": STYLE, "threshold": 2.0, "phantoms": 1.0,
        "released": (np.array([4, 5]), VECTOR),
    },
}  # fmt: skip

SIGNED = (NEGATIVE,)
MEASURED = (NAN, INF, FEWER, NEGATIVE)  # what a broken sampler gives is told, not refused
UNKNOWN = (NAN, INF)  # no guarantee stands behind it
LEGAL = {  # what a field may hold, and why
    "charts.still.Layer": {"x": (NEGATIVE, NONE), "y": (NEGATIVE, NONE)},  # places, and gaps
    "data.file_format.FileFormat": {"header": (NONE,)},  # nobody chose a row
    "data.file_format.HowRead": {"header": (NONE,)},
    "data.form.Form": {"length": (NONE,)},  # values differ in length
    "lossless.characteristic.Negative": {"vector": (NEGATIVE,), "value": (NEGATIVE,)},
    "lossless.characteristic.Refutation": {"least": (NEGATIVE,)},  # an eigenvalue
    "lossless.convolution.Bet": {"first": (NEGATIVE,)},  # any whole number
    "lossless.convolution.NoiseDecision": {"negative": (NEGATIVE,)},  # likewise
    "lossless.discrete_gaussian.GaussianDecision": {"candidate": (NEGATIVE,)},  # proves a no
    "lossless.lattice.LatticeLaw": {"first": (NEGATIVE,)},
    "workspace.local.data_market.Owner": {"values": (NEGATIVE,)},
    "local.prices.PriceCurve": {"beyond": (NONE,)},  # nothing is sold beyond the last point
    "accounting.bounds.Bound": {"value": (NEGATIVE, FEWER, INF)},  # may be a logarithm
    "accounting.loss_terms.LossPoints": {
        "loss": SIGNED, "log_infinite": (NEGATIVE, FEWER), "log_cut": (NEGATIVE, FEWER),
        "offset": SIGNED,
    },  # logarithms
    "accounting.loss_distribution.LossDistribution": {"loss": SIGNED},
    "local.decoding.Decoded": {"counts": SIGNED, "others": SIGNED},  # unbiased, so below 0 at times
    "accounting.laplace.L2Choice": {"log_delta_switch": SIGNED},  # a logarithm
    "accounting.poisson_losses.Losses": {
        "loss": SIGNED, "log_mass": (NEGATIVE, FEWER), "log_infinite": (NEGATIVE, FEWER)
    },  # logarithms
    "accounting.bounds.Stated": {"value": (NEGATIVE, FEWER, INF)},  # may be a logarithm
    "words.claims.Claim": {"value": (NEGATIVE, FEWER, INF)},  # likewise
    "local.frequencies.Frequencies": {"shares": SIGNED},  # unbiased, so sometimes below 0
    "accounting.trees.Vertex": {"sign": SIGNED},
    "counting.maps.Row": {"first": SIGNED},  # counted from the first step on
    "data.plain.Plain": {"records": (NONE,)},
    "data.sample.Sample": {"bounds": SIGNED},
    "experiments.attack.Worlds": dict.fromkeys(("out", "inside"), SIGNED),
    "experiments.audit_events.Cells": dict.fromkeys(("columns", "rows", "scores"), SIGNED),
    "experiments.audit_events.Event": {"threshold": (*SIGNED, INF, FEWER)},
    "experiments.audit_events.Likelihood": {"shifts": SIGNED},
    "experiments.audit_events.Seen": {"weights": SIGNED},
    "experiments.audit_histogram.HistogramCells": {"thresholds": SIGNED},
    "experiments.audit_sessions.Coalition": {"shifts": SIGNED},
    "experiments.moved.Moved": {"shifts": SIGNED},
    "experiments.covariance.CovarianceCheck": {
        "theory": SIGNED, "sample": MEASURED, "half": SIGNED, "outside": SIGNED
    },
    "experiments.increments.Event": {
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
    "noise.bridge_law_normal.NormalLaw": {"mean": SIGNED},
    "noise.reals.Exponential": {"rate": (NONE,)},  # an infinite rate
    "parameters.Parameter": {"above": SIGNED},
    "planning.amounts.Amount": {"delta": (NONE,)},
    "accounting.guarantees.Budget": {"rho": (NONE,), "mu": (NONE,)},  # the family has none
    "workspace.plan_file.record.PlanFile": {"seed": (NONE,)},  # it says none
    "planning.choice.Choice": {
        "gaussian_classical": (NONE,), "gauss_between": (NEGATIVE, FEWER),
        "crossover_pure": (NEGATIVE, FEWER), "crossover_classical": (NEGATIVE, FEWER, NONE),
        "switch": (NEGATIVE, FEWER),
    },
    "planning.choice.Question": {"log_delta": SIGNED},
    "planning.same_rho.SameRho": {"laplace": (NONE,)},
    "planning.practice.Deployment": dict.fromkeys(("epsilon", "delta", "rho"), (NONE,)),
    "queries.bounded_mean.BoundedMean": {"lower": SIGNED, "upper": SIGNED},
    "queries.bounded_sum.BoundedSum": {"lower": SIGNED, "upper": SIGNED, "step": (NONE,)},
    "queries.clip.Clip": {"lower": SIGNED, "upper": SIGNED},
    "queries.cuts.ByBins": {"edges": SIGNED},
    "queries.item_names.WholeNumbers": {"low": SIGNED},
    "queries.sum_moves.SumMoves": {"low": SIGNED, "high": SIGNED},
    "sparse.crossed.Crossed": {"held": SIGNED},
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
    "top_k.unknown.UnknownDomain": {"log_delta": SIGNED},  # a logarithm
    "workspace.composition_totals.Room": {"best": (NEGATIVE,), "added": (NEGATIVE,)},
    "workspace.counting.Branching": {"arity": (NONE,)},
    "workspace.gradual.Reading": {"value": SIGNED},
    "workspace.held.HeldTier": {"values": SIGNED},
    "workspace.kept.HeldReleases": {"held": SIGNED},
    "workspace.one_tier.Answers": {"values": SIGNED},
    "workspace.top_k.Common": dict.fromkeys(("log_delta", "log_delta_used"), SIGNED),
    "workspace.sparse.ItemTier": {"threshold": (NEGATIVE, INF, FEWER), "released": SIGNED},
}  # fmt: skip
