import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { Row } from '../../../sql/values/value.ts';
import type { Cost, TakeRows } from '../../engine/engine.ts';
import { errorFields } from '../jobs/error-fields.ts';
import { isOfText, reasonOf } from '../jobs/refused-text.ts';
import type { JobText, RunTexts } from '../sql/job-text.ts';
import { NewestFirst, type RunEnd } from './newest-first.ts';
import type { ShareContext } from './table-shares.ts';

/** The end of one job's rows, or of all jobs of a run. */
interface JobEnd extends RunEnd {
  readonly cost: Cost | undefined;
}

/** Milliseconds after which a text is tried in another form again. */
const refusedMs = 3_600_000;

/**
 * Runs a query over as few rows as its bounds of time and its number of rows allow. A query that BigQuery refuses in another form
 * than it is written in is run as it is written, so that its rows and errors are always those of its own text.
 */
export class FewestRows {
  readonly #newest: NewestFirst;
  readonly #clock: Clock;
  readonly #log: Log;
  /** Texts of queries that may be run only as they are written. */
  readonly #refused: LRUCache<string, true>;

  constructor(clock: Clock, log: Log) {
    this.#newest = new NewestFirst(clock);
    this.#clock = clock;
    this.#log = log;
    this.#refused = new LRUCache({ max: 1_000, ttl: refusedMs, perf: { now: () => clock.elapsed() } });
  }

  /** @param runText runs the job of a text */
  async run(
    texts: RunTexts,
    runText: (text: JobText, take: TakeRows) => Promise<JobEnd>,
    context: ShareContext,
    take: TakeRows,
  ): Promise<JobEnd> {
    const costs: (Cost | undefined)[] = [];
    const counted = async (text: JobText, takeRows: TakeRows) => {
      const end = await runText(text, takeRows);
      costs.push(end.cost);
      return end;
    };
    const newest = this.#refused.has(texts.plain.sql) ? undefined : texts.newest;
    const now = BigInt(this.#clock.now()) * 1000n;
    const orNothing = (text: JobText, takeRows: TakeRows) =>
      counted(text, takeRows).catch((error: unknown) => {
        context.limits.signal.throwIfAborted();
        if (!isOfText(error)) throw error;
        return undefined;
      });
    const found = newest && (await this.#newest.find(newest, now, context, orNothing, take));
    if (found !== undefined) return { ...found, cost: sumOf(costs) };
    let [rows, last]: [number, Row | undefined] = [0, undefined];
    const counting = async (more: readonly Row[]) => {
      rows += more.length;
      last = more.at(-1);
      await take(more);
    };
    // Rows that were given can't be taken back.
    const end = await this.inBounds(texts, (text) => counted(text, counting), {
      mayRepeat: () => rows === 0,
    });
    if (newest) this.#newest.learn(newest, now, { rows, truncated: end.truncated, last });
    return { ...end, cost: sumOf(costs) };
  }

  /** Does something with a query in its bounds or, if BigQuery refuses that, with the query as it is written. */
  async inBounds<T>(
    { plain, bounded }: RunTexts,
    use: (text: JobText) => Promise<T>,
    { mayRepeat = () => true }: { readonly mayRepeat?: () => boolean } = {},
  ): Promise<T> {
    if (bounded === undefined || this.#refused.has(plain.sql)) return use(plain);
    let refusal: unknown;
    try {
      return await use(bounded);
    } catch (error) {
      if (!isOfText(error) || !mayRepeat()) throw error;
      refusal = error;
    }
    const outcome = await use(plain);
    // Other reasons may be those of the values of one call.
    if (reasonOf(refusal) === 'accessDenied') this.#refused.set(plain.sql, true);
    this.#log.warn('BigQuery refused a query in a form that reads less, and ran it as it is written', {
      ...errorFields(refusal),
    });
    return outcome;
  }
}

/** The cost of several jobs. Undefined if none is known; without the parts that aren't known of each. */
export function sumOf(costs: readonly (Cost | undefined)[]): Cost | undefined {
  const known = costs.filter((cost) => cost !== undefined);
  const [first] = known;
  if (first === undefined || known.length === 1) return known.length === costs.length ? first : undefined;
  const sum = (values: readonly (number | undefined)[]) => {
    const numbers = values.filter((value) => value !== undefined);
    return numbers.length === costs.length ? numbers.reduce((total, value) => total + value, 0) : undefined;
  };
  const bytesBilled = sum(known.map((cost) => cost.bytesBilled));
  const slotMs = sum(known.map((cost) => cost.slotMs));
  return {
    bytesProcessed: known.reduce((total, cost) => total + cost.bytesProcessed, 0),
    ...(bytesBilled !== undefined && { bytesBilled }),
    ...(slotMs !== undefined && { slotMs }),
    engineCacheHit: known.every((cost) => cost.engineCacheHit),
  };
}
