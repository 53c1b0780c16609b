import { timeColumn } from '../../../definitions/sources/row-key.ts';
import { otherNames } from '../../../definitions/sources/sent-name.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { type MutableObject, valueAt } from './field-path.ts';

const defaultPaths = ['timestamp', 'time', '@timestamp'];

/** What a row says about its time, and where. */
export interface FoundTime {
  readonly path: string;
  /** Neither null nor undefined. */
  readonly value: unknown;
}

/** Finds the time of arriving rows: in the fields that their source names, or in the usual ones. */
export class TimeField {
  /** The column that gets the time. Undefined in a reference table, whose rows have none. */
  readonly column: string | undefined;
  readonly #paths: readonly string[];
  readonly #columns: ReadonlySet<string>;

  constructor(source: Pick<Source, 'columns' | 'timestamp' | 'id'>) {
    this.column = timeColumn(source)?.name;
    this.#paths = pathsOf(source, this.column);
    this.#columns = new Set(source.columns.map(({ name }) => name.toLowerCase()));
  }

  /** The paths of fields, the first of which that a row has contains its time. */
  get paths(): readonly string[] {
    return this.#paths;
  }

  /** The first value, which is taken from the row unless it is that of a column or in a record. Undefined if there is none. */
  take(row: MutableObject): FoundTime | undefined {
    for (const path of this.#paths) {
      const found = valueAt(row, path);
      if (found === undefined) continue;
      const [key, ...inner] = found.keys;
      if (inner.length === 0 && !this.#columns.has(key.toLowerCase())) row[key] = undefined;
      return { path, value: found.value };
    }
    return undefined;
  }
}

function pathsOf(
  { columns, timestamp }: Pick<Source, 'columns' | 'timestamp'>,
  column: string | undefined,
): readonly string[] {
  if (column === undefined) return [];
  const others = columns.filter(({ name }) => name === column).flatMap(otherNames);
  if (timestamp === undefined || timestamp === null) return [...defaultPaths, ...others];
  if (column.toLowerCase() === 'timestamp') return [...timestamp, 'timestamp', ...others];
  const own = new Set(columns.map(({ name }) => name.toLowerCase()));
  return [column, ...others, ...defaultPaths.filter((path) => !own.has(path))];
}
