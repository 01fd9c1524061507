"""What releases cost, alone and together."""

from dpviz.ui.method.rule import COSTS, TOGETHER, Rule

COUNTED = (
    Rule(
        COSTS,
        "Gaussian noise: the exact curve of ε and δ, and its inverses.",
        "[BW18] Theorem 8",
        "3.3",
        "accounting.gaussian.gaussian_log_delta",
        "unit/accounting/test_gaussian.py",
        (
            "Below 0 the curve is mirrored without the factor e^ε.",
            "Nothing is added for rounding, so that ε is sometimes too small.",
            "The noise is too small in its tenth digit.",
        ),
    ),
    Rule(
        COSTS,
        "From ρ to ε at a δ: the least that any curve of ρ-zCDP allows.",
        "[BS16] Proposition 1.3, [CKS20] Proposition 12",
        "3.2",
        "accounting.conversions.zcdp_epsilon",
        "unit/accounting/test_never_overspends.py test_zcdp_epsilon",
        (
            "The last term of the conversion is left out.",
            "The last digit of ε is rounded down.",
        ),
    ),
    Rule(
        COSTS,
        "Laplace noise with a δ needs less than without.",
        "ours",
        "3.5",
        "accounting.laplace.laplace_scale",
        "unit/accounting/test_never_overspends.py test_laplace_scale",
        (
            "A δ counts twice, so that the noise is too small.",
            "The last digit of the noise is not rounded up.",
        ),
    ),
    Rule(
        COSTS,
        "Poisson noise on several groups: losses are added on a grid that keeps both masses.",
        "[DGK22]; the bound is ours",
        "3.12",
        "accounting.poisson_groups.poisson_groups_log_delta",
        "unit/accounting/test_poisson_groups.py test_bound_against_enumeration",
        (
            "Losses are rounded down to the grid.",
            "Losses are rounded up one by one, so that one of the two masses grows.",
            "A number that gives a person away for sure counts for nothing.",
            "Only who comes is looked at, not who leaves.",
        ),
    ),
    Rule(
        COSTS,
        "Skellam noise: exact on one coordinate, a bound for more.",
        "[AKL21] Theorem 3.5; exact sums are ours",
        "3.9",
        "accounting.skellam.skellam_log_delta",
        "unit/accounting/test_skellam.py",
        (
            "Outcomes beyond ε count in full.",
            "Who moves a count by several steps pays for one.",
        ),
    ),
    Rule(
        COSTS,
        "How far one person moves a statistic, for every bound and both kinds of neighbours.",
        "ours",
        "3.1",
        "queries.sensitivity.Sensitivity.bounded",
        "unit/queries/test_pairs.py test_no_pair_moves_farther_than_the_formula_and_some_as_far",
        (
            "The Euclidean norm forgets how many groups one person moves.",
            "Somebody who takes another one’s place moves as little as one who comes.",
            "A published total counts as one more group.",
        ),
    ),
    Rule(
        TOGETHER,
        "Within a session the largest budget counts, between sessions budgets add.",
        "[LMR25] Definition 3.4, [BS16] Lemma 1.7",
        "5.1",
        "accounting.composition.joint_loss",
        "unit/accounting/test_composition.py",
        (
            "The budgets of one session are added up.",
            "Of several sessions only the largest budget counts.",
        ),
    ),
    Rule(
        TOGETHER,
        "A coalition under six ways of giving out numbers.",
        "[LMR25] Figure 2; below the global level ours",
        "5.4",
        "accounting.coalition.coalition_rho",
        "unit/accounting/test_coalition.py",
        (
            "The budgets of a lossless coalition are added up.",
            "Noise that all members share is counted for each of them.",
            "A slice of a split budget that nobody holds is counted.",
        ),
    ),
    Rule(
        TOGETHER,
        "Pure and bounded-range mechanisms chosen one after the other.",
        "[BCT20] Lemma 5.1, Propositions 1 and 2",
        "5.10",
        "accounting.adaptive_composition.adaptive_composition_log_delta",
        "unit/accounting/test_adaptive_composition.py",
        (
            "Rounds that are chosen one after the other count as if fixed in advance.",
            "A power of 3 in the closed form is a power of 2.",
        ),
    ),
    Rule(
        TOGETHER,
        "A limit refuses what would exceed it, and a refusal changes nothing.",
        "[RRUV16], [DGK22]",
        "5.1",
        "accounting.odometer.Odometer",
        "unit/accounting/test_odometer.py "
        "test_a_refused_release_changes_nothing_and_the_sentence_adds_up",
        (
            "A release is compared with the limit as if nothing had been spent.",
            "A refused release is counted all the same.",
        ),
    ),
    Rule(
        TOGETHER,
        "At which δ Laplace and Gaussian noise change places.",
        "ours",
        "9.1",
        "accounting.crossover.crossover_log_delta",
        "unit/accounting/test_crossover.py",
        (
            "Laplace noise is given the variance b², not 2b².",
            "The classical formula loses its 1.25.",
        ),
    ),
)
