import { hash } from 'node:crypto';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { isoMicros } from '../making/instant.ts';
import type { MadeUpRow, MadeUpStore, MadeUpValue } from '../making/made-up-store.ts';
import { Random, seededRandom } from '../making/random.ts';
import type { Period } from '../making/row-ticker.ts';
import { columnMaker } from './column-maker.ts';
import { type ExampleValues, exampleValues } from './example-values.ts';

/** What rows are made from. Both may change while rows are made. */
export interface RowSchema {
  readonly sources: readonly Source[];
  /** The endpoints, whose examples occur in rows. */
  readonly endpoints: readonly Pick<Endpoint, 'parameters'>[];
}

export interface SchemaFillerOptions {
  /** The number of rows that each source starts with. */
  readonly rowsPerSource: number;
  /** The same seed gives the same rows for the same time. */
  readonly seed: number;
  /** The time before the present in which the first rows are, in days, of sources without a `retentionDays`. */
  readonly days: number;
}

const microsPerHour = 3_600_000_000;
const microsPerDay = 24 * microsPerHour;
const microsPerSecond = 1_000_000;

/** Rows that are added at once. */
const rowsAtOnce = 10_000;

/** Adds made-up rows of any sources to a store. */
export class SchemaFiller {
  readonly #store: MadeUpStore;
  readonly #options: SchemaFillerOptions;
  /** The randomness of each source, by its name. It continues when the source changes, so that ids stay unique. */
  readonly #randoms = new Map<string, Random>();
  /** The names of the sources whose first rows are in the store. */
  readonly #filled = new Set<string>();

  constructor(store: MadeUpStore, options: SchemaFillerOptions) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * Adds the first rows of the sources that had none yet: half of them in the last hour, the others in the days before.
   *
   * @param now the current time, in microseconds since the epoch
   * @param onProgress called with the number of added rows, and that of all
   * @returns the number of added rows
   * @throws the signal's reason; errors of `MadeUpStore.add`
   */
  async fill(
    schema: RowSchema,
    now: bigint,
    { signal, onProgress }: { signal?: AbortSignal; onProgress?: (done: number, all: number) => void } = {},
  ): Promise<number> {
    const { rowsPerSource: count } = this.#options;
    const empty = schema.sources.filter(({ name }) => !this.#filled.has(name));
    const all = empty.length * count;
    let added = 0;
    for (const source of empty) {
      const random = this.#randomOf(source);
      const instants = this.#firstInstants(source, Number(now), random);
      const rows = this.#rows(source, schema)(instants, random);
      for (let done = 0; done < count; done += rowsAtOnce) {
        signal?.throwIfAborted();
        onProgress?.(added, all);
        added += await this.#store.add(rows.take(Math.min(rowsAtOnce, count - done)), signal);
      }
      this.#filled.add(source.name);
    }
    onProgress?.(all, all);
    return added;
  }

  /**
   * Adds about a row per second to each source, and the first rows to new ones.
   *
   * @throws errors of `MadeUpStore.add`
   */
  async add(schema: RowSchema, { from, to }: Period): Promise<void> {
    const rows: MadeUpRow[] = [];
    for (const source of schema.sources.filter(({ name }) => this.#filled.has(name))) {
      const random = this.#randomOf(source);
      const count = random.count(Number(to - from) / microsPerSecond);
      rows.push(...this.#rows(source, schema)(instants(random, count, Number(from), Number(to)), random));
    }
    await this.#store.add(rows);
    await this.fill(schema, to);
  }

  #rows(source: Source, { endpoints }: RowSchema) {
    return schemaRows(source, exampleValues(endpoints));
  }

  #firstInstants({ retentionDays }: Source, now: number, random: Random): readonly number[] {
    const { rowsPerSource, days } = this.#options;
    const recent = Math.ceil(rowsPerSource / 2);
    const hour = now - microsPerHour;
    // Rows at the border would be deleted soon.
    const start = now - Math.min(days, retentionDays ?? days) * microsPerDay + microsPerHour;
    return [...instants(random, rowsPerSource - recent, start, hour), ...instants(random, recent, hour, now)];
  }

  #randomOf({ name }: Source): Random {
    const known = this.#randoms.get(name);
    if (known !== undefined) return known;
    const digits = hash('sha256', `${this.#options.seed} ${name}`).slice(0, 8);
    const random = new Random(seededRandom(Number.parseInt(digits, 16)));
    this.#randoms.set(name, random);
    return random;
  }
}

/** Instants of a period, in order. Its end is excluded. */
function instants(random: Random, count: number, from: number, to: number): number[] {
  return Array.from({ length: count }, () => random.integer(from, to - 1)).sort((a, b) => a - b);
}

/**
 * Makes up rows from the names, types and modes of a source's columns.
 *
 * @returns makes a row for each instant, in microseconds since the epoch
 */
export function schemaRows(
  source: Source,
  examples: ExampleValues,
): (instants: readonly number[], random: Random) => Generator<MadeUpRow> {
  const makers = source.columns
    .filter(({ name }) => !isOwn(name))
    .map((column) => [column.name, columnMaker(column, examples)] as const);
  const spelling = (wanted: string) =>
    source.columns.find(({ name }) => name.toLowerCase() === wanted)?.name ?? wanted;
  const [id, timestamp] = [spelling('id'), spelling('timestamp')];
  return function* (instants, random) {
    for (const at of instants) {
      const row: Record<string, MadeUpValue> = { [id]: random.uuid(), [timestamp]: isoMicros(at) };
      for (const [name, make] of makers) row[name] = make(random, at);
      yield { source: source.name, at, row };
    }
  };
}

/** Every row has an id and a time of its own. */
function isOwn(column: string): boolean {
  return ['id', 'timestamp'].includes(column.toLowerCase());
}
