"""The drawings in templates/pieces."""

import re
from xml.etree import ElementTree

from pbmserv import paths

SHAPES = {"g", "path", "circle", "ellipse", "rect"}  #: no letters, gradients or ids: every renderer paints them alike
COLOURS = {"fill", "line", "shade"}


def test_drawings_are_shapes_in_colours_that_are_filled_in() -> None:
    files = list((paths.data("templates") / "pieces").glob("*.svg"))
    assert len(files) > 80
    for file in files:
        drawing = file.read_text("utf-8")
        assert set(re.findall(r"{(.*?)}", drawing)) <= COLOURS, file.name
        assert {element.tag for element in ElementTree.fromstring(f"<g>{drawing}</g>").iter()} <= SHAPES, file.name
