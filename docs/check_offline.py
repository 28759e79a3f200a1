"""Fail if a built page would load anything from the network: `check_offline.py FOLDER`."""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

# What a browser fetches by itself; a link that a reader follows may lead anywhere.
LOADED = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "img": ("src", "srcset"),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
}
REMOTE = re.compile(r"\s*(https?:)?//", re.IGNORECASE)
REMOTE_IN_CSS = re.compile(r"(?:url\(|@import)\s*['\"]?\s*(?:https?:)?//[^'\")]*", re.IGNORECASE)


class Loads(HTMLParser):
    """Collects what a page loads from the network."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.remote: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one tag's addresses."""
        for name, value in attrs:
            if name in LOADED.get(tag, ()) and REMOTE.match(value or ""):
                self.remote.append(f"<{tag} {name}={value!r}>")


def remote_loads(folder: Path) -> Iterator[str]:
    """Name each thing that a page or style sheet under `folder` loads from the network."""
    for path in sorted(folder.rglob("*.html")):
        for load in Loads(path.read_text(encoding="utf-8")).remote:
            yield f"{path}: {load}"
    for path in sorted(folder.rglob("*.css")):
        for load in REMOTE_IN_CSS.findall(path.read_text(encoding="utf-8")):
            yield f"{path}: {load}"


if __name__ == "__main__":
    pages = Path(sys.argv[1])
    if not any(pages.rglob("*.html")):
        sys.exit(f"no page under {pages}: build the docs first")
    if found := list(remote_loads(pages)):
        sys.exit("loaded from the network:\n" + "\n".join(found))
