import { otherNames } from '../../../definitions/sources/sent-name.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import { TimeField } from '../encode/time-field.ts';
import { cellWriter } from './cell-value.ts';

/** How the fields of a text file are written for a source: by the columns that they become. */
export class FieldCells {
  readonly #source: Source;
  readonly #time: TimeField;
  readonly #known = new Map<string, ((cell: string) => string) | undefined>();

  constructor(source: Source) {
    this.#source = source;
    this.#time = new TimeField(source);
  }

  /**
   * The writer of a field that has no column of its own name, but becomes one: by `rename`, as the time or as the message of the
   * row, or by another name of a column. Undefined for other fields.
   */
  renamed(name: string): ((cell: string) => string) | undefined {
    if (!this.#known.has(name)) this.#known.set(name, this.#find(name));
    return this.#known.get(name);
  }

  #find(name: string): ((cell: string) => string) | undefined {
    const { columns, rename } = this.#source;
    const renaming = rename.find(({ from }) => from === name);
    if (renaming !== undefined) {
      const column = columnAt(columns, renaming.to.split('.'));
      return column === undefined ? JSON.stringify : cellWriter(column);
    }
    if (named(columns, name) === undefined && this.#time.paths.includes(name)) return cellWriter(ofTime);
    if (/^(?:message|msg)$/i.test(name) && named(columns, 'event_message') !== undefined)
      return JSON.stringify;
    const sent = columns.find((column) => otherNames(column).includes(name));
    return sent === undefined ? undefined : cellWriter(sent);
  }
}

const ofTime = { type: { kind: 'TIMESTAMP' }, mode: 'NULLABLE' } as const;

function columnAt(
  columns: readonly SourceColumn[],
  [name = '', ...rest]: readonly string[],
): SourceColumn | undefined {
  const column = named(columns, name);
  return rest.length === 0 || column === undefined ? column : columnAt(column.fields, rest);
}

function named(columns: readonly SourceColumn[], name: string): SourceColumn | undefined {
  return columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
}
