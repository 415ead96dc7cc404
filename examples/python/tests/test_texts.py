"""Fingerprints and canonical JSON, beside implementations in Python."""

from __future__ import annotations

import hashlib
import json
import unicodedata

import pytest
from hypothesis import given, strategies as some

import aiweb

def staged(text: str) -> str:
    """The draft's steps with Python's own tables, for texts without references and controls."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split(" ")).strip(" ")


LETTERS = some.text(some.sampled_from("abcXYZ äÖüßéÀ ПРИвет ΟΔΟΣ ﬁ Ⅷ ½ ｆｕｌｌ \u0301\u0323 あア漢字 한글 שָׁלוֹם"))


@given(LETTERS)
def test_fingerprints_are_those_of_the_steps_in_python(text: str) -> None:
    words = " ".join(staged(text).split())
    assert aiweb.normalize(text) == words
    assert aiweb.fingerprint(text) == "sha256-" + hashlib.sha256(words.encode()).hexdigest()


@given(some.text(some.characters(codec="ascii", exclude_characters="&", exclude_categories=["Cc"])))
def test_ascii_is_lower_case_with_single_spaces(text: str) -> None:
    assert aiweb.normalize(text) == " ".join(text.lower().split())


@given(some.text(some.characters(codec="utf-8")), some.lists(some.integers(0, 200)))
def test_pieces_make_the_same_fingerprint(text: str, cuts: list[int]) -> None:
    data = text.encode()
    ends = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    hasher = aiweb.Fingerprinter()
    for start, end in zip(ends, ends[1:]):
        hasher.update(data[start:end])
    assert hasher.fingerprint() == aiweb.fingerprint(text) == aiweb.fingerprint(data)
    copy = hasher.copy()
    assert hasher.digest().hex() == hasher.hexdigest() == copy.hexdigest() and len(hasher.digest()) == 32


def test_bytes_that_are_no_utf_8_are_told_with_their_place() -> None:
    with pytest.raises(aiweb.TextError) as caught:
        aiweb.fingerprint(b"abc\xffd")
    assert (caught.value.offset, caught.value.requirement, caught.value.code) == (3, "TCT-FP-8", "not-utf8")
    hasher = aiweb.Fingerprinter()
    hasher.update(b"\xc3")
    with pytest.raises(aiweb.TextError):
        hasher.hexdigest()
    hasher.update(b"\xa9")
    assert hasher.fingerprint() == aiweb.fingerprint("é")


VALUES = some.recursive(
    some.none() | some.booleans() | some.integers(-(2**53) + 1, 2**53 - 1) | some.floats(allow_nan=False, allow_infinity=False)
    | some.text(some.characters(codec="utf-8")),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(some.characters(codec="utf-8")), inner),
)


@given(VALUES)
def test_canonical_json_reads_as_the_same_value(value: object) -> None:
    text = aiweb.dumps(value)
    assert json.loads(text) == value or "e" in repr(value)
    assert aiweb.is_canonical(text) and aiweb.canonicalize(text) == text and aiweb.first_difference(text) is None
    assert aiweb.canonicalize(json.dumps(value, indent=1)) == text


def test_members_are_sorted_by_either_order() -> None:
    value = {"\ue000": 1, "\U0001f600": 2}
    assert list(json.loads(aiweb.dumps(value))) == ["\U0001f600", "\ue000"]
    assert list(json.loads(aiweb.dumps(value, order="code-point"))) == ["\ue000", "\U0001f600"]


@pytest.mark.parametrize(
    ("value", "error"),
    [(2**53, aiweb.JsonError), (float("nan"), aiweb.JsonError), ("\ud800", aiweb.JsonError), ({1: 2}, TypeError), ({1}, TypeError)],
)
def test_what_json_does_not_hold_is_refused(value: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        aiweb.dumps(value)


def test_json_faults_have_a_code_and_a_place() -> None:
    with pytest.raises(aiweb.JsonError) as caught:
        aiweb.canonicalize('{"a":1,"a":2}')
    assert caught.value.code == "duplicate-member" and caught.value.offset == 7
    found = aiweb.first_difference('{"b":1, "a":2}')
    assert found is not None and isinstance(found[0], int) and found[1]
    with pytest.raises(aiweb.ArgumentError):
        aiweb.canonicalize("1", order="alphabetic")  # type: ignore[arg-type]
