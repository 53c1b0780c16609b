import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../definitions/sources/source.ts';
import { changesOfSource, type PlannedSource, tablesOf } from './planned-source.ts';
import { planSources } from './prepare-tables.ts';
import { refusedSource } from './refused-source.ts';
import { readStoredSources } from './tables/metadata.ts';
import { effortOf } from './tables/reshape-effort.ts';
import { columnsOfStored } from './tables/stored-schema.ts';
import { countRows, tablesNow } from './tables/table-state.ts';

/** What a start with the present files does to the stored rows of a source. */
export interface SourcePlan {
  readonly source: string;
  /** A phrase each. None if nothing changes. */
  readonly changes: readonly string[];
  /** Why it would be unavailable: see `RefusedSource`. Undefined if it is available. */
  readonly reason: string | undefined;
  /** The same with some of the rows at fault, for operators. */
  readonly refusal: string | undefined;
  /** How many rows it has. */
  readonly rows: number;
  /** About how long the change takes, in seconds. */
  readonly seconds: number;
}

/** The plans of all sources, and of those whose files are gone. Changes nothing. */
export async function sourcePlans(
  connection: DuckDBConnection,
  sources: readonly Source[],
  drop: readonly string[] = [],
): Promise<readonly SourcePlan[]> {
  const planned = await planSources(connection, sources, drop);
  const plans: SourcePlan[] = [];
  for (const plan of planned) plans.push(await planOf(connection, plan));
  const used = new Set(planned.map(({ storedName }) => storedName?.toLowerCase()));
  for (const { name, columns } of (await readStoredSources(connection)).values()) {
    if (used.has(name.toLowerCase())) continue;
    const source: Source = { ...goneSettings, name, columns: columnsOfStored(columns) };
    const rows = await rowsOf(connection, source);
    const isDropped = drop.some((path) => path.toLowerCase() === name.toLowerCase());
    const what = isDropped ? 'its rows are dropped' : 'its rows are kept, hidden';
    const changes = [`${name} has no file: ${what}`];
    plans.push({ source: name, changes, reason: undefined, refusal: undefined, rows, seconds: 0 });
  }
  return plans;
}

const goneSettings = { file: '', aliases: [], unknownFields: 'reject', rename: [] } as const;

async function planOf(connection: DuckDBConnection, plan: PlannedSource): Promise<SourcePlan> {
  const { source, storedName, stored, columns, faults } = plan;
  const before = { ...source, name: storedName ?? source.name, columns: columnsOfStored(stored) };
  const rows = storedName === undefined ? 0 : await rowsOf(connection, before);
  const refused = faults.length === 0 ? undefined : refusedSource(plan);
  return {
    source: source.name,
    changes: changesOfSource(plan),
    ...{ reason: refused?.reason, refusal: refused?.details },
    rows,
    seconds: effortOf(rows, columns),
  };
}

async function rowsOf(connection: DuckDBConnection, source: Source): Promise<number> {
  const hasTable = await tablesNow(connection);
  let rows = 0;
  for (const table of tablesOf(source).filter(hasTable)) rows += await countRows(connection, table);
  return rows;
}
