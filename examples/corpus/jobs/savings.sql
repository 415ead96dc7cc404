-- What zero-fetch would have saved in the second crawl: the HTML of the pages whose fingerprint has stayed the same.
SELECT
  count(*)                                                         AS pages,
  count(*) FILTER (WHERE same)                                     AS skipped,
  sum(bytes)                                                       AS bytes,
  coalesce(sum(bytes) FILTER (WHERE same), 0)                      AS saved_bytes,
  round(100.0 * coalesce(sum(bytes) FILTER (WHERE same), 0) / sum(bytes), 2) AS saved_percent
FROM (
  SELECT bytes, coalesce(before_print = after_print, false) AS same
  FROM
    (
      SELECT url AS after_url, octet_length(html) AS bytes, tct_fingerprint(extract_text(html, url)) AS after_print
      FROM pages
      WHERE crawl = 2
    )
    LEFT JOIN
    (SELECT url AS before_url, tct_fingerprint(extract_text(html, url)) AS before_print FROM pages WHERE crawl = 1)
    ON before_url = after_url
)
