/** What is said about the answers of two queries. */
export type Verdict = 'same' | 'order' | 'wider' | 'narrower' | 'can differ';

/** Two queries, what can be said about their answers, judged by hand, and the words for what changed. */
export type QueryPair = readonly [
  before: string,
  after: string,
  verdict: Verdict,
  ...words: readonly string[],
];

const week = 'TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)';

/** Queries that are written in another way, and mean the same. */
export const samePairs: readonly QueryPair[] = [
  ['SELECT id FROM logs.orders', 'select  id from logs.orders -- all', 'same'],
  [
    "SELECT id FROM logs.orders WHERE shop = 'x' AND status > 3",
    "SELECT o.id FROM logs.orders AS o WHERE 3 < o.status AND 'x' = o.shop",
    'same',
  ],
  ["SELECT id FROM logs.orders WHERE shop IN ('a')", "SELECT id FROM logs.orders WHERE shop = 'a'", 'same'],
  [
    "SELECT id FROM logs.orders WHERE shop IN ('a', 'b')",
    "SELECT id FROM logs.orders WHERE shop IN ('b', 'a', 'b')",
    'same',
  ],
  [
    "SELECT id FROM logs.orders WHERE NOT (shop = 'a')",
    "SELECT id FROM logs.orders WHERE shop NOT IN ('a')",
    'same',
  ],
  [
    "SELECT id FROM logs.orders WHERE day BETWEEN '2026-01-01' AND '2026-02-01'",
    "SELECT id FROM logs.orders WHERE day <= DATE '2026-02-01' AND day >= DATE '2026-01-01'",
    'same',
  ],
  [
    'WITH unused AS (SELECT city FROM logs.shops) SELECT id FROM logs.orders',
    'SELECT id FROM logs.orders',
    'same',
  ],
  [
    'WITH a AS (SELECT id FROM logs.orders), b AS (SELECT shop FROM logs.shops) SELECT a.id FROM a JOIN b ON a.id = b.shop',
    'WITH b AS (SELECT shop FROM logs.shops), a AS (SELECT id FROM logs.orders) SELECT a.id FROM a JOIN b ON b.shop = a.id',
    'same',
  ],
  [
    "WITH e AS (SELECT id, shop AS s FROM logs.orders WHERE status IN (1, 2)) SELECT e.id FROM e WHERE s = 'a'",
    "SELECT id FROM (SELECT * FROM logs.orders WHERE status IN (2, 1)) WHERE shop IN ('a')",
    'same',
  ],
  [
    'WITH e AS (SELECT id, shop FROM logs.orders) SELECT x.id FROM e AS x JOIN e AS y ON x.shop = y.id',
    'WITH f AS (SELECT id, shop FROM logs.orders) SELECT x.id FROM f AS x, f AS y WHERE y.id = x.shop',
    'same',
  ],
  [
    'SELECT shop, status, COUNT(1) AS n FROM logs.orders GROUP BY shop, status',
    'SELECT shop, status, COUNT(*) AS n FROM logs.orders GROUP BY status, shop',
    'same',
  ],
  [
    'SELECT o.id FROM logs.orders AS o WHERE EXISTS (SELECT 1 FROM logs.shops AS s WHERE s.shop = o.shop)',
    'WITH s AS (SELECT * FROM logs.shops) SELECT o.id FROM logs.orders AS o WHERE EXISTS (SELECT * FROM s WHERE o.shop = s.shop)',
    'same',
  ],
  [
    "SELECT (SELECT value.string_value FROM UNNEST(event_params) WHERE key = 'page') AS page FROM logs.events",
    "SELECT (SELECT p.value.string_value FROM UNNEST(e.event_params) AS p WHERE 'page' = p.key) AS page FROM logs.events AS e",
    'same',
  ],
];

/** Queries that don't mean the same, although they look alike. */
export const confusablePairs: readonly QueryPair[] = [
  [
    'SELECT a.id FROM logs.orders AS a, logs.orders AS b WHERE a.shop = b.id',
    'SELECT a.id FROM logs.orders AS a, logs.orders AS b WHERE b.shop = a.id',
    'can differ',
  ],
  [
    "SELECT a.id FROM logs.orders AS a, logs.orders AS b WHERE a.day = b.day AND a.shop = 'x'",
    "SELECT a.id FROM logs.orders AS a, logs.orders AS b WHERE a.day = b.day AND b.shop = 'x'",
    'can differ',
  ],
  [
    'WITH e AS (SELECT id, shop FROM logs.orders) SELECT a.id FROM e AS a, e AS b WHERE a.shop = b.id',
    'WITH e AS (SELECT id, shop FROM logs.orders) SELECT a.id FROM e AS a, e AS b WHERE b.shop = a.id',
    'can differ',
  ],
  [
    'SELECT id FROM logs.orders WHERE status - 1 > 0',
    'SELECT id FROM logs.orders WHERE 1 - status > 0',
    'can differ',
  ],
  [
    'SELECT id FROM logs.orders WHERE NOT (total < 5)',
    'SELECT id FROM logs.orders WHERE total > 5',
    'can differ',
  ],
  [
    'SELECT RAND() AS r, id FROM logs.orders WHERE status = 1',
    'SELECT RAND() AS r, id FROM logs.orders WHERE status IN (1, 2)',
    'can differ',
  ],
  ['SELECT 0.0 AS x', 'SELECT -0.0 AS x', 'can differ'],
  [
    'SELECT id FROM logs.orders WHERE status IN (1, NULL)',
    'SELECT id FROM logs.orders WHERE status IN (1, 2)',
    'can differ',
  ],
  ['SELECT COUNT(NULL) AS n FROM logs.orders', 'SELECT COUNT(*) AS n FROM logs.orders', 'can differ'],
  [
    'SELECT id FROM logs.orders WHERE note = "a"',
    'SELECT id FROM logs.orders WHERE COLLATE(note, "und:ci") = "a"',
    'can differ',
  ],
  [
    'SELECT shop FROM logs.shops',
    'SELECT city AS shop FROM logs.shops',
    'can differ',
    'column `shop` computed differently: `shop` → `city`',
  ],
];

/** Changes that other changes could hide. */
export const hiddenPairs: readonly QueryPair[] = [
  [
    'SELECT shop FROM (SELECT DISTINCT shop, status FROM logs.orders WHERE status > 5)',
    'SELECT shop FROM (SELECT DISTINCT shop FROM logs.orders WHERE status > 3)',
    'can differ',
  ],
  [
    'SELECT o.id FROM logs.orders AS o LEFT JOIN logs.shops AS s ON s.shop = o.shop LEFT JOIN logs.events AS e ON e.event_name = o.id WHERE o.status > 5',
    'SELECT o.id FROM logs.orders AS o LEFT JOIN logs.events AS e ON e.event_name = o.id LEFT JOIN logs.shops AS s ON s.shop = o.shop WHERE o.status > 3',
    'can differ',
  ],
  [
    'SELECT id FROM logs.orders TABLESAMPLE SYSTEM (10 PERCENT) WHERE status > 5',
    'SELECT id FROM logs.orders TABLESAMPLE SYSTEM (10 PERCENT) WHERE status > 3',
    'can differ',
  ],
  [
    'SELECT id, CAST(timestamp AS STRING FORMAT "YYYY") AS n FROM logs.orders WHERE status > 5',
    'SELECT id, CAST(timestamp AS STRING FORMAT "MM") AS n FROM logs.orders WHERE status > 3',
    'can differ',
  ],
  [
    "SELECT id FROM logs.orders WHERE status > 5 AND id NOT IN (SELECT shop FROM logs.shops WHERE city = 'x')",
    'SELECT id FROM logs.orders WHERE status > 3 AND id NOT IN (SELECT shop FROM logs.shops)',
    'can differ',
  ],
  [
    'SELECT o.id FROM logs.orders AS o FULL JOIN (SELECT shop FROM logs.shops WHERE city = "x") AS s ON s.shop = o.shop',
    'SELECT o.id FROM logs.orders AS o FULL JOIN (SELECT shop FROM logs.shops) AS s ON s.shop = o.shop',
    'can differ',
  ],
  [
    'SELECT o.id FROM logs.orders AS o LEFT JOIN (SELECT shop FROM logs.shops WHERE city = "x") AS s ON s.shop = o.shop',
    'SELECT o.id FROM logs.orders AS o LEFT JOIN (SELECT shop FROM logs.shops) AS s ON s.shop = o.shop',
    'can differ',
  ],
  [
    'SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS r FROM logs.orders WHERE status > 5) WHERE r < 9',
    'SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS r FROM logs.orders WHERE status > 3) WHERE r < 9',
    'can differ',
  ],
];

/** Filters, each with what becomes of the rows. */
export const filterPairs: readonly QueryPair[] = [
  [
    'SELECT id FROM logs.orders WHERE status >= 500',
    'SELECT id FROM logs.orders WHERE status >= 400',
    'wider',
    'filter wider: `status >= 500` → `status >= 400`',
  ],
  [
    'SELECT id FROM logs.orders WHERE status >= 500',
    'SELECT id FROM logs.orders WHERE status > 500',
    'narrower',
    'filter narrower: `status >= 500` → `status > 500`',
  ],
  [
    "SELECT id FROM logs.orders WHERE shop = 'a'",
    "SELECT id FROM logs.orders WHERE shop IN ('a', 'b')",
    'wider',
    "filter wider: `shop = 'a'` → `shop IN ('a', 'b')`",
  ],
  [
    'SELECT id FROM logs.orders WHERE status NOT IN (1, 2)',
    'SELECT id FROM logs.orders WHERE status NOT IN (1, 2, 3)',
    'narrower',
    'filter narrower: `status NOT IN (1, 2)` → `status NOT IN (1, 2, 3)`',
  ],
  [
    'SELECT id FROM logs.orders WHERE status = 404',
    'SELECT id FROM logs.orders WHERE status >= 400',
    'wider',
    'filter wider: `status = 404` → `status >= 400`',
  ],
  [
    'SELECT id FROM logs.orders',
    'SELECT id FROM logs.orders WHERE shop = @shop',
    'narrower',
    'filter `shop = @shop` added',
  ],
  [
    'SELECT id FROM logs.orders WHERE note IS NOT NULL AND status = 1',
    'SELECT id FROM logs.orders WHERE status = 1',
    'wider',
    'filter `note IS NOT NULL` dropped',
  ],
  [
    'SELECT id FROM logs.orders WHERE @shop IS NULL OR shop = @shop',
    'SELECT id FROM logs.orders WHERE shop = @shop',
    'narrower',
    'filter narrower: `(@shop IS NULL) OR (shop = @shop)` → `shop = @shop`',
  ],
  [
    `SELECT id FROM logs.orders WHERE timestamp >= ${week}`,
    `SELECT id FROM logs.orders WHERE timestamp >= ${week.replace('7 DAY', '720 HOUR')}`,
    'wider',
    `filter wider: \`timestamp >= ${week}\` → \`timestamp >= ${week.replace('7 DAY', '720 HOUR')}\``,
  ],
  [
    'SELECT id FROM logs.orders WHERE day >= DATE_SUB(CURRENT_DATE(), INTERVAL 1 MONTH)',
    'SELECT id FROM logs.orders WHERE day >= DATE_SUB(CURRENT_DATE(), INTERVAL 1 QUARTER)',
    'wider',
  ],
  [
    'SELECT id FROM logs.orders WHERE day >= DATE_SUB(CURRENT_DATE(), INTERVAL 1 MONTH)',
    'SELECT id FROM logs.orders WHERE day >= DATE_SUB(CURRENT_DATE(), INTERVAL 30 DAY)',
    'can differ',
    'filter changed: `day >= DATE_SUB(CURRENT_DATE(), INTERVAL 1 MONTH)` → `day >= DATE_SUB(CURRENT_DATE(), INTERVAL 30 DAY)`',
  ],
  [
    'SELECT id FROM logs.orders WHERE timestamp BETWEEN @start AND "2026-02-01"',
    'SELECT id FROM logs.orders WHERE timestamp >= @start AND timestamp < "2026-02-01"',
    'narrower',
  ],
  [
    'SELECT id FROM logs.orders WHERE status >= 500',
    'SELECT id FROM logs.orders WHERE status >= 400 AND shop = @shop',
    'can differ',
    'filter wider: `status >= 500` → `status >= 400`',
    'filter `shop = @shop` added',
  ],
  [
    'SELECT id FROM logs.orders WHERE status > 5',
    'SELECT id FROM logs.orders WHERE status > 5 AND status > 3',
    'can differ',
    'filter `status > 3` added, which the others imply',
  ],
  [
    "SELECT id FROM logs.orders WHERE note LIKE 'a%'",
    "SELECT id FROM logs.orders WHERE note NOT LIKE '%a%'",
    'can differ',
    "filter `note LIKE 'a%'` dropped",
    "filter `note NOT LIKE '%a%'` added",
  ],
  [
    'SELECT id FROM logs.orders WHERE shop IN UNNEST(@shops)',
    'SELECT id FROM logs.orders WHERE shop IN UNNEST(@shops) OR ARRAY_LENGTH(@shops) = 0',
    'wider',
  ],
  [
    'SELECT shop, COUNT(*) AS n FROM logs.orders WHERE status = 1 GROUP BY shop',
    'SELECT shop, COUNT(*) AS n FROM logs.orders WHERE status IN (1, 2) GROUP BY shop',
    'can differ',
    'filter wider: `status = 1` → `status IN (1, 2)`',
  ],
  [
    'SELECT shop, COUNT(*) AS n FROM logs.orders GROUP BY shop HAVING n > 10',
    'SELECT shop, COUNT(*) AS n FROM logs.orders GROUP BY shop HAVING n > 5',
    'wider',
    'condition on groups wider: `COUNT(*) > 10` → `COUNT(*) > 5`',
  ],
  [
    'SELECT id FROM logs.orders WHERE status = 1 LIMIT 10',
    'SELECT id FROM logs.orders WHERE status IN (1, 2) LIMIT 10',
    'can differ',
  ],
  [
    "SELECT id FROM logs.orders WHERE id IN (SELECT shop FROM logs.shops WHERE city = 'x')",
    "SELECT id FROM logs.orders WHERE id IN (SELECT shop FROM logs.shops WHERE city = 'y')",
    'can differ',
    "in subquery over shops: filter changed: `city = 'x'` → `city = 'y'`",
  ],
];

/** Joins, set operations, and what is read. */
export const relationPairs: readonly QueryPair[] = [
  [
    'SELECT o.id, s.city FROM logs.orders AS o LEFT JOIN logs.shops AS s ON s.shop = o.shop WHERE o.status = 1',
    'SELECT o.id, s.city FROM logs.orders AS o JOIN logs.shops AS s ON s.shop = o.shop WHERE o.status = 1',
    'narrower',
    'LEFT JOIN of `shops` is now INNER JOIN: rows without a match are left out',
  ],
  [
    'SELECT o.id, s.city FROM logs.orders AS o LEFT JOIN logs.shops AS s ON s.shop = o.shop',
    'SELECT o.id, s.city FROM logs.orders AS o FULL JOIN logs.shops AS s ON s.shop = o.shop',
    'wider',
    'LEFT JOIN of `shops` is now FULL JOIN',
  ],
  [
    "SELECT o.id FROM logs.orders AS o LEFT JOIN logs.shops AS s ON s.shop = o.shop AND s.city = 'x'",
    "SELECT o.id FROM logs.orders AS o LEFT JOIN logs.shops AS s ON s.shop = o.shop WHERE s.city = 'x'",
    'can differ',
    "filter `shops.city = 'x'` added",
  ],
  [
    'SELECT o.id FROM logs.orders AS o JOIN logs.shops AS s ON s.shop = o.shop',
    'SELECT o.id FROM logs.orders AS o JOIN logs.shops AS s ON s.city = o.shop',
    'can differ',
    'join condition changed: `shops.shop = orders.shop` → `shops.city = orders.shop`',
  ],
  [
    'SELECT o.id FROM logs.orders AS o',
    'SELECT o.id FROM logs.orders AS o JOIN logs.shops AS s ON s.shop = o.shop',
    'can differ',
    'INNER JOIN added: `shops` on `shops.shop = orders.shop`',
  ],
  [
    'SELECT shop FROM logs.orders',
    'SELECT shop FROM logs.shops',
    'can differ',
    'reads `shops` instead of `orders`',
  ],
  [
    'SELECT e.event_name FROM logs.events AS e, UNNEST(e.event_params) AS p',
    'SELECT e.event_name FROM logs.events AS e LEFT JOIN UNNEST(e.event_params) AS p',
    'wider',
    'INNER JOIN of `UNNEST(events.event_params)` is now LEFT JOIN: rows without a match are kept, with NULL in its columns',
  ],
  [
    'SELECT id FROM logs.orders UNION ALL SELECT shop FROM logs.shops',
    'SELECT id FROM logs.orders UNION DISTINCT SELECT shop FROM logs.shops',
    'narrower',
    'UNION ALL is now UNION DISTINCT: equal rows occur once',
  ],
  [
    'SELECT id FROM logs.orders UNION ALL SELECT shop FROM logs.shops',
    'SELECT id FROM logs.orders UNION ALL SELECT shop FROM logs.shops UNION ALL SELECT city FROM logs.shops',
    'wider',
    'input 3 of UNION ALL added',
  ],
  [
    "SELECT id FROM logs.orders EXCEPT DISTINCT SELECT shop FROM logs.shops WHERE city = 'x'",
    'SELECT id FROM logs.orders EXCEPT DISTINCT SELECT shop FROM logs.shops',
    'can differ',
    "in input 2 of EXCEPT DISTINCT: filter `city = 'x'` dropped",
  ],
  [
    'SELECT DISTINCT shop FROM logs.orders',
    'SELECT shop FROM logs.orders',
    'wider',
    'DISTINCT dropped: equal rows occur each time',
  ],
  [
    'WITH daily AS (SELECT day, shop, SUM(total) AS t FROM logs.orders GROUP BY day, shop) SELECT shop, AVG(t) AS a FROM daily GROUP BY shop',
    'WITH per_day AS (SELECT day, shop, SUM(total) AS sum FROM logs.orders WHERE status = 1 GROUP BY day, shop) SELECT shop, AVG(sum) AS a FROM per_day GROUP BY shop',
    'can differ',
    'in per_day: filter `status = 1` added',
  ],
  [
    'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r',
    'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 9) SELECT n FROM r',
    'can differ',
    'in r: what the recursive query returns is computed differently',
  ],
];

/** What is computed, grouped and ordered. */
export const valuePairs: readonly QueryPair[] = [
  [
    'SELECT shop, COUNT(*) AS n FROM logs.orders GROUP BY shop',
    'SELECT shop, COUNT(DISTINCT id) AS n FROM logs.orders GROUP BY shop',
    'can differ',
    'column `n` computed differently: `COUNT(*)` → `COUNT(DISTINCT id)` (different values are counted, each once)',
  ],
  [
    'SELECT COUNT(note) AS n FROM logs.orders',
    'SELECT COUNT(*) AS n FROM logs.orders',
    'can differ',
    'column `n` computed differently: `COUNT(note)` → `COUNT(*)` (rows with NULL are counted, too)',
  ],
  [
    'SELECT SUM(total) AS t FROM logs.orders',
    'SELECT AVG(total) AS t FROM logs.orders',
    'can differ',
    'column `t` computed differently: `SUM(total)` → `AVG(total)`',
  ],
  [
    'SELECT id, CAST(note AS INT64) AS k FROM logs.orders',
    'SELECT id, SAFE_CAST(note AS INT64) AS k FROM logs.orders',
    'can differ',
    'column `k` computed differently: `CAST(note AS INT64)` → `SAFE_CAST(note AS INT64)` (NULL in place of an error)',
  ],
  [
    'SELECT SAFE.SUBSTR(note, 1, 3) AS s FROM logs.orders',
    'SELECT SUBSTR(note, 1, 3) AS s FROM logs.orders',
    'can differ',
    'column `s` computed differently: `SAFE.SUBSTR(note, 1, 3)` → `SUBSTR(note, 1, 3)` (an error in place of NULL)',
  ],
  [
    'SELECT status AS s FROM logs.orders',
    'SELECT CAST(status AS FLOAT64) AS s FROM logs.orders',
    'can differ',
    'column `s` has another type: INT64 → FLOAT64',
    'column `s` computed differently: `status` → `CAST(status AS FLOAT64)`',
  ],
  [
    "SELECT CASE WHEN status >= 500 THEN 'error' WHEN status >= 400 THEN 'bad' ELSE 'ok' END AS c FROM logs.orders",
    "SELECT CASE WHEN status >= 500 THEN 'error' WHEN status >= 300 THEN 'bad' ELSE 'ok' END AS c FROM logs.orders",
    'can differ',
    "column `c` computed differently: `400` → `300` in `CASE WHEN status >= 500 THEN 'error' WHEN status >= 300 THEN 'bad' ELSE 'ok' END`",
  ],
  [
    "SELECT IFNULL(note, '') AS n FROM logs.orders",
    "SELECT IFNULL(note, 'none') AS n FROM logs.orders",
    'can differ',
    "column `n` computed differently: `IFNULL(note, '')` → `IFNULL(note, 'none')`",
  ],
  [
    'SELECT id, total FROM logs.orders',
    'SELECT total AS amount, id, shop FROM logs.orders',
    'can differ',
    'column `shop` (STRING) added: `shop`',
    'column `total` renamed to `amount`',
    'columns in another order: `amount`, `id`, `shop`',
  ],
  ['SELECT id, total FROM logs.orders', 'SELECT id FROM logs.orders', 'can differ', 'column `total` removed'],
  [
    'SELECT TIMESTAMP_TRUNC(timestamp, HOUR) AS t, COUNT(*) AS n FROM logs.orders GROUP BY t ORDER BY t',
    'SELECT TIMESTAMP_TRUNC(timestamp, DAY) AS t, COUNT(*) AS n FROM logs.orders GROUP BY t ORDER BY t',
    'can differ',
    'grouped by another value: `TIMESTAMP_TRUNC(timestamp, HOUR)` → `TIMESTAMP_TRUNC(timestamp, DAY)`',
    'column `t` computed differently: `TIMESTAMP_TRUNC(timestamp, HOUR)` → `TIMESTAMP_TRUNC(timestamp, DAY)`',
  ],
  [
    'SELECT shop, COUNT(*) AS n FROM logs.orders GROUP BY shop',
    'SELECT shop, status, COUNT(*) AS n FROM logs.orders GROUP BY shop, status',
    'can differ',
    'also grouped by `status`',
    'column `status` (INT64) added: `status`',
  ],
  [
    'SELECT id, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY total) AS r FROM logs.orders QUALIFY r = 1',
    'SELECT id, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY total) AS r FROM logs.orders QUALIFY r <= 3',
    'wider',
    'condition on windows wider: `ROW_NUMBER() OVER (PARTITION BY shop ORDER BY total) = 1` → `ROW_NUMBER() OVER (PARTITION BY shop ORDER BY total) <= 3`',
  ],
  [
    'SELECT id, LAG(total) OVER (ORDER BY id) AS r FROM logs.orders WHERE status = 1',
    'SELECT id, LAG(total) OVER (ORDER BY id) AS r FROM logs.orders WHERE status IN (1, 2)',
    'can differ',
    'filter wider: `status = 1` → `status IN (1, 2)`',
  ],
  [
    'SELECT ARRAY_AGG(id ORDER BY total LIMIT 3) AS a FROM logs.orders',
    'SELECT ARRAY_AGG(id ORDER BY total DESC LIMIT 3) AS a FROM logs.orders',
    'can differ',
    'column `a` computed differently: `ARRAY_AGG(id ORDER BY total LIMIT 3)` → `ARRAY_AGG(id ORDER BY total DESC LIMIT 3)`',
  ],
  [
    "SELECT (SELECT value.int_value FROM UNNEST(event_params) WHERE key = 'a') AS s FROM logs.events",
    "SELECT (SELECT COALESCE(value.int_value, 0) FROM UNNEST(event_params) WHERE key = 'a') AS s FROM logs.events",
    'can differ',
    'in subquery over event_params: column `value` computed differently: `event_params.value.int_value` → `COALESCE(event_params.value.int_value, 0)`',
  ],
  [
    'SELECT id FROM logs.orders ORDER BY id',
    'SELECT id FROM logs.orders ORDER BY id DESC',
    'order',
    'ordered by `id DESC` instead of `id`',
  ],
  [
    'SELECT id FROM logs.orders ORDER BY total',
    'SELECT id FROM logs.orders ORDER BY total, id',
    'order',
    'rows that tied in the order by `total` are now ordered by `id`',
  ],
  [
    'SELECT id FROM logs.orders ORDER BY total LIMIT 9',
    'SELECT id FROM logs.orders ORDER BY total, id LIMIT 9',
    'can differ',
    'rows that tied in the order by `total` are now ordered by `id`',
  ],
  [
    'SELECT id FROM logs.orders ORDER BY id LIMIT 10',
    'SELECT id FROM logs.orders ORDER BY id LIMIT 20',
    'can differ',
    'LIMIT changed: `10` → `20`',
  ],
  ['SELECT id FROM logs.orders LIMIT 10', 'SELECT id FROM logs.orders', 'wider', 'LIMIT `10` dropped'],
];
