-- The document of every page (AIWebIndex 1.0): what an index hands on. `--document-version 1.0` runs this.
SELECT crawl, url, extract_document(html, url) AS document
FROM pages
ORDER BY crawl, url
