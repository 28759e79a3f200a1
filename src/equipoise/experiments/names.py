"""What somebody may have meant who wrote a name that isn't there."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the end of a sentence about an unknown name: the nearest one, and all there are.

    Examples
    --------
    >>> print("there is no method 'utilise-4'" + nearest("utilise-4", ["correct", "utilize-4"]))
    there is no method 'utilise-4', did you mean 'utilize-4'? Expected one of correct, utilize-4
    """
    known = list(names)
    close = difflib.get_close_matches(str(name), known, n=1)
    guess = f", did you mean {close[0]!r}? Expected" if close else ", expected"
    return f"{guess} one of {', '.join(known)}"
