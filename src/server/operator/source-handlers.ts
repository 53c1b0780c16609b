import { GatewayError } from '../../base/errors/errors.ts';
import { StoreError } from '../../engines/duckdb/store/file/store-error.ts';
import type { SourcePlan } from '../../engines/duckdb/store/source-plan.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import type { KeyedHandler } from '../http/route.ts';

/** How the store follows changed files of sources. Values are dropped only where they are named: `source.record.field`. */
export interface SourceChanges {
  /** What following them would do. */
  plan(drop: readonly string[]): Promise<readonly SourcePlan[]>;
  /** Reads the files again, and follows them. Returns what that did. */
  apply(drop: readonly string[]): Promise<readonly SourcePlan[]>;
}

/**
 * `POST /api/sources/plan[?drop=<source>.<column>...]` and `POST /api/sources/apply`, for `gateway sources plan` and `apply`.
 *
 * @param step what is asked for
 * @param changes whether it changes anything
 */
export function sourcesHandler(step: SourceChanges['plan'], changes: boolean): KeyedHandler {
  return async ({ context }) => {
    const drop = new URLSearchParams(context.query).getAll('drop');
    try {
      const sources = await step(drop);
      const changed = sources.filter((source) => source.changes.length > 0);
      if (changes)
        context.logFields.changes = [{ action: 'sources.applied', details: { sources: changed, drop } }];
      return jsonAnswer(200, JSON.stringify({ sources }));
    } catch (error) {
      if (!(error instanceof StoreError) || error.kind !== 'schema') throw error;
      throw new GatewayError('BAD_USER_INPUT', error.message);
    }
  };
}
