#!/usr/bin/env python3
"""Writes the standards' test data in short: what a test needs of them, a line a case.

    shorten.py normalization NormalizationTest.txt > normalization-test-18.0.0.txt
    shorten.py folding CaseFolding.txt > case-folding-16.0.0.txt
    shorten.py entities entities.json > entities.txt
    shorten.py html5lib tokenizer/entities.test tokenizer/namedEntities.test tokenizer/numericEntities.test > html5lib.txt

README.md beside this file says where the files are from.
"""

import json
import sys


def points(text):
    return " ".join(f"{ord(c):04X}" for c in text)


def normalization(path):
    """Five columns; a column that is the same as an earlier one is the number of that. Syllables of Korean are one line."""
    lines = open(path, encoding="utf-8").read().splitlines()
    print(lines[0])
    print("# Shortened: no comments; `=2` is the text of column 2; `AC00..D7A3` is a line for each syllable of Korean.")
    syllables = 0
    for line in lines:
        line = line.split("#")[0].strip()
        if line.startswith("@"):
            print(line)
        columns = line.split(";")[:5]
        if len(columns) < 5:
            continue
        code = int(columns[0], 16) if " " not in columns[0] else 0
        if 0xAC00 <= code <= 0xD7A3:
            at = code - 0xAC00
            parts = [0x1100 + at // 588, 0x1161 + at % 588 // 28] + ([0x11A7 + at % 28] if at % 28 else [])
            apart = " ".join(f"{part:04X}" for part in parts)
            assert columns == [columns[0], columns[0], apart, columns[0], apart] and at == syllables, line
            syllables += 1
            if syllables == 11172:
                print("AC00..D7A3")
            continue
        short = []
        for column in columns:
            short.append(f"={columns.index(column) + 1}" if column in columns[: len(short)] else column)
        print(";".join(short))
    assert syllables == 11172


def folding(path):
    """Code point, status and what it folds to; only the statuses of full folding."""
    lines = open(path, encoding="utf-8").read().splitlines()
    print(lines[0])
    print("# Shortened: only the statuses C and F, which full folding takes; no names.")
    for line in lines:
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) >= 3 and fields[1] in "CF":
            print(";".join(fields[:3]))


def entities(path):
    """Name without `&`, and the code points that it stands for."""
    print("# entities.json of the HTML standard, shortened: a name without its `&`, and the code points that it stands for.")
    for name, entry in sorted(json.load(open(path)).items()):
        print(name[1:], " ".join(f"{code:04X}" for code in entry["codepoints"]))


def html5lib(paths):
    """Input and text, both as JSON strings; cases of attributes are left out."""
    print("# Tokenizer tests of html5lib, shortened: input and what it is as text; cases in attributes are left out.")
    for path in paths:
        for case in json.load(open(path))["tests"]:
            tokens = [token for token in case["output"] if token != "ParseError"]
            if len(tokens) == 1 and tokens[0][0] == "Character":
                print(json.dumps([case["input"], tokens[0][1]]))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["normalization", path]:
            normalization(path)
        case ["folding", path]:
            folding(path)
        case ["entities", path]:
            entities(path)
        case ["html5lib", *paths] if paths:
            html5lib(paths)
        case _:
            sys.exit(__doc__)
