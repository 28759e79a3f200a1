"""The progress bar: there for who looks, silent otherwise."""

import pytest

from equipoise.reports.progress import progress_bar


@pytest.mark.parametrize("terminal", [True, False])
def test_the_bar_is_shown_on_a_terminal_only(terminal, monkeypatch, capsys):
    """How many are done is told on standard error; standard output stays for results."""
    monkeypatch.setenv("TTY_COMPATIBLE", "1" if terminal else "0")
    with progress_bar("people", 3) as progress:
        for done in (1, 2, 3):
            progress(done)
    written = capsys.readouterr()
    assert written.out == ""
    assert ("3/3" in written.err) == terminal
    assert terminal or written.err == ""
