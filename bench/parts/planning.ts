import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import { type Finding, formatMs } from '../finding.ts';
import { type BenchGateway, openGateway } from '../gateway.ts';
import { median } from '../measure.ts';

const queries: Readonly<Record<string, string>> = {
  simple: 'SELECT id, timestamp FROM edge_logs ORDER BY timestamp DESC LIMIT 10',
  dashboard: `SELECT timestamp_trunc(t.timestamp, minute) AS minute, r.path, count(*) AS n,
      countif(p.status_code >= 500) AS errors, approx_quantiles(p.origin_time, 100)[OFFSET(95)] AS p95
    FROM edge_logs AS t CROSS JOIN unnest(metadata) AS m CROSS JOIN unnest(m.request) AS r CROSS JOIN unnest(m.response) AS p
    WHERE REGEXP_CONTAINS(r.path, '^/rest') AND t.timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY)
    GROUP BY minute, path HAVING n > 1 ORDER BY minute DESC LIMIT 100`,
  'nine tables': [
    'edge',
    'auth',
    'postgres',
    'function',
    'realtime',
    'storage',
    'postgrest',
    'pgbouncer',
    'function_edge',
  ]
    .map((name) => `SELECT '${name}' AS source, count(*) AS n FROM ${name}_logs`)
    .join(' UNION ALL '),
};

const newTexts = 60;
const repetitions = 2_000;

/** How long planning takes for texts that are new, and for one that was planned before. */
export async function measurePlanning(options: { dataDir: string; now: bigint }): Promise<Finding[]> {
  await using gateway = await openGateway(options.dataDir, () => options.now);
  const endpoint = gateway.endpoints.byName('logs.all');
  if (endpoint === undefined) throw new Error('no endpoint logs.all');
  const findings: Finding[] = [];
  for (const [what, sql] of Object.entries(queries))
    findings.push(...(await measure(gateway, endpoint, what, sql)));
  return findings;
}

async function measure({ queries: planner }: BenchGateway, endpoint: Endpoint, what: string, sql: string) {
  const plan = async (text: string) => {
    const started = performance.now();
    await planner.plan(endpoint, text);
    return performance.now() - started;
  };
  const fresh: number[] = [];
  for (let index = 0; index < newTexts; index++) fresh.push(await plan(`${sql} -- ${index}`));
  const repeated: number[] = [];
  for (let index = 0; index < repetitions; index++) repeated.push(await plan(`${sql} -- 0`));
  return [finding(`${what}, new`, median(fresh), 25), finding(`${what}, repeated`, median(repeated), 0.1)];
}

function finding(what: string, milliseconds: number, mostMs: number): Finding {
  const shown = milliseconds < 1 ? `${(milliseconds * 1000).toFixed(0)} µs` : formatMs(milliseconds);
  return {
    part: 'planning',
    what,
    detail: 'median',
    result: shown,
    target: `<= ${mostMs} ms`,
    isMet: milliseconds <= mostMs,
  };
}
