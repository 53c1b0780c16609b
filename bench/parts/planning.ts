import type { Endpoint } from '../../src/definitions/endpoints/endpoint.ts';
import { type Finding, formatMs } from '../finding.ts';
import { type BenchGateway, type BenchGatewayOptions, openGateway } from '../gateway.ts';
import { median } from '../measure.ts';
import { about, prove, proveIs, proveSame } from '../proof.ts';
import { logSources } from '../store/log-sources.ts';

/** An ad-hoc query. */
interface Planned {
  readonly what: string;
  readonly sql: string;
  /** The required columns of its plan. */
  readonly columns: readonly string[];
}

const all: readonly Planned[] = [
  {
    what: 'simple',
    sql: 'SELECT id, timestamp FROM edge_logs ORDER BY timestamp DESC LIMIT 10',
    columns: ['id', 'timestamp'],
  },
  {
    what: 'dashboard',
    sql: `SELECT timestamp_trunc(t.timestamp, minute) AS minute, r.path, count(*) AS n,
      countif(p.status_code >= 500) AS errors, approx_quantiles(p.origin_time, 100)[OFFSET(95)] AS p95
    FROM edge_logs AS t CROSS JOIN unnest(metadata) AS m CROSS JOIN unnest(m.request) AS r CROSS JOIN unnest(m.response) AS p
    WHERE REGEXP_CONTAINS(r.path, '^/rest') AND t.timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY)
    GROUP BY minute, path HAVING n > 1 ORDER BY minute DESC LIMIT 100`,
    columns: ['minute', 'path', 'n', 'errors', 'p95'],
  },
  {
    what: 'nine tables',
    sql: logSources
      .map((name) => `SELECT '${name}' AS source, count(*) AS n FROM ${name}_logs`)
      .join(' UNION ALL '),
    columns: ['source', 'n'],
  },
];

export interface PlanningOptions extends BenchGatewayOptions {
  readonly newTexts?: number;
  readonly repetitions?: number;
}

/**
 * Measures planning for new texts and for a repeated one. Proves that the planner received each new text and no
 * repeated one, and that every plan has the columns of its query.
 *
 * @throws MeasurementError
 */
export async function measurePlanning(options: PlanningOptions): Promise<Finding[]> {
  await using gateway = await openGateway(options);
  const endpoint = gateway.endpoints.byName('logs.all');
  if (endpoint === undefined) throw new Error('no endpoint logs.all');
  const findings: Finding[] = [];
  for (const planned of all)
    findings.push(...(await about(planned.what, () => measure(gateway, endpoint, planned, options))));
  return findings;
}

async function measure(
  { queries, plannings }: BenchGateway,
  endpoint: Endpoint,
  { what, sql, columns }: Planned,
  { newTexts = 60, repetitions = 2_000 }: PlanningOptions,
): Promise<Finding[]> {
  const plan = async (text: string) => {
    const before = plannings();
    const started = performance.now();
    const query = await queries.plan(endpoint, text);
    const milliseconds = performance.now() - started;
    proveSame(
      query.plan.columns.map(({ name }) => name),
      columns,
      'a plan has other columns',
    );
    return { query, milliseconds, plannings: plannings() - before };
  };
  const fresh: number[] = [];
  for (let index = 0; index < newTexts; index++) {
    const planned = await plan(`${sql} -- ${index}`);
    proveIs(planned.plannings, 1, 'plannings of a text that was new');
    fresh.push(planned.milliseconds);
  }
  const first = await plan(`${sql} -- 0`);
  const repeated: number[] = [];
  for (let index = 0; index < repetitions; index++) {
    const planned = await plan(`${sql} -- 0`);
    proveIs(planned.plannings, 0, 'plannings of a text that was planned before');
    prove(planned.query === first.query, 'a repeated text has another plan');
    repeated.push(planned.milliseconds);
  }
  return [finding(`${what}, new`, fresh, 25), finding(`${what}, repeated`, repeated, 0.1)];
}

function finding(what: string, times: readonly number[], maxMs: number): Finding {
  const milliseconds = median(times);
  const shown = milliseconds < 1 ? `${(milliseconds * 1000).toFixed(0)} µs` : formatMs(milliseconds);
  return {
    part: 'planning',
    what,
    detail: `median of ${times.length}`,
    result: shown,
    target: `<= ${maxMs} ms`,
    isMet: milliseconds <= maxMs,
  };
}
