import type { SourceColumn } from '../../../definitions/sources/source.ts';
import {
  type FlatRows,
  type FlatValues,
  nullMark,
  valueSeparator,
} from '../../../engines/duckdb/store/insert/flat-batch.ts';
import {
  fieldPath,
  flatColumns,
  presenceName,
  recordType,
} from '../../../engines/duckdb/store/tables/flat-layout.ts';
import type { Leniency } from './leniency.ts';
import {
  arrayEncoder,
  encodeElement,
  type FieldForm,
  isObject,
  recordMembers,
  recordsOf,
  scalarType,
} from './record-members.ts';
import { type Encoder, jsonScalarEncoder, scalarEncoder } from './scalar-encoder.ts';

/**
 * Thrown for a row that can't be flat: a record occurs more than once, or a text has a character that flat rows can't
 * contain. Its other values may be invalid.
 */
const notFlat = new Error('not flat');

/** Separators of a column's text, and NUL, which ends texts in C. */
const separators = new RegExp(`[\0${nullMark}${valueSeparator}]`);

/** Collects rows in their flat form, column by column. */
export class FlatColumns {
  readonly #columns: ColumnTexts[];
  readonly #write: Encoder;
  #places: number[] = [];
  #mayBeStrange = true;
  readonly #size = { length: 0 };

  constructor(columns: readonly SourceColumn[], leniency?: Leniency) {
    const byName = new Map<string, ColumnTexts>();
    this.#columns = flatColumns(columns).map(({ name, type }) => {
      const texts = new ColumnTexts(type === 'BOOLEAN', this.#size);
      byName.set(name, texts);
      return texts;
    });
    const gathered = {
      columns: byName,
      row: () => this.#places.length,
      mayHaveSeparators: () => this.#mayBeStrange,
      leniency,
    };
    const form = (column: SourceColumn) =>
      formOf(column, { path: column.name, names: [column.name] }, gathered);
    this.#write = recordMembers(columns, form, leniency && { leniency, path: [] });
  }

  /** How many rows were added since the last `take`. */
  get rows(): number {
    return this.#places.length;
  }

  /** About how many characters their values have. */
  get length(): number {
    return this.#size.length;
  }

  /**
   * Adds a parsed row. Throws as an `Encoder` does, and adds nothing then.
   *
   * @param hasEscapes whether the row's JSON has escaped characters: otherwise, no text needs a check
   * @returns whether the row has a flat form; otherwise nothing is added, and the row may be invalid
   */
  add(row: unknown, place: number, hasEscapes: boolean): boolean {
    this.#mayBeStrange = hasEscapes;
    try {
      this.#write(row);
    } catch (error) {
      for (const column of this.#columns) column.cut(this.#places.length);
      if (error === notFlat) return false;
      throw error;
    }
    this.#places.push(place);
    return true;
  }

  /** The rows added since the last call; undefined when there are none. */
  take(): FlatRows | undefined {
    const rows = this.#places.length;
    if (rows === 0) return undefined;
    const places = this.#places.join(valueSeparator);
    this.#places = [];
    this.#size.length = 0;
    return { rows, columns: this.#columns.map((column) => column.take(rows)), places };
  }
}

/** The state shared by the forms of fields. */
interface Gathered {
  readonly columns: ReadonlyMap<string, ColumnTexts>;
  /** The index of the current row. */
  readonly row: () => number;
  readonly mayHaveSeparators: () => boolean;
  readonly leniency: Leniency | undefined;
}

/** Where a field is: the name of its column in the flat form, and the names of its records and itself. */
interface FieldPlace {
  readonly path: string;
  readonly names: readonly string[];
}

function formOf(column: SourceColumn, { path, names }: FieldPlace, gathered: Gathered): FieldForm {
  const into = (name: string) => {
    const texts = gathered.columns.get(name);
    if (texts === undefined) throw new TypeError(`no column ${name}`);
    return (text: string) => texts.set(gathered.row(), text);
  };
  const record = recordType(column.type);
  if (record === undefined) return leafForm(column, into(path), gathered);
  const presence = into(presenceName(path));
  const { leniency } = gathered;
  const members = recordMembers(
    column.fields,
    (field, i) =>
      formOf(field, { path: fieldPath(path, record, i), names: [...names, field.name] }, gathered),
    leniency && { leniency, path: names },
  );
  const writeOne = (value: unknown) => {
    // A value that is no record leaves nothing behind.
    if (!isObject(value)) return members(value);
    leniency?.onElement(names, undefined);
    presence('true');
    return members(value);
  };
  if (column.mode !== 'REPEATED') return { write: writeOne, writeAbsent: undefined };
  const writeAbsent = () => presence('false');
  return {
    write(value) {
      if (isObject(value)) return writeOne(value);
      const elements = recordsOf(value);
      if (elements.length > 1) throw notFlat;
      return elements.length === 0 ? writeAbsent() : encodeElement(writeOne, elements[0], 0);
    },
    writeAbsent,
  };
}

function leafForm(
  column: SourceColumn,
  put: (text: string) => string,
  { mayHaveSeparators }: Gathered,
): FieldForm {
  const kind = scalarType(column);
  if (column.mode === 'REPEATED') {
    const encode = arrayEncoder(jsonScalarEncoder(kind, column.isAdded));
    return { write: (value) => put(encode(value)), writeAbsent: () => put('[]') };
  }
  const encode = scalarEncoder(kind, column.isAdded);
  if (kind !== 'STRING') return { write: (value) => put(encode(value)), writeAbsent: undefined };
  return {
    write(value) {
      if (typeof value === 'string' && !mayHaveSeparators()) return put(value);
      const text = encode(value);
      if (separators.test(text)) throw notFlat;
      return put(text);
    },
    writeAbsent: undefined,
  };
}

/** The texts of one column's values. */
class ColumnTexts {
  readonly #isBoolean: boolean;
  readonly #size: { length: number };
  #texts: string[] = [];

  /** @param size to which the lengths of the texts are added */
  constructor(isBoolean: boolean, size: { length: number }) {
    this.#isBoolean = isBoolean;
    this.#size = size;
  }

  /** Sets the value of a row, after those of the rows before it. Returns no text, because the value is stored already. */
  set(row: number, text: string): string {
    this.#fill(row);
    this.#texts.push(text);
    this.#size.length += text.length;
    return '';
  }

  /** Removes the values from a row on. */
  cut(row: number): void {
    if (this.#texts.length > row) this.#texts.length = row;
  }

  take(rows: number): FlatValues {
    const texts = this.#texts;
    const [first] = texts;
    if (first === undefined) return undefined;
    this.#fill(rows);
    this.#texts = [];
    // If only removed rows had values, the rows before them are NULL.
    if (this.#isBoolean && texts.every((text) => text === first))
      return first === nullMark ? undefined : first === 'true';
    return texts.join(valueSeparator);
  }

  #fill(rows: number): void {
    for (let row = this.#texts.length; row < rows; row++) this.#texts.push(nullMark);
  }
}
