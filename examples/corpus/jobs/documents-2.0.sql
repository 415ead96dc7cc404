-- The document of every page (AIWebIndex 2.0): what an index hands on. `--document-version 2.0` runs this.
SELECT crawl, url, extract_document_v2(html, url) AS document
FROM pages
ORDER BY crawl, url
