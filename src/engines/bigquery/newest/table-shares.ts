import { LRUCache } from 'lru-cache';
import { identifier } from '../../../sql/text/identifier.ts';
import { timestampLiteral } from '../../../sql/text/sql-text.ts';
import { type JobTools, newJob, type QueryToRun } from '../jobs/job-tools.ts';
import { dryRunBody } from '../jobs/requests.ts';
import type { EffectiveSettings } from '../jobs/settings.ts';
import { quotedTable, type TableName } from '../text/table-names.ts';
import { AnswerError } from '../values/answer-error.ts';
import { beginOf, widths } from './windows.ts';

/** What dry runs need. */
export interface ShareContext {
  readonly tools: JobTools;
  readonly settings: EffectiveSettings;
  readonly limits: QueryToRun['limits'];
}

/** The share of a table's bytes that a query over its last days reads, by their number. */
export type Shares = ReadonlyMap<number, number>;

/** Milliseconds for which shares are kept: they change slowly. */
const keptMs = 3_600_000;
/** Milliseconds until BigQuery is asked again after a failure. */
const failureMs = 60_000;

/**
 * Asks BigQuery, by dry runs, which share of a table its last days are. A table that isn't partitioned by time is always read as
 * a whole; this shows it whatever the reason.
 */
export class TableShares {
  readonly #known: LRUCache<string, Promise<Shares>>;

  constructor(clock: JobTools['clock']) {
    this.#known = new LRUCache({ max: 1_000, ttl: keptMs, perf: { now: () => clock.elapsed() } });
  }

  /** Empty if BigQuery can't tell. Fails like a dry run if the caller who asked for it has left. */
  of(table: TableName, column: string, now: bigint, context: ShareContext): Promise<Shares> {
    const [from, time] = [quotedTable(table), identifier(column)];
    const name = `${from} ${time}`;
    let shares = this.#known.get(name);
    if (shares === undefined) {
      shares = sharesOf(from, time, now, context).catch((error: unknown) => {
        const isLeft = context.limits.signal.aborted;
        this.#known.set(name, Promise.resolve(new Map()), { ttl: isLeft ? 1 : failureMs });
        if (isLeft) throw error;
        return new Map();
      });
      this.#known.set(name, shares);
    }
    return shares;
  }
}

async function sharesOf(table: string, column: string, now: bigint, context: ShareContext): Promise<Shares> {
  const conditions = widths.map((days) => ` WHERE ${column} >= ${timestampLiteral(beginOf(now, days))}`);
  const bytes = await Promise.all(
    ['', ...conditions].map((condition) => bytesOf(`SELECT ${column} FROM ${table}${condition}`, context)),
  );
  const [all = 0, ...parts] = bytes;
  return new Map(widths.map((days, i) => [days, all === 0 ? 1 : (parts[i] ?? all) / all]));
}

async function bytesOf(sql: string, { tools, settings, limits }: ShareContext): Promise<number> {
  const body = dryRunBody({ sql, parameters: [], settings }, newJob(tools, settings));
  const { statistics } = await tools.jobs.dryRun(body, limits);
  const bytes = statistics?.totalBytesProcessed;
  if (bytes === undefined) throw new AnswerError('a dry run does not say what would be read');
  return bytes;
}
