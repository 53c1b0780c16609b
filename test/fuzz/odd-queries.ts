import type { Random } from './random.ts';

const tables = ['edge_logs', 'auth_logs', 'postgres_logs', 'chart_counts', 'Edge_Logs', '`edge_logs`'];
const outerTables = ['logs.edge_logs', 'edge_logs.metadata', 'sqlite_master', 'INFORMATION_SCHEMA.TABLES'];
const functions = [
  ...[
    'UPPER',
    'LENGTH',
    'REVERSE',
    'TO_JSON_STRING',
    'PARSE_JSON',
    'SAFE.PARSE_JSON',
    'FORMAT',
    'REPEAT',
    'CHR',
  ],
  ...[
    'REGEXP_CONTAINS',
    'REGEXP_EXTRACT_ALL',
    'SPLIT',
    'SUBSTR',
    'CONCAT',
    'LPAD',
    'TO_HEX',
    'FROM_HEX',
    'MD5',
  ],
  ...[
    'PARSE_TIMESTAMP',
    'FORMAT_TIMESTAMP',
    'TIMESTAMP_SECONDS',
    'TIMESTAMP_TRUNC',
    'DATE_ADD',
    'DATE',
    'EXTRACT',
  ],
  ...[
    'COUNT',
    'SUM',
    'AVG',
    'MAX',
    'ARRAY_AGG',
    'STRING_AGG',
    'APPROX_QUANTILES',
    'COUNTIF',
    'ANY_VALUE',
    'STDDEV',
  ],
  ...[
    'ROUND',
    'DIV',
    'MOD',
    'POW',
    'LOG',
    'SQRT',
    'ABS',
    'SAFE_DIVIDE',
    'GREATEST',
    'RANGE_BUCKET',
    'IEEE_DIVIDE',
  ],
  ...[
    'ARRAY_LENGTH',
    'ARRAY_REVERSE',
    'GENERATE_ARRAY',
    'ARRAY_CONCAT',
    'JSON_VALUE',
    'JSON_QUERY',
    'JSON_OBJECT',
  ],
  ...[
    'NET.IP_FROM_STRING',
    'NET.HOST',
    'ERROR',
    'ROW_NUMBER',
    'LAG',
    'IFNULL',
    'COALESCE',
    'SESSION_USER',
    'RAND',
  ],
];
const atoms = [
  ...[
    'NULL',
    '1',
    '-1',
    '0',
    '9223372036854775807',
    '1e308',
    "CAST('nan' AS FLOAT64)",
    "NUMERIC '1.5'",
    'TRUE',
  ],
  ...[
    "''",
    "'a'",
    "'%'",
    "'[('",
    "'\\x00'",
    "'\\U0001F600'",
    "b'\\xff'",
    "r'\\d+'",
    "'$.a[0]'",
    "'%Y-%m-%d'",
    "'UTC'",
  ],
  ...[
    "DATE '0001-01-01'",
    "TIMESTAMP '9999-12-31 23:59:59.999999+00'",
    'INTERVAL 1 DAY',
    "JSON '{}'",
    '[1, 2]',
  ],
  ...[
    '[]',
    '[NULL]',
    "STRUCT(1 AS a, 'b' AS b)",
    'id',
    'timestamp',
    'event_message',
    'metadata',
    '@project',
    '@nothing',
  ],
  ...[
    '*',
    'DAY',
    "REPEAT('a', 1000)",
    '(SELECT 1)',
    'ARRAY(SELECT 1)',
    'CURRENT_TIMESTAMP()',
    'x -> x',
    'DISTINCT id',
  ],
];

function expression(dice: Random, depth: number): string {
  const inner = () => expression(dice, depth - 1);
  if (depth === 0 || dice.isLess(0.3)) return dice.pick(atoms);
  switch (dice.below(6)) {
    case 0:
      return `CAST(${inner()} AS ${dice.pick(['INT64', 'STRING', 'BYTES', 'DATE', 'TIMESTAMP', 'JSON', 'ARRAY<INT64>'])})`;
    case 1:
      return `(${inner()} ${dice.pick(['+', '-', '*', '/', '||', '=', '<', 'AND', 'LIKE', 'IN UNNEST', 'IS NOT DISTINCT FROM'])} (${inner()}))`;
    case 2:
      return `IF(${inner()}, ${inner()}, ${inner()})`;
    default: {
      const call = `${dice.pick(functions)}(${Array.from({ length: dice.below(4) }, inner).join(', ')})`;
      return dice.isLess(0.9)
        ? call
        : `${call}${dice.pick([' OVER ()', '[OFFSET(0)]', '.a', ' AT TIME ZONE 1'])}`;
    }
  }
}

/** A query of a caller's own: some are right, most aren't. */
export function oddSql(dice: Random): string {
  const x = expression(dice, dice.below(4));
  const table = dice.isLess(0.9) ? dice.pick(tables) : dice.pick(outerTables);
  return dice.pick([
    'SELECT timestamp, event_message FROM edge_logs LIMIT 3',
    'SELECT r.path, COUNT(*) AS n FROM edge_logs, UNNEST(metadata) AS m, UNNEST(m.request) AS r GROUP BY path',
    `SELECT ${x}`,
    `SELECT ${x} AS v FROM ${table} LIMIT 3`,
    `SELECT COUNT(*) AS n FROM ${table} WHERE ${x}`,
    `SELECT ${x} AS v, COUNT(*) AS n FROM ${table} GROUP BY 1 HAVING ${expression(dice, 1)}`,
    `SELECT id FROM ${table} QUALIFY ROW_NUMBER() OVER (ORDER BY ${x}) = 1`,
    `WITH ${table} AS (SELECT * FROM ${table}) SELECT * EXCEPT (id) FROM ${table} AS a JOIN ${table} AS b ON ${x}`,
    `WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT ${x} AS v FROM r`,
    `SELECT * FROM UNNEST(${x}) AS u WITH OFFSET`,
    `SELECT ${x} UNION ALL SELECT ${expression(dice, 1)} FROM ${table}`,
    `SELECT ${x} AS __proto__, 1 AS constructor, 2 AS \`a"b\``,
  ]);
}

const clauses = [
  ...[
    'm.response.status_code:>=500',
    't:last@1h',
    't:2026-{01..03}-01',
    'f:edge_logs',
    'from:auth_logs',
    '-c',
    '"a b"',
  ],
  ...[
    'm.request.path:~"^/x"',
    'm.request.path:@>x',
    's:event_message',
    's:m.request.path@p',
    'c:count(*)',
    'm.a:[1, 2)',
  ],
  ...[
    'c:group_by(t::minute)',
    'c:p99(m.response.origin_time)',
    'm.level:error..fatal',
    'm.x:NULL',
    'm.x:true',
    '~"(("',
  ],
  ...[
    'id:__proto__',
    'm.request.headers.user_agent:"',
    't:>2026-99-99',
    't:now@-1y',
    'm.a.b.c.d:1e999',
    ':',
    '@',
    'f:',
    '"',
  ],
];

/** A query in LQL, of clauses that don't all go together. */
export function oddLql(dice: Random): string {
  return [dice.pick(clauses), ...dice.some(clauses, 3)].join(dice.pick([' ', ' ', '  ', '\t', ',']));
}

const fixedDocuments = [
  '{ usageApiCounts(interval: MINUTELY, project: "p") { timestamp totalRestRequests } }',
  'query Q($p: String!) { logsAllTables(project: $p) { authLogs(limit: 5) { timestamp eventMessage } } }',
  '{ __schema { types { name fields { name type { name ofType { name } } } } } }',
  'query A { __typename } query B { a: __typename b: __typename @skip(if: true) }',
  'fragment F on Query { __typename ...F } { ...F }',
  'query ($p: String = "q") { logsAll(project: $p, redactPii: true) { id ...A } } fragment A on LogsAll { eventMessage }',
  'query ($p: String!, $n: Int! = 3) { logsAllTables(project: $p) { edgeLogs(limit: $n) { id } } }',
  'query ($n: Boolean!) { ... @include(if: $n) { endpoints { name curl } } }',
  'mutation { x } subscription { y }',
  '{ logsAll(project: """\\u{110000} \\ud800""") { id } }',
  '{ endpoint(name: "__proto__") { name } __type(name: "Query") { name } }',
];

/** A document of GraphQL: some can be executed, others are wrong in a way of their own. */
export function oddDocument(dice: Random): string {
  const project = JSON.stringify(dice.pick(['p', 'p', 'q', '.*', '']));
  const sql = JSON.stringify(oddSql(dice));
  return dice.pick([
    ...fixedDocuments,
    `{ logsAllQuery(project: ${project}, sql: ${sql}) { columns { name type } rows truncated } }`,
    `{ estimates { logsAllQuery(project: ${project}, sql: ${sql}) { bytesProcessed } } }`,
    `{ logsAllQuery(project: ${project}, lql: ${JSON.stringify(oddLql(dice))}) { rows } }`,
    `{ a: logsAll(project: ${project}) { id } b: logsAll(project: "q") { id eventMessage } }`,
    `{ logsAllTables(project: ${project}) { edgeLogs(limit: ${dice.pick(['1', '0', '-1', '99999', '1.5', 'null', '"1"'])}) { id } } }`,
    `{ ${'a'.repeat(1 + dice.below(300))}: __typename ${'{ x '.repeat(dice.below(50))} }`,
  ]);
}
