"""What every test may count on: skips that can be made to fail, repeatable laws, the paper."""

import os
from collections.abc import Generator
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import Phase, settings

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

SHARED = Path(os.environ.get("EQUIPOISE_SHARED", Path(__file__).parents[2] / "shared"))

# Derandomised: the same code gives the same verdict on every run and machine.
settings.register_profile(
    "default", derandomize=True, deadline=None, max_examples=50, database=None
)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=1000)
# Only whether a case fails matters to the mutants: finding the smallest one would take minutes.
settings.register_profile(
    "mutants", settings.get_profile("default"), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile(os.environ.get("EQUIPOISE_HYPOTHESIS", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer `--no-skips`."""
    parser.addoption(
        "--no-skips",
        action="store_true",
        default=os.environ.get("EQUIPOISE_NO_SKIPS") == "1",
        help="a skipped test is a failure (also EQUIPOISE_NO_SKIPS=1)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let no skip pass where that is asked for."""
    if config.getoption("--no-skips"):
        config.pluginmanager.register(SkipsFail())


class SkipsFail:
    """Turns a skipped test or file into a failed one, for the reason it gave."""

    # A plugin of its own: hooks written in a conftest see only the tests beneath its folder.

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Judge one test."""
        return fail_if_skipped((yield))

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self,
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Judge one file."""
        return fail_if_skipped((yield))


def fail_if_skipped(report: Report) -> Report:
    """Make a skip a failure; a test that was expected to fail, and did, stays as it is."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason} (skips are failures here)"
    return report


@pytest.fixture(scope="session")
def paper_tex() -> str:
    """The paper's LaTeX source, which lies beside the repository and not in it."""
    path = SHARED / "paper.tex"
    if not path.exists():
        pytest.skip(f"no {path.name} in the folder beside the repository (see EQUIPOISE_SHARED)")
    return path.read_text(encoding="utf-8")
