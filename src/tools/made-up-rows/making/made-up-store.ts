import { GatewayError } from '../../../base/errors/errors.ts';
import type { JsonWith } from '../../../base/text/exact-json.ts';
import type { RowStore } from '../../../rows/ingest/row-store.ts';

/** A store that gets made-up rows, and no others. */
export class MadeUpStore {
  readonly #rows: RowStore;
  readonly #fileOf: (source: string) => string | undefined;

  /** @param fileOf returns the schema file of a source, for messages */
  constructor(rows: RowStore, fileOf: (source: string) => string | undefined) {
    this.#rows = rows;
    this.#fileOf = fileOf;
  }

  /** Whether the store contains rows that are not made up. */
  async hasOtherRows(): Promise<boolean> {
    return (await this.#rows.origin()) === 'imported';
  }

  /**
   * Adds rows like any import, separately for each source.
   *
   * @param lastSource the source whose rows are committed after all others, if any
   * @returns the number of added rows
   * @throws GatewayError `FORBIDDEN` when the store meanwhile contains other rows, and errors of `Store.append`
   */
  async add(
    rows: Iterable<MadeUpRow>,
    signal = new AbortController().signal,
    lastSource?: string,
  ): Promise<number> {
    const lines = new Map<string, string[]>();
    for (const { source, row } of rows) {
      const ofSource = lines.get(source);
      const line = `${JSON.stringify(row)}\n`;
      if (ofSource === undefined) lines.set(source, [line]);
      else ofSource.push(line);
    }
    const add = (name: string, before?: Promise<unknown>) =>
      this.#addTo(name, bodyOf(lines.get(name) ?? [], before), signal);

    // All sources run concurrently, but the body of the last one ends after the others.
    const others = [...lines.keys()].filter((name) => name !== lastSource).map((name) => add(name));
    const othersAreIn = Promise.all(others);
    othersAreIn.catch(() => undefined);
    const last = lastSource !== undefined && lines.has(lastSource) ? [add(lastSource, othersAreIn)] : [];

    let added = 0;
    for (const outcome of await Promise.allSettled([...others, ...last])) {
      if (outcome.status === 'rejected') throw outcome.reason;
      added += outcome.value;
    }
    return added;
  }

  async #addTo(name: string, body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    try {
      const options = { origin: 'demo', skipBadRows: false, signal } as const;
      return (await this.#rows.receive(name, body, options)).imported;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'BAD_USER_INPUT') throw error;
      const message = `The made-up rows do not fit the schema ${this.#fileOf(name) ?? name}: ${error.message}`;
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

/** A value of a made-up row. */
export type MadeUpValue = JsonWith<number>;

/** A made-up row. */
export interface MadeUpRow {
  /** The name of its source. */
  readonly source: string;
  /** The row's timestamp, in microseconds since the epoch. */
  readonly at: number;
  /** In the form of the source's schema. An absent field is NULL. */
  readonly row: { readonly [column: string]: MadeUpValue };
}
