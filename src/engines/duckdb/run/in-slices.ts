import type { DuckDBConnection } from '@duckdb/node-api';
import type { Plan } from '../../../sql/plan/plan.ts';
import type { SliceCounts } from '../../engine/engine.ts';
import type { EmittedQuery } from '../emit/emitter/context.ts';
import type { SlicedRun, Slices, UnslicedRun } from '../slices/slices.ts';
import type { Store } from '../store/store.ts';
import { refuseLongPlanning } from './planning-work.ts';
import type { SqlForSnapshot } from './query-sql.ts';
import type { Execute } from './rows/read-rows.ts';

/** How a query was answered. */
export interface Answered<T> {
  readonly result: T;
  readonly slices?: SliceCounts;
}

/** A run that may be answered from slices. */
interface SlicedRunning {
  readonly connection: DuckDBConnection;
  /** Gets what still happens on the connection when the task has ended. */
  readonly afterwards: (end: Promise<void>) => void;
  readonly signal: AbortSignal;
  readonly store: Pick<Store, 'read'>;
  readonly slices: Slices;
  readonly plan: Plan;
}

/** Slices to make. */
interface Missing {
  readonly missing: SlicedRun['missing'];
}

/**
 * Uses the SQL of a query with what slices of its aggregations are kept. Those that are missing are made first.
 *
 * @param use reads the result, in the snapshot of the store for which the SQL is
 * @returns a run without slices if that is better; undefined if the query has no SQL for the tables as they are
 */
export async function inSlices<T>(
  { connection, afterwards, signal, store, slices, plan }: SlicedRunning,
  queryFor: SqlForSnapshot,
  execute: Execute,
  use: (query: EmittedQuery) => Promise<T>,
): Promise<Answered<T> | UnslicedRun | undefined> {
  const run = (sql: string, take: Parameters<Execute>[1] = () => undefined) => execute(sql, take, true);
  let [kept, made] = [0, 0];
  for (const isFirst of [true, false]) {
    using watch = slices.watch();
    const outcome = await store.read(
      connection,
      async (isFlatOnly): Promise<Answered<T> | Missing | UnslicedRun | undefined> => {
        const query = await queryFor(isFlatOnly);
        if (query === undefined) return undefined;
        if (query.slices === undefined) return { result: await use(query) };
        const sliced = await slices.begin(query, plan.id, watch, run);
        if (!('sql' in sliced)) return sliced;
        try {
          if (isFirst) {
            sliced.noteUse();
            kept = sliced.kept;
            if (sliced.missing.length > 0) return { missing: sliced.missing };
          }
          refuseLongPlanning(sliced.sql);
          const result = await use({ ...query, sql: sliced.sql });
          // Slices may have left since they were made or found.
          return { result, slices: { kept: Math.min(kept, sliced.kept), made } };
        } finally {
          sliced.end();
        }
      },
      isFirst ? undefined : afterwards,
    );
    if (outcome === undefined || !('missing' in outcome)) return outcome;
    made = await slices.make(connection, outcome.missing, queryFor, run);
    signal.throwIfAborted();
  }
  throw new Error('Slices are made once');
}
