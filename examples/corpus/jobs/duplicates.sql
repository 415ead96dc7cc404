-- Texts that stand on several pages of the first crawl under different templates: the same fingerprint, another HTML.
SELECT
  fingerprint,
  count(fingerprint)     AS pages,
  count(DISTINCT markup) AS templates,
  min(url)               AS first_url
FROM (
  SELECT
    url,
    tct_fingerprint_text(extract_text(html, url)) AS fingerprint,
    tct_fingerprint(html)                         AS markup
  FROM pages
  WHERE crawl = 1
)
GROUP BY fingerprint
HAVING count(fingerprint) > 1 AND count(DISTINCT markup) > 1
ORDER BY pages DESC, fingerprint
