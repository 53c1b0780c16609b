import { allRowsSql } from '../engines/duckdb/store/row-table.ts';
import type { Store } from '../engines/duckdb/store/store.ts';
import { GatewayError } from '../errors.ts';
import { RowsRefused } from '../ingest/bad-rows.ts';
import { ingest } from '../ingest/ingest.ts';
import type { Line } from '../ingest/lines.ts';
import type { Source } from '../sources/source.ts';
import { type DemoRow, type DemoSource, demoSources } from './demo-row.ts';

/** Added after those that belong to it, so that its newest row tells how far the demo is complete. */
const lastSource: DemoSource = 'edge_logs';

/** A store as the demo uses it: it adds made-up rows, and knows how far it has got. */
export class DemoStore {
  readonly #store: Store;

  /**
   * @throws GatewayError when one of the sources that the demo has rows for isn't there
   */
  constructor(store: Store) {
    this.#store = store;
    for (const name of demoSources) find(store, name);
  }

  /** Whether somebody has put rows of their own in; then the demo keeps out. */
  get holdsOthers(): boolean {
    return this.#store.origin() === 'imported';
  }

  /** The instant of the newest demo row in microseconds since the epoch, undefined when there is none. */
  async newest(): Promise<bigint | undefined> {
    const connection = await this.#store.connect();
    try {
      const reader = await connection.runAndReadAll(
        `SELECT epoch_us(max("timestamp")) FROM ${allRowsSql(find(this.#store, lastSource))}`,
      );
      const micros = reader.value(0, 0);
      return typeof micros === 'bigint' ? micros : undefined;
    } finally {
      connection.closeSync();
    }
  }

  /**
   * Adds the rows by the same way as every import, each source's rows by themselves.
   *
   * @returns how many were added
   * @throws GatewayError `FORBIDDEN` when the store holds other rows by now, and what `Store.append` throws
   */
  async add(rows: Iterable<DemoRow>, signal?: AbortSignal): Promise<number> {
    const texts = new Map<DemoSource, string[]>();
    for (const { source, row } of rows) {
      const ofSource = texts.get(source);
      if (ofSource === undefined) texts.set(source, [JSON.stringify(row)]);
      else ofSource.push(JSON.stringify(row));
    }
    const add = (name: DemoSource, before?: Promise<unknown>) =>
      this.#addTo(name, asLines(texts.get(name) ?? [], before), signal);

    // All at the same time, but the stream of the edge rows ends, and so commits, after the others have.
    const others = demoSources
      .filter((name) => name !== lastSource && texts.has(name))
      .map((name) => add(name));
    const othersAreIn = Promise.all(others);
    othersAreIn.catch(() => undefined);
    const last = texts.has(lastSource) ? [add(lastSource, othersAreIn)] : [];

    let added = 0;
    for (const outcome of await Promise.allSettled([...others, ...last])) {
      if (outcome.status === 'rejected') throw outcome.reason;
      added += outcome.value;
    }
    return added;
  }

  async #addTo(
    name: DemoSource,
    lines: AsyncIterable<Line>,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const source = find(this.#store, name);
    const options = { origin: 'demo', skipBadRows: false, signal } as const;
    try {
      return (await ingest(this.#store, source, lines, options)).imported;
    } catch (error) {
      if (!(error instanceof RowsRefused)) throw error;
      const [first] = error.badRows.named;
      const message = `The demo's rows do not fit the schema ${source.file}: ${first?.reason}`;
      throw new GatewayError('BAD_USER_INPUT', message, { cause: error });
    }
  }
}

function find({ sources }: Store, name: DemoSource): Source {
  const source = sources.find((candidate) => candidate.name === name);
  if (source !== undefined) return source;
  throw new GatewayError('NOT_FOUND', `The demo needs the source ${name}, which SOURCES_DIR does not have`);
}

async function* asLines(texts: readonly string[], before?: Promise<unknown>): AsyncGenerator<Line> {
  let number = 0;
  for (const text of texts) yield { number: ++number, text };
  await before;
}
