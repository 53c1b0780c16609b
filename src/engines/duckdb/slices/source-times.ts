import type { DuckDBDataChunk } from '@duckdb/node-api';
import { type Span, type Spans, spansWithin } from '../../../base/forms/spans.ts';
import { flatTableSql } from '../store/tables/flat-layout.ts';
import { listTableSql } from '../store/tables/list-layout.ts';
import type { Changing } from '../store/transactions/changing-rows.ts';
import { RecentRows } from './recent-rows.ts';

/** How the rows of a source are spread over time. */
interface Spread {
  readonly rows: number;
  /** From the oldest row to the newest one, in microseconds. */
  readonly times: Span;
}

interface KnownSource extends Spread {
  /** When it was read, by the monotonic clock in milliseconds. */
  readonly readAt: number;
  /** Rows that came since. */
  readonly recent: RecentRows;
}

/** For how long the spread of a source's rows is taken for known, in milliseconds. */
const knownMs = 60_000;

type Execute = (sql: string, take: (chunk: DuckDBDataChunk) => void) => Promise<void>;

/** Knows about how many rows sources have in a time. */
export class SourceTimes {
  readonly #elapsed: () => number;
  readonly #timeOf: (source: string) => string;
  readonly #sources = new Map<string, KnownSource>();

  /**
   * @param elapsed milliseconds of a monotonic clock
   * @param timeOf the time of a source's rows, as SQL
   */
  constructor(elapsed: () => number, timeOf: (source: string) => string) {
    this.#elapsed = elapsed;
    this.#timeOf = timeOf;
  }

  /** What is known of a source. Undefined if that is too old. */
  known(source: string): Spread | undefined {
    const known = this.#sources.get(source);
    return known !== undefined && this.#elapsed() - known.readAt < knownMs ? known : undefined;
  }

  /** The same, read anew if need be. */
  async of(source: string, execute: Execute): Promise<Spread> {
    const known = this.known(source);
    if (known !== undefined) return known;
    const recent = this.#sources.get(source)?.recent ?? new RecentRows();
    const read = {
      ...(await readSpread(source, this.#timeOf(source), execute)),
      readAt: this.#elapsed(),
      recent,
    };
    this.#sources.set(source, read);
    return read;
  }

  /** About how many rows have such times. Undefined if nothing is known. */
  rowsWithin(source: string, spans: Spans): number | undefined {
    const known = this.#sources.get(source);
    if (known === undefined || this.known(source) === undefined) return undefined;
    const { rows, times, recent } = known;
    const length = Number(times.to - times.from);
    const within = spansWithin(spans, times).reduce((sum, { from, to }) => sum + Number(to - from), 0);
    // Lately, more rows may have come than on average.
    return Math.max(length === 0 ? 0 : (rows * within) / length, recent.within(spans));
  }

  /** Notes rows that were added. */
  changed(changes: readonly Changing[]): void {
    for (const { source, spans, added = 0 } of changes)
      for (const span of spans ?? [])
        this.#sources.get(source)?.recent.add(span, added / (spans?.length ?? 1));
  }
}

async function readSpread(source: string, time: string, execute: Execute): Promise<Spread> {
  const selects = [flatTableSql(source), listTableSql(source)].map(
    (table) => `SELECT count(*) AS n, min(${time}) AS a, max(${time}) AS b FROM ${table}`,
  );
  let spread: Spread = { rows: 0, times: { from: 0n, to: 0n } };
  await execute(
    `SELECT CAST(sum(n) AS BIGINT), epoch_us(min(a)), epoch_us(max(b)) FROM (${selects.join(' UNION ALL ')})`,
    (chunk) => {
      const [rows, from, to] = chunk.getRowValues(0);
      if (typeof from === 'bigint' && typeof to === 'bigint')
        spread = { rows: Number(rows), times: { from, to: to + 1n } };
    },
  );
  return spread;
}

/** A second, and about a month. */
const [leastShift, greatestShift] = [20, 41];

/** The width of slices in which there are about so many rows, as the power of two. */
export function shiftFor({ rows, times }: Spread, sliceRows: number): number {
  const width = (Number(times.to - times.from) * sliceRows) / Math.max(1, rows);
  return Math.min(greatestShift, Math.max(leastShift, Math.floor(Math.log2(Math.max(1, width)))));
}
