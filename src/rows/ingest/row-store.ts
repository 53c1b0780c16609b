import { unknownSource } from '../../definitions/sources/source.ts';
import type { HeldFiles } from '../../engines/duckdb/store/database/held-files.ts';
import type { SourceState } from '../../engines/duckdb/store/source-states.ts';
import type { Store } from '../../engines/duckdb/store/store.ts';
import type { StoreState } from '../../engines/duckdb/store/store-state.ts';
import { keySql } from '../../engines/duckdb/store/tables/key-sql.ts';
import type { RowOrigin } from '../../engines/duckdb/store/tables/metadata.ts';
import { allRowsSql } from '../../engines/duckdb/store/tables/row-table.ts';
import { type AcceptedTimes, presentTimes } from './encode/accepted-times.ts';
import { addEvents, type ParseEvents } from './events/add-events.ts';
import type { AddEvents } from './events/event-outcome.ts';
import { parseEvents } from './events/parse-events.ts';
import { type ReceiveOptions, type RowsReceived, receiveRows } from './receive.ts';

/** The rows of the embedded engine, in whichever process its store is open. */
export interface RowStore {
  /** Adds the NDJSON rows of a body to a source: see {@link receiveRows}. */
  receive(source: string, body: AsyncIterable<Uint8Array>, options: ReceiveOptions): Promise<RowsReceived>;
  /** Adds the events of a collector's body. */
  readonly addEvents: AddEvents;
  /** How many rows each source has, by its name. */
  rowCounts(): Promise<ReadonlyMap<string, number>>;
  /** Whether the store can take rows. */
  state(): Promise<StoreState>;
  /** What each source has. */
  sourceStates(): Promise<readonly SourceState[]>;
  /** The origin of the rows; undefined if there never were any. */
  origin(): Promise<RowOrigin | undefined>;
  /** The time of a source's newest row in microseconds since the epoch; undefined when it has none. */
  newest(source: string): Promise<bigint | undefined>;
  /**
   * Runs a task that reads the store's files as of the last commit: see `Store.hold`.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE if the store was closed before the task ended; the signal's reason
   */
  hold(task: (files: HeldFiles) => Promise<void>, signal: AbortSignal): Promise<void>;
}

interface RowsOptions {
  /** By default, this thread parses events. */
  readonly parse?: ParseEvents;
  /** The times that uploaded rows may have now; by default, those that the system's clock and the default limits give. */
  readonly times?: () => AcceptedTimes;
}

/** The rows of a store that is open in this process. */
export function rowsOf(
  store: Pick<
    Store,
    | 'sources'
    | 'append'
    | 'ingest'
    | 'connect'
    | 'rowCounts'
    | 'sourceStates'
    | 'origin'
    | 'disk'
    | 'waitingLength'
    | 'cutBytes'
    | 'hold'
    | 'unavailable'
    | 'refusalOf'
  >,
  { parse = async (...body) => parseEvents(...body), times = presentTimes }: RowsOptions = {},
): RowStore {
  return {
    receive: (source, body, options) => receiveRows(store, source, body, { ...options, times: times() }),
    addEvents: (body, request) => addEvents(store, parse, body, request),
    rowCounts: () => store.rowCounts(),
    state: async () => ({
      ...{ disk: store.disk, waitingLength: store.waitingLength, cutBytes: store.cutBytes },
      unavailable: store.unavailable,
    }),
    sourceStates: () => store.sourceStates(),
    origin: async () => store.origin(),
    hold: (task, signal) => store.hold(task, signal),
    async newest(name) {
      const source = store.sources.find((candidate) => candidate.name === name);
      if (source === undefined) throw unknownSource(name);
      const refusal = store.refusalOf(name);
      if (refusal !== undefined) throw refusal;
      const connection = await store.connect();
      try {
        const reader = await connection.runAndReadAll(
          `SELECT epoch_us(max(${keySql(source).time})) FROM ${allRowsSql(source)}`,
        );
        const micros = reader.value(0, 0);
        return typeof micros === 'bigint' ? micros : undefined;
      } finally {
        connection.closeSync();
      }
    },
  };
}
