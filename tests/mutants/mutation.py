"""What a fault is, and the files under `tests/paper` that must notice it."""

from typing import NamedTuple

MODEL, RESPONSES = "test_sec_model.py", "test_sec_complete_response_model.py"
SRUM, TECH, SPEED = "test_sec_srum.py", "test_sec_tech.py", "test_sec_speed.py"
INSEP = "test_sec_insep_priorities.py"
FIGURES = "test_figures.py"
FORCED, RELATION = "test_app_formal_indecision.py", "test_app_rule_level.py"


class Mutation(NamedTuple):
    """One change of one line.

    The module under `src/equipoise`, what stands there (once in the file), what it becomes, and
    the file under `tests/paper` that must notice.
    """

    module: str
    before: str
    after: str
    noticed_by: str
