-- The fingerprint of every page's text: what a crawler keeps between two crawls.
SELECT crawl, url, tct_fingerprint_text(extract_text(html, url)) AS fingerprint
FROM pages
ORDER BY crawl, url
