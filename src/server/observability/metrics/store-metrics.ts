import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { SourceState } from '../../../engines/duckdb/store/source-states.ts';
import type { StoreState } from '../../../engines/duckdb/store/store-state.ts';
import type { EventMeter } from '../../collectors/event-reports.ts';

/** From a commit of a few rows to one that waited behind an import, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts what collectors send. */
export function eventMetrics(registry: Registry): EventMeter {
  const registers = [registry];
  const rows = new Counter({
    name: 'gateway_ingest_rows_total',
    help: 'Rows from collectors, by source and outcome: added, or duplicate',
    labelNames: ['source', 'outcome'],
    registers,
  });
  const rejected = new Counter({
    name: 'gateway_ingest_rejected_total',
    help: 'Events from collectors that are not rows of their source, by source and cause',
    labelNames: ['source', 'cause'],
    registers,
  });
  const committed = new Histogram({
    name: 'gateway_ingest_commit_seconds',
    help: 'Time from the arrival of a body until its rows were committed, in seconds',
    buckets,
    registers,
  });
  const lag = new Gauge({
    name: 'gateway_ingest_lag_seconds',
    help: 'Age of the newest row of the last body on its arrival, by source, in seconds',
    labelNames: ['source'],
    registers,
  });
  return {
    rows: (source, outcome, count) => rows.inc({ source, outcome }, count),
    rejected: (source, cause, count) => rejected.inc({ source, cause }, count),
    committed: (seconds) => committed.observe(seconds),
    lag: (source, seconds) => lag.set({ source }, seconds),
  };
}

/** Reading the states takes the engine some hundred milliseconds: they are read at most this often, in milliseconds. */
const freshMs = 30_000;
/** Maximum time that a scrape waits for the engine, in milliseconds. After it, the scrape gets the previous states. */
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
      // Without an engine, the previous states stay. `gateway_engine_up` shows that it is down.
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

/** Adds metrics of the store's disk and of the rows that wait for it. They are absent until they are known. */
export function storeMetrics(registry: Registry, stateOf: () => StoreState | undefined): void {
  function gauge(name: string, help: string, value: (state: StoreState) => number | undefined): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const state = stateOf();
        const current = state && value(state);
        if (current === undefined) this.remove();
        else this.set(current);
      },
    });
  }

  gauge(
    'gateway_store_disk_bytes',
    'Size of the file system of the store, in bytes',
    ({ disk }) => disk?.sizeBytes,
  );
  gauge(
    'gateway_store_disk_free_bytes',
    'Free space of the file system of the store, in bytes',
    ({ disk }) => disk?.freeBytes,
  );
  gauge(
    'gateway_store_full',
    'Whether rows are refused because the disk is full: 1 or 0',
    ({ disk }) => disk && (disk.isFull ? 1 : 0),
  );
  gauge(
    'gateway_store_waiting_bytes',
    'Size of the rows that wait for their commit, in characters',
    ({ waitingLength }) => waitingLength,
  );
  gauge(
    'gateway_store_cut_bytes',
    'Bytes of a write that was never acknowledged, cut off the write-ahead log when the store was opened',
    ({ cutBytes }) => cutBytes,
  );
}
