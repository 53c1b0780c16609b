import type { Endpoint } from '../../../src/definitions/endpoints/endpoint.ts';
import { type BenchGateway, openGateway } from '../../gateway.ts';
import { about, prove, proveIs, proveSame } from '../../proof.ts';
import { logSources } from '../../store/log-sources.ts';
import { spreadOf } from '../spread.ts';
import type { PlanningData, PlanningKind } from './planning-data.ts';

export interface PlanningOptions {
  readonly store: (rows: number) => Promise<string>;
  readonly now: () => bigint;
  /** The number of new texts for each number of tables. */
  readonly texts: number;
  readonly tables?: readonly number[];
}

/** Plans don't depend on rows. */
const rows = 50_000;

/** The SQL of a kind for so many tables. Sources are used again when there are more tables. */
const kinds: Readonly<
  Record<PlanningKind, (tables: number) => { readonly sql: string; readonly columns: readonly string[] }>
> = {
  'UNION ALL': (tables) => ({
    sql: listed(tables, (name) => `SELECT '${name}' AS source, count(*) AS n FROM ${name}_logs`).join(
      ' UNION ALL ',
    ),
    columns: ['source', 'n'],
  }),
  JOIN: (tables) => ({
    sql: `SELECT t0.id, count(*) AS n FROM ${listed(tables, (name, index) =>
      index === 0
        ? `${name}_logs AS t0`
        : `JOIN ${name}_logs AS t${index} ON t${index}.id = t${index - 1}.id`,
    ).join(' ')} GROUP BY t0.id ORDER BY n DESC LIMIT 10`,
    columns: ['id', 'n'],
  }),
};

function listed(tables: number, text: (name: string, index: number) => string): string[] {
  return Array.from({ length: tables }, (_, index) =>
    text(logSources[index % logSources.length] ?? '', index),
  );
}

/**
 * Measures planning of callers' queries by their number of tables, for texts that are new and for one that is repeated.
 * Proves that the planner received each new text and no repeated one, and that plans have the columns of their query.
 *
 * @throws MeasurementError
 */
export async function measurePlanning(options: PlanningOptions): Promise<PlanningData> {
  const { texts, tables = [1, 2, 4, 8, 16, 32] } = options;
  await using gateway = await openGateway({ dataDir: await options.store(rows), now: options.now() });
  const endpoint = gateway.endpoints.byName('logs.all');
  if (endpoint === undefined) throw new Error('no endpoint logs.all');
  const measured: PlanningData['kinds'] = [];
  for (const kind of Object.keys(kinds) as PlanningKind[]) {
    // The planner's code is compiled meanwhile.
    await measure(gateway, endpoint, kind, Math.min(...tables), { texts, name: 'unmeasured' });
    const points: PlanningData['kinds'][number]['points'] = [];
    for (const count of tables) {
      const times = await about(`${kind} of ${count} tables`, () =>
        measure(gateway, endpoint, kind, count, { texts, name: 'measured' }),
      );
      points.push({ tables: count, fresh: spreadOf(times.fresh), repeated: spreadOf(times.repeated) });
    }
    measured.push({ kind, points });
  }
  return { texts, kinds: measured };
}

async function measure(
  { queries, plannings }: BenchGateway,
  endpoint: Endpoint,
  kind: PlanningKind,
  tables: number,
  { texts, name }: { readonly texts: number; readonly name: string },
): Promise<{ readonly fresh: readonly number[]; readonly repeated: readonly number[] }> {
  const { sql, columns } = kinds[kind](tables);
  const plan = async (text: string, wanted: number) => {
    const before = plannings();
    const began = performance.now();
    const query = await queries.plan(endpoint, text);
    const milliseconds = performance.now() - began;
    proveIs(plannings() - before, wanted, 'plannings of a text');
    proveSame(
      query.plan.columns.map((column) => column.name),
      columns,
      'a plan has other columns',
    );
    return { query, milliseconds };
  };
  const fresh: number[] = [];
  const repeated: number[] = [];
  for (let index = 0; index < texts; index += 1) {
    const text = `${sql} -- ${name} ${index}`;
    const first = await plan(text, 1);
    const again = await plan(text, 0);
    prove(again.query === first.query, 'a repeated text has another plan');
    fresh.push(first.milliseconds);
    repeated.push(again.milliseconds);
  }
  return { fresh, repeated };
}
