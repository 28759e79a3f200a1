"""What may go wrong with a study, each said in a sentence that tells how to go on."""

from __future__ import annotations


class StudyError(RuntimeError):
    """A study can't go on; the message says why, and what to do."""


class OtherStudyError(StudyError):
    """The folder has the runs of another study."""


class RunsMissingError(StudyError, LookupError):
    """Runs are asked for that aren't there."""


class DiskFullError(StudyError):
    """Nothing more can be written."""
