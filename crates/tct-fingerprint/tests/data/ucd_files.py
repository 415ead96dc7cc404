#!/usr/bin/env python3
"""Writes the parts of the Unicode Character Database that `tests/it/tables.rs` reads, out of a package that has all of it.

    python3 -m venv ucd && ucd/bin/pip install ucdinfo==0.3
    ucd/bin/python ucd_files.py FOLDER
    UCD=FOLDER BLESS=1 cargo test -p tct-fingerprint --test it tables

For machines that reach PyPI but not unicode.org. `ucdinfo` 0.3 has the database of Unicode 18.0.0 as its XML form says it
(ucd.all.flat.xml of 2026-08-28). Names and fields that nobody reads here stay empty.
"""

import os
import sys

try:
    from ucdinfo import UCD
except ImportError:
    sys.exit("skipped: the Python package ucdinfo is not installed")


def points(text):
    return " ".join(f"{ord(c):04X}" for c in text)


def main(folder):
    ucd = UCD()
    version = ucd.metadata["ucdversion"]
    types, classes = ucd.enums["dt"], ucd.enums["ccc"]
    os.makedirs(folder, exist_ok=True)
    with (
        open(os.path.join(folder, "UnicodeData.txt"), "w") as data,
        open(os.path.join(folder, "CaseFolding.txt"), "w") as folding,
        open(os.path.join(folder, "DerivedNormalizationProps.txt"), "w") as props,
    ):
        folding.write(f"# CaseFolding-{version}.txt\n")
        props.write(f"# DerivedNormalizationProps-{version}.txt\n")
        for code, entry in enumerate(ucd):
            # A code point without data has none of what is looked for; syllables of Korean go by arithmetic.
            if not isinstance(entry, tuple) or not entry or 0xAC00 <= code <= 0xD7A3:
                continue
            ccc, kind, mapping = classes[entry["ccc"]], types[entry["dt"]], entry["dm"]
            tag = "" if kind == "can" else f"<{kind}> "
            decomposition = "" if kind == "none" or not mapping else tag + points(mapping)
            if ccc != "0" or decomposition:
                data.write(f"{code:04X};;;{ccc};;{decomposition};;;;;;;;;\n")
            # The database says the folded text only where it is another one.
            if entry["cf"] and entry["cf"] != chr(code):
                status = "C" if len(entry["cf"]) == 1 else "F"
                folding.write(f"{code:04X}; {status}; {points(entry['cf'])};\n")
            if entry["Comp_Ex"]:
                props.write(f"{code:04X} ; Full_Composition_Exclusion\n")


if __name__ == "__main__":
    main(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
