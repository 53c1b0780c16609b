/** Ad-hoc queries that take long, take much memory, or call slow functions. Each number gives a different query. */
export const hostileQueries: readonly ((number: number) => string)[] = [
  (n) =>
    `SELECT COUNT(*) AS n FROM edge_logs WHERE REGEXP_CONTAINS(event_message, r'(a|b|ab)*c[^x]*[0-9]{3}${n}')`,
  (n) => `SELECT MAX(FORMAT('%100d %t %T', ${n}, timestamp, event_message)) AS x FROM edge_logs`,
  (n) => `SELECT SUM(LENGTH(TO_JSON_STRING(metadata))) + ${n} AS x FROM edge_logs`,
  (n) => `SELECT SUM(ARRAY_LENGTH(SPLIT(CONCAT(event_message, '${n}'), ''))) AS x FROM edge_logs`,
  (n) => `SELECT MAX(LENGTH(REPEAT(event_message, 2000))) + ${n} AS x FROM edge_logs`,
  (n) => `SELECT id, event_message, ${n} AS k FROM edge_logs ORDER BY REVERSE(event_message) LIMIT 1000`,
  (n) => `SELECT COUNT(*) + ${n} AS x FROM edge_logs a, edge_logs b WHERE a.event_message < b.event_message`,
  (n) => `SELECT LENGTH(STRING_AGG(event_message, '${n}')) AS x FROM edge_logs`,
  (n) =>
    `SELECT COUNT(DISTINCT CONCAT(id, event_message, CAST(k + ${n} AS STRING))) AS x FROM edge_logs, UNNEST(GENERATE_ARRAY(1, 30)) AS k`,
  (n) =>
    `SELECT JSON_ARRAY(${Array.from({ length: 100 }, () => 'event_message').join(', ')}, ${n}) AS x FROM edge_logs`,
  (n) => `SELECT NORMALIZE(event_message, NFKD) AS x, ${n} AS k FROM edge_logs ORDER BY x DESC LIMIT 5`,
];

/** A query that takes some milliseconds. */
export const lightQuery = (number: number) =>
  `SELECT id, timestamp, event_message, ${number} AS k FROM edge_logs ORDER BY timestamp DESC LIMIT 5`;
