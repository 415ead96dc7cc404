#!/usr/bin/env python3
"""Writes ../src/meta/months.rs: the names of months in 28 languages, from CLDR by way of Babel.

    pip install babel==2.18.0
    python3 months.py > ../src/meta/months.rs

A name that stands for different months in different languages is refused; there is none today.
"""
import unicodedata

from babel import Locale

LANGUAGES = "ar bg bn cs da de el en es fa fi fr he hi hu id it ja ko nb nl pl pt ro ru sv th tr uk vi zh".split()
# Spellings that pages use and CLDR does not list.
ALSO = {
    1: "janv jänner janr ιαν", 2: "fevrier fev febr feber شباط", 3: "mrz maerz آذار",
    4: "abr نيسان", 5: "أيار", 6: "حزيران", 7: "juill تموز", 8: "aout آب", 9: "sept setiembre أيلول",
    10: "oktob", 11: "", 12: "decembre",
}
# Months of the Persian calendar, numbered from 21.
PERSIAN = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند".split()


def main():
    found = {}

    def add(name, month):
        name = unicodedata.normalize("NFC", name.lower()).replace("\u200f", "").strip().rstrip(".")
        if not name or " " in name or "-" in name or any(c.isdigit() for c in name) or len(name) < 2:
            return
        if found.setdefault(name, month) != month:
            raise SystemExit(f"{name} is month {found[name]} and month {month}")

    for language in LANGUAGES:
        months = Locale.parse(language).months
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for month, name in months[context][width].items():
                    add(name, month)
    for month, names in ALSO.items():
        for name in names.split():
            add(name, month)
    for month, name in enumerate(PERSIAN, 21):
        add(name, month)
    print("//! Names of months, from CLDR. Written by `training/months.py`, which names the languages; do not edit.\n")
    print("/// The month that a word in lower case, without a full stop at its end, names: 1 to 12, and 21 to 32 for those of")
    print("/// the Persian calendar. `O(log n)`.")
    print("pub(super) fn month_of(word: &str) -> Option<u8> {")
    print("    let place = NAMES.binary_search_by_key(&word, |(name, _)| name).ok()?;")
    print("    NAMES.get(place).map(|(_, month)| *month)")
    print("}\n")
    print("/// Sorted by their bytes.")
    print("#[rustfmt::skip]")
    print("const NAMES: &[(&str, u8)] = &[")
    line = "   "
    for name in sorted(found, key=lambda name: name.encode()):
        entry = f' ("{name}", {found[name]}),'
        if len(line) + len(entry) > 110:
            print(line)
            line = "   "
        line += entry
    print(line)
    print("];")


main()
