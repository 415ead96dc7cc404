-- Two crawls compared by fingerprint: how many pages are unchanged, changed, gone and new.
SELECT change, count(*) AS pages
FROM (
  SELECT
    CASE
      WHEN after_url IS NULL THEN 'gone'
      WHEN before_url IS NULL THEN 'new'
      WHEN before_print IS NULL OR after_print IS NULL THEN 'unknown'
      WHEN before_print = after_print THEN 'unchanged'
      ELSE 'changed'
    END AS change
  FROM
    (SELECT url AS before_url, tct_fingerprint(extract_text(html, url)) AS before_print FROM pages WHERE crawl = 1)
    FULL OUTER JOIN
    (SELECT url AS after_url, tct_fingerprint(extract_text(html, url)) AS after_print FROM pages WHERE crawl = 2)
    ON before_url = after_url
)
GROUP BY change
ORDER BY change
