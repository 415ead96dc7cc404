-- Which pages of the second crawl robots.txt lets AIWebIndex fetch.
SELECT allowed, count(*) AS pages
FROM (SELECT robots_allowed(robots, 'AIWebIndex', url) AS allowed FROM pages WHERE crawl = 2)
GROUP BY allowed
ORDER BY allowed
