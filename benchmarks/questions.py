"""Study the ways to choose questions, and print what was found as Markdown.

Every part stands between two comments, by which the documentation includes it.

    python benchmarks/questions.py > benchmarks/questions.md
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import questions_bits
import questions_ways
import questions_wrong

STUDIES = {
    "ways": questions_ways.section,
    "bits": questions_bits.section,
    "wrong": questions_wrong.section,
}


def main() -> None:
    """Print the studies, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=100, help="of the comparison of all ways")
    parser.add_argument("--fewer", type=int, default=40, help="how many of each other study")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--only", choices=STUDIES)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers, multiprocessing.get_context("spawn")) as workers:
        for study, section in STUDIES.items():
            if options.only not in (None, study):
                continue
            began = time.perf_counter()
            count = options.people if study == "ways" else options.fewer
            for name, text in section(workers, count):
                print(f"<!-- {name} -->", text, f"<!-- end of {name} -->\n", sep="\n\n", flush=True)
            print(f"{study}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
