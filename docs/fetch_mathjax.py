"""Put MathJax into docs/_vendor, so that the built pages load nothing from the network."""

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "mathjax@3.2.2"
SHA256 = "1b9c0a1c44df864e915690558e72adb9cc5203360daefd385084ced3b6c64c09"
SCRIPT = "package/es5/tex-svg-full.js"
TARGET = Path(__file__).parent / "_vendor" / "mathjax-3.2.2" / "tex-svg-full.js"


def fetch() -> bytes:
    """Return the script out of the package, whose checksum must be the one written here."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", PACKAGE]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(folder).glob("*.tgz")
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != SHA256:
            sys.exit(f"{PACKAGE}: expected sha256 {SHA256}, got {found}")
        with tarfile.open(archive) as package:
            script = package.extractfile(SCRIPT)
            assert script is not None
            return script.read()


if __name__ == "__main__":
    if not TARGET.exists():
        script = fetch()
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        TARGET.write_bytes(script)
