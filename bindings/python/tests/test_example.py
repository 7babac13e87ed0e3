"""The example shows what it promises, and the documentation's examples are true."""

import doctest
import subprocess
import sys
from pathlib import Path

import halcyon

EXAMPLE = Path(__file__).parent.parent / "examples" / "report.py"


def test_the_example_prints_its_report() -> None:
    command = [sys.executable, str(EXAMPLE)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    source = EXAMPLE.read_text(encoding="utf-8")
    expected = [line[len("# > ") :] for line in source.splitlines() if line.startswith("# > ")]
    assert expected and printed.splitlines() == expected


def test_docstrings() -> None:
    result = doctest.testmod(halcyon)
    assert result.attempted >= 4 and result.failed == 0
