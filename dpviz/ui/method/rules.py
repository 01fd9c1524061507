"""What the pages rest on: each rule, whose it is, where it is in the code, and which check watches.

A test imports every place in the code and finds every check; a second one compares the sections and
the papers with docs/MATHEMATICS.md.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        topic: one of `TOPICS`.
        says: the rule in one sentence.
        source: paper and theorem, or "ours".
        section: of the mathematics.
        code: where it is, a module of dpviz and a name in it.
        check: file of the tests and a test in it, which fails when the rule is broken.
    """

    topic: str
    says: str
    source: str
    section: str
    code: str
    check: str


RELEASES, KINDS, COSTS, TOGETHER = "Releases", "Kinds of noise", "What it costs", "Together"
STRUCTURED, LOCAL = "Structured", "Local"
TOPICS = (RELEASES, KINDS, COSTS, TOGETHER, STRUCTURED, LOCAL)

RULES = (
    Rule(
        RELEASES,
        "Whatever the order, all releases together have one law: that of noise that grows with "
        "its level.",
        "[LMR25] Lemma 3.3, Algorithm 1",
        "1.2",
        "release.session.MultipleRelease.release",
        "law/test_joint_law.py test_joint_law_in_every_order",
    ),
    Rule(
        RELEASES,
        "A bridge drawn independently, or with a scale wrong by a tenth, is another law.",
        "ours",
        "1.2",
        "noise.family.Family.bridge",
        "law/test_joint_law.py test_broken_families_are_found_out",
    ),
    Rule(
        RELEASES,
        "Only extend and bridge draw, and a level is drawn once.",
        "[LMR25] Algorithm 1",
        "1.2",
        "release.session.MultipleRelease.holds",
        "unit/release/test_any_order.py "
        "test_only_extend_and_bridge_draw_and_no_two_points_share_a_stream",
    ),
    Rule(
        RELEASES,
        "A sealed session has forgotten the exact numbers: they are in no byte of it.",
        "[LMR25] Lemma A.2",
        "1.5",
        "release.session.MultipleRelease.seal",
        "unit/release/test_sealing.py test_exact_values_are_in_no_byte_of_what_is_kept",
    ),
    Rule(
        RELEASES,
        "Copies of a session would average the noise away, so they are refused.",
        "ours",
        "1.5",
        "release.uncopied.Uncopied",
        "unit/release/test_forks.py test_copies_and_pickles_are_refused",
    ),
    Rule(
        RELEASES,
        "Any function of noisy numbers promises what they promise.",
        "[LMR25] Lemma 4.3, Theorem 4.4",
        "1.4",
        "handout.post_processing.least_squares_totals",
        "unit/handout/test_post_processing.py",
    ),
    Rule(
        KINDS,
        "Gaussian: between two releases the new one is normal around their weighted mean.",
        "[LMR25] Lemma 3.3",
        "2.1",
        "noise.gaussian.Gaussian",
        "law/test_marginal_law.py test_law_on_every_route",
    ),
    Rule(
        KINDS,
        "Laplace: the bridge copies a neighbour with a chance that does not depend on the data.",
        "[LMR25] Lemma F.5, corrected",
        "2.3",
        "noise.laplace.Laplace",
        "law/test_joint_law.py test_broken_families_are_found_out",
    ),
    Rule(
        KINDS,
        "Discrete Laplace, whole numbers: the same with geometric steps, sampled exactly.",
        "ours, after [LMR25]",
        "2.6",
        "noise.discrete_laplace.DiscreteLaplace",
        "unit/noise/test_geometric.py",
    ),
    Rule(
        KINDS,
        "Poisson: a bridge thins the counts between two releases.",
        "[LMR25] section 4.1, Lemma E.4",
        "2.5",
        "noise.poisson.Poisson",
        "unit/noise/test_poisson_integer.py",
    ),
    Rule(
        KINDS,
        "Skellam: two hidden counts are drawn, then thinned.",
        "ours",
        "2.7",
        "noise.skellam.Skellam",
        "unit/noise/test_skellam.py test_rejection_keeps_the_law_of_the_hidden_counts",
    ),
    Rule(
        KINDS,
        "Randomised response: a report is blurred again by a coin that knows no secret.",
        "[XTC09], [Pan24]",
        "2.8",
        "noise.randomised_response.RandomisedResponse",
        "law/test_response_law.py test_three_reports_have_their_joint_law_in_every_order",
    ),
    Rule(
        COSTS,
        "Gaussian noise: the exact curve of ε and δ, and its inverses.",
        "[BW18] Theorem 8",
        "3.3",
        "accounting.gaussian.gaussian_log_delta",
        "unit/accounting/test_never_overspends.py test_gaussian_epsilon",
    ),
    Rule(
        COSTS,
        "From ρ to ε at a δ: the least that any curve of ρ-zCDP allows.",
        "[BS16] Proposition 1.3, [CKS20] Proposition 12",
        "3.2",
        "accounting.conversions.zcdp_epsilon",
        "unit/accounting/test_never_overspends.py test_zcdp_epsilon",
    ),
    Rule(
        COSTS,
        "Laplace noise with a δ needs less than without.",
        "ours",
        "3.5",
        "accounting.laplace.laplace_scale",
        "unit/accounting/test_never_overspends.py test_laplace_scale",
    ),
    Rule(
        COSTS,
        "Poisson noise on several groups: losses are added on a grid that keeps both masses.",
        "[DGK22]; the bound is ours",
        "3.12",
        "accounting.poisson_groups.poisson_groups_log_delta",
        "unit/accounting/test_poisson_groups.py test_bound_against_enumeration",
    ),
    Rule(
        COSTS,
        "Skellam noise: exact on one coordinate, a bound for more.",
        "[AKL21] Theorem 3.5; exact sums are ours",
        "3.9",
        "accounting.skellam.skellam_log_delta",
        "unit/accounting/test_skellam.py",
    ),
    Rule(
        COSTS,
        "How far one person moves a statistic, for every bound and both kinds of neighbours.",
        "ours",
        "3.1",
        "queries.sensitivity.Sensitivity",
        "unit/queries/test_sensitivity.py",
    ),
    Rule(
        TOGETHER,
        "Within a session the largest budget counts, between sessions budgets add.",
        "[LMR25] Definition 3.4, [BS16] Lemma 1.7",
        "5.1",
        "accounting.composition.joint_loss",
        "unit/accounting/test_composition.py test_within_a_session_the_largest_counts_not_the_sum",
    ),
    Rule(
        TOGETHER,
        "A coalition under five ways of giving out numbers.",
        "[LMR25] Figure 2; below the global level ours",
        "5.4",
        "accounting.coalition.coalition_rho",
        "unit/accounting/test_coalition.py test_every_scheme_by_hand",
    ),
    Rule(
        TOGETHER,
        "Pure and bounded-range mechanisms chosen one after the other.",
        "[BCT20] Lemma 5.1, Propositions 1 and 2",
        "5.10",
        "accounting.adaptive_composition.adaptive_composition_log_delta",
        "unit/accounting/test_adaptive_composition.py",
    ),
    Rule(
        TOGETHER,
        "A limit refuses what would exceed it, and a refusal changes nothing.",
        "[RRUV16], [DGK22]",
        "5.1",
        "accounting.odometer.Odometer",
        "unit/accounting/test_odometer.py "
        "test_a_refused_release_changes_nothing_and_the_sentence_adds_up",
    ),
    Rule(
        TOGETHER,
        "At which δ Laplace and Gaussian noise change places.",
        "ours",
        "9.1",
        "accounting.crossover.crossover_log_delta",
        "unit/accounting/test_crossover.py",
    ),
    Rule(
        STRUCTURED,
        "Linear queries: noise goes between two factors of the question.",
        "[LMR25] section 5.1, Algorithm 2",
        "6.1",
        "linear.Factorization",
        "law/test_linear_law.py test_joint_law_of_answers_in_every_order",
    ),
    Rule(
        STRUCTURED,
        "Sparse histograms: empty cells are drawn only where they show, as if all had been.",
        "ours, after [LMR25] Algorithm 6",
        "8.3",
        "sparse.SparseHistogram",
        "law/test_sparse_law.py test_sparse_is_dense",
    ),
    Rule(
        STRUCTURED,
        "Continual counting: every part of the tree is shared by tiers and times.",
        "[APT24] Algorithms 1 and 2; tiers are ours",
        "7.2",
        "counting.ContinualCounter",
        "law/test_counting_law.py test_tiers_and_times_share_in_every_order",
    ),
    Rule(
        STRUCTURED,
        "Top-k: the law of the whole list, and of the counts on it.",
        "[BCT20] section 6, [DDR20]",
        "13.1",
        "top_k.TopK",
        "law/test_top_k_law.py test_ordered_lists_follow_plackett_and_luce",
    ),
    Rule(
        STRUCTURED,
        "Top-k of an unknown domain: no list tells more than is said.",
        "[DR19]",
        "13.2",
        "top_k.UnknownDomain",
        "unit/top_k/test_unknown_law.py "
        "test_no_list_from_an_unknown_domain_tells_more_than_is_said",
    ),
    Rule(
        LOCAL,
        "Gradual release: one person’s noise at every budget at once, drawn at its jumps.",
        "[KHP15] section 3.4; jumps are ours",
        "14.2",
        "gradual.LaplacePath",
        "law/test_gradual_law.py test_path_and_session_have_one_law",
    ),
    Rule(
        LOCAL,
        "RAPPOR: a relaxed report and the one before it tell what the sharper one tells.",
        "[EPK14], [XTC09]",
        "15.2",
        "local.rappor_joint_loss",
        "law/test_rappor_law.py test_permanent_bits_follow_the_chain_in_either_order",
    ),
    Rule(
        LOCAL,
        "Social network: all answers about one person follow one path.",
        "[KHP15] section 4.2",
        "15.3",
        "local.SocialNetwork",
        "law/test_local_law.py test_answers_in_three_rings_follow_one_path_in_every_order",
    ),
    Rule(
        LOCAL,
        "Data market: what an owner sold in all is the largest ε, no matter who bought it.",
        "[KHP15] introduction; prices are ours",
        "15.5",
        "local.DataMarket",
        "law/test_data_market_law.py test_every_order_of_purchases_has_the_same_joint_law",
    ),
)


def about(topic: str) -> tuple[Rule, ...]:
    """The rules of a topic.

    >>> about("Releases")[0].code
    'release.session.MultipleRelease.release'
    """
    return tuple(rule for rule in RULES if rule.topic == topic)


def checks() -> int:
    """How many different checks watch them.

    >>> checks() > 25
    True
    """
    return len({rule.check for rule in RULES})
