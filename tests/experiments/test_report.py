"""The report: one page that needs nothing else, figures beside it, and claims as data."""

import json
import re
from html.parser import HTMLParser

import made_up
import pytest

from equipoise.experiments.paper.exhibits import DATA_FIGURES, IDEAS
from equipoise.experiments.report import write_report

FIELDS = {"id", "label", "says", "paper", "measured", "se", "n", "compatible", "note"}
VOID = {"meta", "path", "use", "rect", "br", "circle", "line"}


class Reader(HTMLParser):
    """Reads a page: its text, names, links, and whether tags are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.said, self.wrong = [], [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.note(attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.note(attrs)

    def note(self, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in {"src", "href", "srcset", "data", "action"}:
                self.links.append(value)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.said.append(data)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A report of the paper's way, and of two others beside it."""
    out = tmp_path_factory.mktemp("report")
    some = ["utilize-4", "correct"]
    studies = [
        made_up.speed(),
        made_up.accuracy(),
        made_up.speed(sampler="smc", methods=some),
        made_up.speed(sampler="smc", pool=1000, methods=some),
        made_up.accuracy(sampler="smc"),
    ]
    write_report(made_up.outcome, studies, out)
    return out


@pytest.fixture(scope="module")
def page(written):
    """The page, read."""
    return Reader((written / "report.html").read_text(encoding="utf-8"))


def test_the_page_is_well_formed(page):
    """Every tag is closed, every name there once, every link within the page leads somewhere."""
    assert page.wrong == []
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_the_page_opens_without_a_network(page, written):
    """Nothing is loaded: every link stays within, no address, no script, no import."""
    assert all(link.startswith("#") for link in page.links)
    text = (written / "report.html").read_text(encoding="utf-8")
    assert "http" not in text
    assert not re.search(r"<script|<link|<img|<iframe|@import|url\((?!#)", text)


def test_every_figure_is_on_the_page_and_in_the_folder(page, written):
    """With its caption, as SVG whose text is text and as PNG."""
    said = " ".join(page.said)
    for figure in (*IDEAS, *DATA_FIGURES):
        assert figure.title in said
        assert figure.label in said
        for ending in ("svg", "png"):
            assert (written / "figures" / f"{figure.name}.{ending}").stat().st_size > 1000
    assert "fig:kidney" in said
    assert "joins later" in said
    assert "conflicted" in said


def test_the_page_says_how_it_was_run_and_that_it_was_quick(page):
    """Sampler, pool, people and seed of every way; and what changes between them."""
    said = " ".join(page.said)
    for words in (
        "the paper's sampler, pool 50, 4 people, seed 1",
        "our sampler, pool 1000, 4 people, seed 1",
        "A quick run",
        "better inference alone",
        "a pool of 1000 instead of 50",
        "stand still",
    ):
        assert words in said


def test_the_page_has_colours_for_dark_screens(written):
    """Figures take theirs from the page."""
    text = (written / "report.html").read_text(encoding="utf-8")
    style, body = text.split("</style>", 1)
    assert "prefers-color-scheme: dark" in style
    assert style.count("{") == style.count("}")
    used = set(re.findall(r"var\(--([\w-]+)\)", text))
    assert used <= set(re.findall(r"--([\w-]+):", style))
    assert not re.search(r"(?:fill|stroke): ?#[0-9a-f]{6}", body)


def test_claims_have_all_their_fields(written):
    """Each claim of the text: what the paper says, what came out, and whether they agree."""
    claims = json.loads((written / "claims.json").read_text(encoding="utf-8"))
    assert len(claims) >= 70
    assert len({claim["id"] for claim in claims}) == len(claims)
    for claim in claims:
        assert set(claim) == FIELDS
        assert claim["label"].startswith(("sec:", "app:"))
        measured = claim["measured"] is not None
        assert measured == (claim["compatible"] is not None) == (claim["n"] is not None)
        assert measured or claim["note"].startswith("not measured")
        if claim["compatible"] is False:
            assert claim["note"].startswith(("higher", "lower"))
    assert {claim["compatible"] for claim in claims} == {True, False, None}


def test_the_theory_is_there_as_data(written):
    """Every statement with its largest deviation."""
    data = json.loads((written / "theory.json").read_text(encoding="utf-8"))
    assert all(row["holds"] for row in data["statements"])


def test_missing_runs_are_named(tmp_path):
    """What was to be run and wasn't is said, with how to go on; nothing else fails."""
    studies = [made_up.speed(methods=["utilize-4"]), made_up.accuracy()]
    few = {one: made_up.outcome(one) for one in studies[0].simulations[:2]}
    write_report(few.get, studies, tmp_path, with_theory=False)
    said = " ".join(Reader((tmp_path / "report.html").read_text(encoding="utf-8")).said)
    assert "6 of 8 experiments" in said
    assert "to continue" in said
    assert "Nothing that this figure shows was run." in said
    assert not (tmp_path / "theory.json").exists()
    assert not (tmp_path / "figures" / "threepanel.svg").exists()


def test_no_study_at_all_leaves_the_theory(tmp_path):
    """As for whoever wants the theory only."""
    files = write_report(lambda _: None, [], tmp_path)
    assert files[0] == tmp_path / "report.html"
    assert set(files) == {path for path in tmp_path.rglob("*") if path.is_file()}
    said = " ".join(Reader((tmp_path / "report.html").read_text(encoding="utf-8")).said)
    assert "No experiment was run" in said
    assert (tmp_path / "figures" / "latent.svg").exists()
    claims = json.loads((tmp_path / "claims.json").read_text(encoding="utf-8"))
    assert {claim["compatible"] for claim in claims} == {None}
