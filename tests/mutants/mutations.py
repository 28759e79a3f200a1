"""Small faults in the code, each of which must make a paper test fail."""

from mutants.in_answers import ANSWER_MUTATIONS
from mutants.in_evidence import EVIDENCE_MUTATIONS
from mutants.in_results import RESULT_MUTATIONS
from mutants.in_rules import RULE_MUTATIONS

MUTATIONS = [*RULE_MUTATIONS, *EVIDENCE_MUTATIONS, *ANSWER_MUTATIONS, *RESULT_MUTATIONS]
