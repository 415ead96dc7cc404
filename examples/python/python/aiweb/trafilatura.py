"""``extract`` with trafilatura's signature, for programs that call it.

::

    from aiweb.trafilatura import extract      # in place of: from trafilatura import extract

What means the same is taken, what does not is refused with a :class:`NotImplementedError` that names it, and nothing is ignored in
silence. Differences, each decided:

- Markdown keeps headings, lists, tables, code and links' targets as ours does; ``include_formatting`` chooses nothing.
- ``with_metadata`` puts the same keys before the text; values are ours.
- A page without content gives ``None``, as there. ``fast`` and ``deduplicate`` change nothing: there is one extractor, which drops
  repeated blocks itself.
- ``output_format``: ``txt``, ``markdown``, ``html``, ``json``, ``python``; not ``csv``, ``xml`` and ``xmltei``.
"""

from __future__ import annotations

import json as _json
from typing import Any

from . import Content, Text, extract as _extract

__all__ = ["bare_extraction", "extract"]

_REFUSED = ("date_extraction_params", "max_tree_size", "prune_xpath", "settingsfile", "tei_validation", "author_blacklist")
_NEUTRAL = ("fast", "no_fallback", "deduplicate", "include_formatting", "config", "options")


def bare_extraction(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    *,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    include_tables: bool = True,
    include_images: bool = False,
    include_links: bool = False,
    only_with_metadata: bool = False,
    target_language: str | None = None,
    url_blacklist: set[str] | None = None,
    **others: Any,
) -> Content | None:
    """The content of a page, or ``None`` where there is none, or it is in another language or of a page that is unwanted."""
    for name, value in others.items():
        if name in _REFUSED and value:
            raise NotImplementedError(f"aiweb.trafilatura does not take {name}")
        if name not in _REFUSED and name not in _NEUTRAL:
            raise TypeError(f"unexpected keyword argument '{name}'")
    if filecontent is None or isinstance(filecontent, (str, bytes)) and not filecontent:
        return None
    page = _extract(
        _html(filecontent),
        url,
        focus="precision" if favor_precision else "recall" if favor_recall else "balanced",
        include_comments=include_comments,
        include_tables=include_tables,
        include_images=include_images,
        include_links=include_links,
    )
    if not page.text.strip():
        return None
    if url_blacklist and (url in url_blacklist or page.canonical_url in url_blacklist):
        return None
    if target_language and page.language and not page.language.lower().startswith(target_language.lower()):
        return None
    if only_with_metadata and not (page.title and page.date and (page.canonical_url or url)):
        return None
    return page


def _html(filecontent: Any) -> Text:
    """The page as text: a tree of lxml is written out."""
    if hasattr(filecontent, "getroottree"):
        from lxml import html  # whoever has a tree has lxml

        written: str = html.tostring(filecontent, encoding="unicode")
        return written
    page: Text = filecontent
    return page


def _metadata(page: Content, url: str | None) -> dict[str, Any]:
    return {
        "title": page.title or None,
        "author": page.author,
        "url": page.canonical_url or url,
        "hostname": (page.canonical_url or url or "").partition("//")[2].partition("/")[0] or None,
        "description": page.description,
        "sitename": page.site_name,
        "date": page.date and page.date[:10],
        "language": page.language,
    }


def extract(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    *,
    output_format: str = "txt",
    with_metadata: bool = False,
    **options: Any,
) -> str | None:
    """The content of a page as text in the format asked for, or ``None`` where there is none."""
    if output_format not in ("txt", "markdown", "html", "json", "python"):
        raise NotImplementedError(f"aiweb.trafilatura does not write {output_format!r}; it writes txt, markdown, html, json, python")
    page = bare_extraction(filecontent, url, **options)
    if page is None:
        return None
    if output_format in ("json", "python"):
        facts = _metadata(page, url) if with_metadata or output_format == "json" else {}
        if record_id is not None:
            facts["id"] = record_id
        return _json.dumps({**facts, "text": page.text, "comments": ""}, ensure_ascii=False)
    text = {"txt": page.text, "markdown": page.markdown, "html": page.html}[output_format]
    if not with_metadata or output_format == "html":
        return text
    lines = [f"{name}: {value}" for name, value in _metadata(page, url).items() if value]
    return "---\n" + "\n".join(lines) + "\n---\n\n" + text
