import { GatewayError } from '../errors.ts';
import type { RowStore } from '../ingest/row-store.ts';
import type { Source } from '../sources/source.ts';
import { type DemoRow, type DemoSource, demoSources } from './demo-row.ts';

/** The source whose rows are added last, so that its newest row shows how far the demo is complete. */
const lastSource: DemoSource = 'edge_logs';

/** The store in the demo: adds made-up rows, and finds the newest one. */
export class DemoStore {
  readonly #rows: RowStore;
  readonly #files: ReadonlyMap<string, string>;

  /**
   * @throws GatewayError when a source that the demo has rows for doesn't exist
   */
  constructor(rows: RowStore, sources: readonly Source[]) {
    this.#rows = rows;
    this.#files = new Map(sources.map(({ name, file }) => [name, file]));
    const missing = demoSources.find((name) => !this.#files.has(name));
    if (missing === undefined) return;
    throw new GatewayError(
      'NOT_FOUND',
      `The demo needs the source ${missing}, which SOURCES_DIR does not have`,
    );
  }

  /** Whether the store contains rows that are not the demo's. */
  async hasOtherRows(): Promise<boolean> {
    return (await this.#rows.origin()) === 'imported';
  }

  /** The instant of the newest demo row in microseconds since the epoch. Undefined if there is none. */
  newest(): Promise<bigint | undefined> {
    return this.#rows.newest(lastSource);
  }

  /**
   * Adds rows like any import, separately for each source.
   *
   * @returns the number of added rows
   * @throws GatewayError `FORBIDDEN` when the store meanwhile contains other rows, and errors of `Store.append`
   */
  async add(rows: Iterable<DemoRow>, signal = new AbortController().signal): Promise<number> {
    const lines = new Map<DemoSource, string[]>();
    for (const { source, row } of rows) {
      const ofSource = lines.get(source);
      const line = `${JSON.stringify(row)}\n`;
      if (ofSource === undefined) lines.set(source, [line]);
      else ofSource.push(line);
    }
    const add = (name: DemoSource, before?: Promise<unknown>) =>
      this.#addTo(name, bodyOf(lines.get(name) ?? [], before), signal);

    // All sources run concurrently, but the body of the edge rows ends after the others, so that they are committed
    // last.
    const others = demoSources
      .filter((name) => name !== lastSource && lines.has(name))
      .map((name) => add(name));
    const othersAreIn = Promise.all(others);
    othersAreIn.catch(() => undefined);
    const last = lines.has(lastSource) ? [add(lastSource, othersAreIn)] : [];

    let added = 0;
    for (const outcome of await Promise.allSettled([...others, ...last])) {
      if (outcome.status === 'rejected') throw outcome.reason;
      added += outcome.value;
    }
    return added;
  }

  async #addTo(name: DemoSource, body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    try {
      const options = { origin: 'demo', skipBadRows: false, signal } as const;
      return (await this.#rows.receive(name, body, options)).imported;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'BAD_USER_INPUT') throw error;
      const message = `The demo's rows do not fit the schema ${this.#files.get(name)}: ${error.message}`;
      throw new GatewayError('BAD_USER_INPUT', message, { cause: error });
    }
  }
}

/** The number of lines per chunk. */
const linesAtOnce = 1_000;

async function* bodyOf(lines: readonly string[], before?: Promise<unknown>): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < lines.length; at += linesAtOnce)
    yield Buffer.from(lines.slice(at, at + linesAtOnce).join(''));
  await before;
}
