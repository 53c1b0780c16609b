import { Gauge, type Registry } from 'prom-client';
import type { SourceState } from '../../../engines/duckdb/store/source-states.ts';

/** Reading the states takes the engine some hundred milliseconds: they are read at most this often, in milliseconds. */
const freshMs = 30_000;
/** A scrape doesn't wait longer for the engine, in milliseconds. It gets the former states then. */
const waitMs = 2_000;

/** Adds metrics of the rows that sources have. They are read on demand. */
export function sourceMetrics(
  registry: Registry,
  statesOf: () => Promise<readonly SourceState[]>,
  now: () => number = () => performance.now(),
): void {
  let states: readonly SourceState[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    if (now() - readAt < freshMs) return;
    reading ??= statesOf()
      .then((read) => {
        states = read;
        readAt = now();
      })
      // Without an engine, the former states stay. Other metrics tell that it is down.
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, waitMs).unref())]);
  }

  function gauge(name: string, help: string, value: (state: SourceState) => number | undefined): void {
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers: [registry],
      async collect() {
        await read();
        this.reset();
        for (const state of states) {
          const current = value(state);
          if (current !== undefined) this.set({ source: state.source }, current);
        }
      },
    });
  }

  gauge('gateway_source_rows', 'Rows, by source', ({ rows }) => rows);
  gauge(
    'gateway_source_bytes',
    "Share of the store's file by rows, by source, in bytes",
    ({ bytes }) => bytes,
  );
  gauge(
    'gateway_source_oldest_timestamp_seconds',
    'Time of the oldest row, by source, in seconds since 1970',
    ({ oldest }) => secondsOf(oldest),
  );
  gauge(
    'gateway_source_newest_timestamp_seconds',
    'Time of the newest row, by source, in seconds since 1970',
    ({ newest }) => secondsOf(newest),
  );
}

function secondsOf(micros: bigint | undefined): number | undefined {
  return micros === undefined ? undefined : Number(micros) / 1e6;
}
