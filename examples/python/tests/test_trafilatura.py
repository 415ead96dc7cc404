"""The adapter beside trafilatura itself, where it is installed: what both promise."""

from __future__ import annotations

import json

import pytest

from aiweb import trafilatura as ours

theirs = pytest.importorskip("trafilatura", exc_type=ImportError)

PAGE = (
    "<html lang=en><head><title>Green tea</title><meta name=author content='Ann Lee'>"
    "<meta property='article:published_time' content='2026-05-10'></head><body><nav><a href=/>Home</a></nav><article><h1>Green tea</h1>"
    + "".join(f"<p>Paragraph {n} says what green tea is made of, how long it takes, and how hot the water should be.</p>" for n in range(8))
    + "<table><tr><th>Tea</th><th>Minutes</th></tr><tr><td>Sencha</td><td>2</td></tr></table></article><footer>Imprint</footer></body></html>"
)


@pytest.mark.parametrize("output_format", ["txt", "markdown", "html", "json"])
def test_both_keep_the_text_and_drop_what_is_around(output_format: str) -> None:
    for extract in (ours.extract, theirs.extract):
        text = extract(PAGE, output_format=output_format)
        assert text is not None and "Paragraph 7 says" in text and "Sencha" in text
        assert "Imprint" not in text and "Home" not in text


def test_both_take_the_same_options() -> None:
    for extract in (ours.extract, theirs.extract):
        assert "Sencha" not in (extract(PAGE, include_tables=False, favor_precision=True) or "")
        assert extract(PAGE, favor_recall=True, include_comments=False, deduplicate=True, fast=True)
        assert extract("") is None and extract(None) is None
        assert extract(PAGE, url="https://e.example/", url_blacklist={"https://e.example/"}) is None
        assert extract(PAGE, url="https://e.example/", only_with_metadata=True)
        lxml = pytest.importorskip("lxml.html")
        assert "Sencha" in (extract(lxml.fromstring(PAGE), "https://e.example/") or "")


def test_metadata_have_the_same_names_and_values() -> None:
    found = [json.loads(extract(PAGE, url="https://e.example/t", output_format="json", with_metadata=True)) for extract in (ours.extract, theirs.extract)]  # type: ignore[arg-type]
    for name in ("title", "author", "date"):
        assert found[0][name] == found[1][name], name


def test_what_is_not_taken_is_said() -> None:
    with pytest.raises(NotImplementedError, match="xmltei"):
        ours.extract(PAGE, output_format="xmltei")
    with pytest.raises(NotImplementedError, match="prune_xpath"):
        ours.extract(PAGE, prune_xpath="//p")
    with pytest.raises(TypeError, match="speed"):
        ours.extract(PAGE, speed=3)
