"""Figures: what is in the file, whatever the numbers."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from equipoise.reports.figures import Line, Panel, curves
from equipoise.reports.palette import INK, LINES

X = [1, 2, 3]


def drawn(path, *lines, **options):
    """The text of a figure with one panel."""
    curves(path, "A & B", [Panel("error", X, lines, "questions", **options)])
    return path.read_text(encoding="utf-8")


def test_the_same_numbers_give_the_same_bytes(tmp_path):
    """No date, no random names."""
    line = Line([0.5, 0.2, 0.1], [0.1, 0.1, 0.1], "one")
    first, again = (drawn(tmp_path / name, line, log=True) for name in ("a.svg", "b.svg"))
    assert first == again
    assert "date" not in first.lower().replace("dates", "")


def test_text_stays_text_and_the_title_is_read_aloud(tmp_path):
    """Labels are found by searching, and the file is an image with a name."""
    svg = drawn(tmp_path / "a.svg", Line([0.5, 0.2, 0.1], label="one"))
    root = ET.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    texts = {element.text for element in root.iter(f"{space}text")}
    assert {"A & B", "error", "questions", "one"} <= texts
    assert root.attrib["role"] == "img"
    assert next(root.iter(f"{space}title")).text == "A & B"


def test_every_colour_has_a_twin_for_dark_screens(tmp_path):
    """The style sheet names what is used: nothing in the drawing is black or white by default."""
    svg = drawn(tmp_path / "a.svg", *[Line([k, k + 1, k + 2], [1, 1, 1]) for k in range(8)])
    style, drawing = svg.split("</style>", 1)
    for light, dark in (INK, *LINES):
        assert f"{light}" in drawing
        assert f"{dark}!important" in style
    assert "#000000" not in drawing
    assert "#ffffff" not in drawing
    texts = drawing.split("<text ")[1:]
    assert texts
    assert all(f"fill: {INK[0]}" in text.split(">")[0] for text in texts)


@pytest.mark.parametrize(
    "line",
    [
        Line([0.5, 0.1, 0.0], [0.6, 0.2, 0.0]),
        Line([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        Line([0.5, 0.2, 0.1], [np.nan, np.nan, np.nan]),
    ],
)
def test_zeros_and_unknown_errors_can_be_drawn(tmp_path, line):
    """A logarithmic axis takes what isn't above zero; one person has no band."""
    svg = drawn(tmp_path / "a.svg", line, log=True)
    assert "nan" not in svg.split("<defs>", 1)[1]
    assert "inf" not in svg.split("<defs>", 1)[1]


def test_too_many_lines_are_refused(tmp_path):
    """Nine can't be told apart, and no file is written."""
    with pytest.raises(ValueError, match="a panel has 9 lines, more than 8"):
        drawn(tmp_path / "a.svg", *[Line(X)] * 9)
    assert not (tmp_path / "a.svg").exists()
