import type { Finding } from '../finding.ts';
import { asked, busyProject as project } from './calls.ts';
import { type Compared, type CompareOptions, compareSql } from './compare-sql.ts';
import { functionCalls } from './function-calls.ts';
import { functionQueries } from './function-queries.ts';

const columns: Readonly<Record<string, readonly [googleSql: string, byHand: string]>> = {
  id: ['id', 'id'],
  time: ['timestamp', 'timestamp'],
  message: ['event_message', 'event_message'],
  path: ['r.path', '"metadata.request.path"'],
  url: ['r.url', '"metadata.request.url"'],
  method: ['r.method', '"metadata.request.method"'],
  status: ['p.status_code', '"metadata.response.status_code"'],
  ms: ['p.origin_time', '"metadata.response.origin_time"'],
};

const filled = (sql: string, side: 0 | 1) =>
  sql.replace(/\$([a-z]+)\b/g, (text, name: string) => columns[name]?.[side] ?? text);

const calls: readonly Compared[] = functionCalls.map(([what, googleSql, byHand]) => {
  const isNested = [googleSql, byHand].some((sql) => /\$(?:path|url|method|status|ms)\b/.test(sql));
  const joins = isNested
    ? ' CROSS JOIN UNNEST(metadata) AS m CROSS JOIN UNNEST(m.request) AS r CROSS JOIN UNNEST(m.response) AS p'
    : '';
  const conditions = isNested ? ' AND "metadata.request." AND "metadata.response."' : '';
  return {
    what,
    prepare: asked(`SELECT ${filled(googleSql, 0)} FROM edge_logs${joins}`),
    byHand: `SELECT ${filled(byHand, 1)} FROM flat.edge_logs WHERE project = '${project}'${conditions}`,
  };
});

const queries: readonly Compared[] = functionQueries.map(([what, googleSql, byHand]) => ({
  what,
  prepare: asked(googleSql),
  byHand,
}));

const functionComparisons = [...calls, ...queries];

/** There are many comparisons: each takes a second. */
const runs = { warmUps: 1, leastRuns: 5, maxRuns: 21, budgetMs: 500 };

/** Compares functions and constructs of callers' queries with hand-written SQL, over the rows of the busy project. */
export function compareFunctions(options: CompareOptions): Promise<Finding[]> {
  return compareSql(
    functionComparisons,
    { part: 'functions', maxTimesByHand: 3, plusMs: 3 },
    { runs, ...options },
  );
}
