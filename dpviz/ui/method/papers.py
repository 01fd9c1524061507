"""The papers behind the rules, as docs/MATHEMATICS.md has them; a test compares both."""

import pandas as pd

PAPERS = {
    "LMR25": "Andersson, Retschmeier, Nelson, Pagh, Private Lossless Multiple Release, ICML 2025, "
    "arXiv:2505.22449.",
    "KHP15": "Koufogiannis, Han, Pappas, Gradual Release of Sensitive Data under Differential "
    "Privacy, 2015, arXiv:1504.00429.",
    "APT24": "Andersson, Pagh, Torkamani, Count on Your Elders: Laplace vs Gaussian Noise, 2024, "
    "arXiv:2408.07021.",
    "BCT20": "Cesar, Rogers, Bounding, Concentrating, and Truncating: Unifying Privacy Loss "
    "Composition for Data Analytics, ALT 2021, arXiv:2004.07223.",
    "AKL21": "Agarwal, Kairouz, Liu, The Skellam Mechanism for Differentially Private Federated "
    "Learning, NeurIPS 2021, arXiv:2110.04995.",
    "BS16": "Bun, Steinke, Concentrated Differential Privacy: Simplifications, Extensions, and "
    "Lower Bounds, TCC 2016, arXiv:1605.02065.",
    "BW18": "Balle, Wang, Improving the Gaussian Mechanism for Differential Privacy: Analytical "
    "Calibration and Optimal Denoising, ICML 2018, arXiv:1805.06530.",
    "CKS20": "Canonne, Kamath, Steinke, The Discrete Gaussian for Differential Privacy, NeurIPS "
    "2020, arXiv:2004.00010.",
    "DDR20": "Dong, Durfee, Rogers, Optimal Differential Privacy Composition for Exponential "
    "Mechanisms, ICML 2020, arXiv:1909.13830.",
    "DGK22": "Doroshenko, Ghazi, Kamath, Kumar, Manurangsi, Connect the Dots: Tighter Discrete "
    "Approximations of Privacy Loss Distributions, PoPETs 2022, arXiv:2207.04380.",
    "DR19": "Durfee, Rogers, Practical Differentially Private Top-k Selection with Pay-what-you-get"
    " Composition, NeurIPS 2019, arXiv:1905.04273.",
    "EPK14": "Erlingsson, Pihur, Korolova, RAPPOR: Randomized Aggregatable Privacy-Preserving "
    "Ordinal Response, CCS 2014, arXiv:1407.6981.",
    "Pan24": "Pan, Randomized Response with Gradual Release of Privacy Budget, 2024, "
    "arXiv:2401.13952.",
    "RRUV16": "Rogers, Roth, Ullman, Vadhan, Privacy Odometers and Filters: Pay-as-you-Go "
    "Composition, NeurIPS 2016, arXiv:1605.08294.",
    "XTC09": "Xiao, Tao, Chen, Optimal Random Perturbation at Multiple Privacy Levels, PVLDB 2, "
    "2009.",
}
CITED = {  # those with a rule that is wrong as printed, on one line of a phone
    "LMR25": "“Private Lossless Multiple Release” (Andersson et al., 2025)",
}


def papers_frame() -> pd.DataFrame:
    """The four papers first, then what they and we build on.

    >>> papers_frame().iloc[0]["Key"]
    'LMR25'
    """
    return pd.DataFrame(list(PAPERS.items()), columns=["Key", "Paper"])
