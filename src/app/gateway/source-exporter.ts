import type { Account } from '../../base/fairness/account.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import type { Source } from '../../definitions/sources/source.ts';
import {
  type ExportParts,
  type ExportTurns,
  exportRows,
  type SourceRows,
} from '../../rows/export/export-rows.ts';
import type { TimeRange } from '../../rows/export/time-range.ts';
import { packed } from '../../sql/values/packed.ts';
import { sourceCatalog } from '../schema/source-catalog.ts';

/** Reads the rows of a source in a range of time: see {@link exportRows}. */
export type ExportSource = (
  source: Source,
  range: TimeRange,
  account: Account,
  signal: AbortSignal,
) => Promise<SourceRows>;

interface ExporterParts extends Pick<ExportParts, 'engine'> {
  readonly planner: Pick<Planner, 'planText'>;
  /** Waits for turns of an account: see {@link ExportParts}. */
  readonly turns?: (account: Account, signal: AbortSignal, hasBegun: boolean) => Promise<ExportTurns>;
}

export function sourceExporter({ planner, engine, turns }: ExporterParts): ExportSource {
  return (source, range, account, signal) => {
    const catalog = packed(sourceCatalog([source]));
    const plan: ExportParts['plan'] = async (sql, declared, until) => {
      const planned = await planner.planText({ sql, declared, hasTables: false, catalog, account }, until);
      if (planned.plan !== undefined) return planned.plan;
      throw new Error(`${sql}: ${planned.mistake?.message}`);
    };
    return exportRows(
      source,
      range,
      { engine, plan, account, turns: turns && ((until, hasBegun) => turns(account, until, hasBegun)) },
      signal,
    );
  };
}
