"""The command line: reads arguments, calls the library, prints."""

from equipoise.cli import simulating, studies
from equipoise.cli.app import app, main

__all__ = ["app", "main", "simulating", "studies"]
