import { hash } from 'node:crypto';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import { idColumn, isReference, timeColumn } from '../../../definitions/sources/row-key.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import { isoMicros } from '../making/instant.ts';
import type { MadeUpRow, MadeUpStore, MadeUpValue } from '../making/made-up-store.ts';
import { Random, seededRandom } from '../making/random.ts';
import type { Period } from '../making/row-ticker.ts';
import { columnMaker } from './column-maker.ts';
import { type ExampleValues, exampleValues } from './example-values.ts';
import type { Maker } from './made-up-text.ts';

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

/** Rows of a reference table at most. */
const referenceRows = 400;

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
    const { rowsPerSource } = this.#options;
    const empty = schema.sources.filter(({ name }) => !this.#filled.has(name));
    const countOf = (source: Source) =>
      isReference(source) ? Math.min(referenceRows, rowsPerSource) : rowsPerSource;
    const all = empty.reduce((sum, source) => sum + countOf(source), 0);
    let added = 0;
    for (const source of empty) {
      const count = countOf(source);
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
   * Adds about a row per second to each source whose rows have times, and the first rows to new ones.
   *
   * @throws errors of `MadeUpStore.add`
   */
  async add(schema: RowSchema, { from, to }: Period): Promise<void> {
    const rows: MadeUpRow[] = [];
    const growing = schema.sources.filter((source) => this.#filled.has(source.name) && !isReference(source));
    for (const source of growing) {
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
  const [time, id] = [timeColumn(source), idColumn(source)];
  const makerOf = (column: SourceColumn): Maker<MadeUpValue> => {
    if (column === time) return timeMaker(column);
    const isRequired = column === id && column.mode === 'NULLABLE';
    const usual = columnMaker(isRequired ? { ...column, mode: 'REQUIRED' } : column, examples);
    // Other tables refer to rows of a reference table by values that they make as well.
    return column === id && time !== undefined ? idMaker(column, usual) : usual;
  };
  // Every row begins with its key.
  const inOrder = [id, time, ...source.columns.filter((column) => column !== id && column !== time)];
  const makers = inOrder
    .filter((column) => column !== undefined)
    .map((column) => [column.name, makerOf(column)] as const);
  return function* (instants, random) {
    for (const at of instants) {
      const row: Record<string, MadeUpValue> = {};
      for (const [name, make] of makers) row[name] = make(random, at);
      yield { source: source.name, at, row };
    }
  };
}

function timeMaker({ type }: SourceColumn): Maker<MadeUpValue> {
  if (type.kind === 'DATE') return (_, at) => isoMicros(at).slice(0, 'YYYY-MM-DD'.length);
  return type.kind === 'DATETIME' ? (_, at) => isoMicros(at).slice(0, -1) : (_, at) => isoMicros(at);
}

/** Ids that hardly occur twice, where a type has many values. */
function idMaker({ type }: SourceColumn, usual: Maker<MadeUpValue>): Maker<MadeUpValue> {
  switch (type.kind) {
    case 'STRING':
      return (random) => random.uuid();
    case 'INT64':
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return (random) => random.integer(1, 2 ** 48);
    case 'TIMESTAMP':
      return (_, at) => isoMicros(at);
    default:
      return usual;
  }
}
