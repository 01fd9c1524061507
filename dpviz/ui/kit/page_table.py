"""The pages, once: file, title in the menu, group and the question it answers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageInfo:
    """One page of the dashboard; the file name is the URL.

    Attributes:
        file: its file in `pages/`, without ".py".
        title: in the menu.
        group: of the menu.
        question: which it answers.
        begins: the title of the first screen of a lesson; "" for a page, which has its question
            as a title, a headline, at most two closers and a drawer.
        joins: a few words that lead from the page before to the question; "" where it follows. The
            last page leads back to the first.
        listed: whether the menu has it; another page leads to one that it has not.
        plain: what a title means that only the field knows; "" where everybody does.
    """

    file: str
    title: str
    group: str
    question: str
    begins: str = ""
    joins: str = ""
    listed: bool = True
    plain: str = ""

    @property
    def is_lesson(self) -> bool:
        """Whether the page is a lesson: screens of one sentence, without badges and drawer."""
        return bool(self.begins)

    @property
    def entry(self) -> str:
        """How the menu, and the line above the title, name the page.

        >>> page("variances").entry, page("tiers").entry
        ('Variances: the price of separate noise', 'Tiers')
        """
        return f"{self.title}: {self.plain}" if self.plain else self.title

    @property
    def heading(self) -> str:
        """The title that one who opens the page sees.

        >>> page("trust_grows").heading, page("tiers").heading
        ('Noise on her own phone', 'Who gets to see how much?')
        """
        return self.begins or self.question


MORE = "More questions"  # a group, and the page that shows what is in it
OVERVIEW = "more_questions"  # its file
STORY = "story"  # in the address of Growing trust
CODE = "code"  # in the address of a student's page: the class
MOVED = {  # other addresses: where they lead, and which story they ask for there
    "class": ("classroom", ""),  # no module can be called so
    "gradual_reports": ("growing_trust", "pulse"),
    "social_network": ("growing_trust", "circle"),
    "data_market": ("growing_trust", "market"),
}
PAGES = (
    PageInfo(
        "start",
        "Start",
        "",
        "What does a count tell about one person?",
        joins="Back to the start.",
        begins="A count gives Maria away",
    ),
    PageInfo(
        "the_trick",
        "How the trick works",
        "Learn",
        "Does it matter who gets a number first?",
        begins="Noise is a path",
    ),
    PageInfo(
        "the_promise",
        "What the promise says",
        "Learn",
        "What is promised to one person?",
        begins="Two towns, one person apart",
    ),
    PageInfo(
        "trust_grows",
        "Trust grows",
        "Learn",
        "What does each hospital learn about one patient?",
        begins="Noise on her own phone",
    ),
    PageInfo("classroom", "Class board", "Learn", "What does a class know together?", listed=False),
    PageInfo("quiz", "Quiz", "Learn", "What do you take away?", listed=False),
    PageInfo(
        "data", "Data", "Publish", "What are you going to publish?", joins="And now your own table."
    ),
    PageInfo("tiers", "Tiers", "Publish", "Who gets to see how much?"),
    PageInfo("releases", "Releases", "Publish", "What does each reader get?"),
    PageInfo("present", "Present", "Publish", "Show one tier’s numbers, large", listed=False),
    PageInfo(
        "bridge_paths",
        "Bridge paths",
        "Understand",
        "Can a reader join later, with the data locked away?",
        plain="joining later",
    ),
    PageInfo(
        "variances",
        "Variances",
        "Understand",
        "What would separate noise cost?",
        plain="the price of separate noise",
    ),
    PageInfo(
        "collusion",
        "Collusion",
        "Understand",
        "What if readers compare notes?",
        plain="comparing notes",
    ),
    PageInfo(
        "laplace_or_gauss",
        "Laplace or Gauss",
        "Understand",
        "Which noise is smaller?",
        plain="two kinds of noise",
        joins="There are two common kinds of noise.",
    ),
    PageInfo("more_questions", "Overview", MORE, "Which question is yours?"),
    PageInfo(
        "linear_queries",
        "Linear queries",
        "More questions",
        "What if you need many totals?",
        plain="many totals",
    ),
    PageInfo(
        "continual_counting",
        "Continual counting",
        "More questions",
        "What if the data keeps coming?",
        plain="data that keeps coming",
    ),
    PageInfo(
        "sparse_histograms",
        "Sparse histograms",
        "More questions",
        "Can you publish answers from a long list?",
        plain="a long list",
    ),
    PageInfo(
        "top_k",
        "Top-k",
        "More questions",
        "Can you publish a top ten and limit what it gives away?",
        plain="a top ten",
    ),
    PageInfo(
        "composition",
        "Composition",
        "More questions",
        "How many more answers can you publish?",
        plain="many answers",
    ),
    PageInfo(
        "rappor",
        "RAPPOR",
        "More questions",
        "Can random answers still reveal a problem?",
        plain="random answers",
        joins="What if nobody may collect the true answers?",
    ),
    PageInfo(
        "growing_trust",
        "Growing trust",
        MORE,
        "Can you tell a doctor more than a stranger?",
        plain="more for some readers",
        joins="Some readers you trust more.",
    ),
    PageInfo(
        "falsify",
        "Falsify",
        "Check",
        "Can an attacker break our promise?",
        joins="Watch an attack on our noise.",
    ),
    PageInfo(
        "method",
        "Method",
        "Check",
        "Why should you believe this?",
        joins="See how we look for our own mistakes.",
    ),
)


def page(file: str) -> PageInfo:
    """The entry of one page.

    >>> page("tiers").title
    'Tiers'
    """
    return next(p for p in PAGES if p.file == file)


def path(file: str) -> str:
    """Where the page is, for links.

    >>> path("tiers")
    'pages/tiers.py'
    """
    return f"pages/{file}.py"


def after(file: str) -> PageInfo:
    """The page that goes on with the story; after the last one, its start.

    Each page leads to the next of its group, and the group to the next one; the overview of the
    pages behind Understand leads past them to the check, since its cards lead to each.

    >>> after("tiers").file, after("laplace_or_gauss").file, after("top_k").file
    ('releases', 'more_questions', 'composition')
    >>> after("more_questions").file, after("growing_trust").file, after("method").file
    ('falsify', 'falsify', 'start')
    """
    here = page(file)
    pages = [p for p in PAGES if p == here or (p.listed and not p.is_lesson)]
    ahead = pages[pages.index(here) + 1 :]
    if here == page(OVERVIEW):
        ahead = [p for p in ahead if p.group != MORE]
    return ahead[0] if ahead else PAGES[0]


def following(file: str) -> tuple[PageInfo, ...]:
    """The lessons that the menu has after one.

    >>> [p.file for p in following("the_promise")], following("trust_grows")
    (['trust_grows'], ())
    """
    files = [p.file for p in PAGES]
    return tuple(p for p in PAGES[files.index(file) + 1 :] if p.is_lesson)
