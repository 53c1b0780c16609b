import { JsonNumber } from '../../../base/text/json-number.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';
import { isColumnName, maxRecordDepth } from '../../../definitions/sources/table-field.ts';
import { microsOfText } from '../encode/time-of-text.ts';

const [minInt64, maxInt64] = [-(2n ** 63n), 2n ** 63n - 1n];

/** RFC 3339, with an offset: other texts that GoogleSQL could cast, such as dates, stay texts. */
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Called with what a person should know about a field of the proposal. */
type Note = (path: string, text: string) => void;

/** The maximum number of fields. A stream of ever new names ends there. */
const maxFields = 10_000;

/** Thrown for rows that no schema can be proposed for. */
export class NotInferable extends Error {
  override readonly name = 'NotInferable';
}

/** What the values of a field were in all rows so far. */
class Seen {
  /** How many rows, or records, had a value other than null. */
  count = 0;
  /** Whether there was a list, and a value that is not one. */
  isList = false;
  isSingle = false;
  /** Whether there was a list in a list, or null in one. */
  isUntyped = false;
  readonly kinds = new Set<ValueKind>();
  record: SeenRecord | undefined;
}

/** Collects the fields of records, and proposes a schema for them. */
export class SeenRecord {
  readonly #fields = new Map<string, Seen>();
  /** As first spelt. */
  readonly #names = new Map<string, string>();
  readonly #path: string;
  readonly #counter: { fields: number };
  #records = 0;

  constructor(path = '', counter = { fields: 0 }) {
    this.#path = path;
    this.#counter = counter;
  }

  /** How many records were seen. */
  get records(): number {
    return this.#records;
  }

  /** Adds a record as `parseWithDigits` returns it. */
  add(record: object, depth = 0): void {
    this.#records += 1;
    for (const [name, value] of Object.entries(record)) {
      const seen = this.#seen(name);
      if (value === null) continue;
      seen.count += 1;
      if (!Array.isArray(value)) {
        if (!isRecord(value)) seen.isSingle = true;
        this.#addValue(seen, name, value, depth);
        continue;
      }
      seen.isList = true;
      for (const element of value) {
        if (element === null || Array.isArray(element)) seen.isUntyped = true;
        else this.#addValue(seen, name, element, depth);
      }
    }
  }

  #seen(name: string): Seen {
    const known = this.#fields.get(name.toLowerCase());
    if (known !== undefined) return known;
    this.#counter.fields += 1;
    if (this.#counter.fields > maxFields)
      throw new NotInferable(`The rows have more than ${maxFields.toLocaleString('en')} fields.`);
    const seen = new Seen();
    this.#fields.set(name.toLowerCase(), seen);
    this.#names.set(name.toLowerCase(), name);
    return seen;
  }

  #addValue(seen: Seen, name: string, value: unknown, depth: number): void {
    if (!isRecord(value)) {
      seen.kinds.add(kindOfValue(value));
      return;
    }
    if (depth >= maxRecordDepth)
      throw new NotInferable(
        `${this.#path}${name}: records are nested more than ${maxRecordDepth} levels deep.`,
      );
    seen.record ??= new SeenRecord(`${this.#path}${name}.`, this.#counter);
    seen.record.add(value, depth + 1);
  }

  /**
   * The fields, in the order in which they were first seen.
   *
   * @param hasTextsOnly whether all scalars were texts in the file, so that a text column takes each of them
   */
  propose(note: Note, hasTextsOnly: boolean): TableField[] {
    return [...this.#fields].flatMap(([folded, seen]) => {
      const name = this.#names.get(folded) ?? folded;
      const path = `${this.#path}${name}`;
      if (!isColumnName(name)) {
        note(path, 'columns can’t have this name; it is left out. `rename` can give it another name');
        return [];
      }
      return [proposed({ name, path, seen, note, hasTextsOnly })];
    });
  }

  /** Whether any record had a value in this field. */
  isEver(name: string): boolean {
    return (this.#fields.get(name.toLowerCase())?.count ?? 0) > 0;
  }

  /** Whether all records had a value in this field. */
  isAlways(name: string): boolean {
    return this.#fields.get(name.toLowerCase())?.count === this.#records;
  }
}

interface Proposal {
  readonly name: string;
  readonly path: string;
  readonly seen: Seen;
  readonly note: Note;
  readonly hasTextsOnly: boolean;
}

function proposed({ name, path, seen, note, hasTextsOnly }: Proposal): TableField {
  const asJson = (text: string): TableField => {
    note(path, `${text}; JSON takes all of them`);
    return { name, type: 'JSON', mode: 'NULLABLE' };
  };
  if (seen.isUntyped) return asJson('some values are lists in lists, or lists with null');
  const mode = seen.isList ? 'REPEATED' : 'NULLABLE';
  if (seen.record !== undefined) {
    if (seen.kinds.size > 0) return asJson('some values are records and others are not');
    const fields = seen.record.propose(note, hasTextsOnly);
    if (fields.length === 0) return asJson('its records have no fields');
    return { name, type: 'RECORD', mode: 'REPEATED', fields };
  }
  if (seen.isList && seen.isSingle) return asJson('some values are lists and others are not');
  const type = scalarType(seen.kinds, hasTextsOnly);
  if (type === undefined) return asJson('its values have several types');
  if (seen.kinds.size === 0) note(path, 'it has no values; STRING is a guess');
  return { name, type, mode };
}

function scalarType(kinds: ReadonlySet<ValueKind>, hasTextsOnly: boolean): string | undefined {
  const all = (...allowed: readonly ValueKind[]) => [...kinds].every((kind) => allowed.includes(kind));
  if (kinds.size === 0) return 'STRING';
  if (all('bool')) return 'BOOL';
  if (all('integer')) return 'INT64';
  if (all('integer', 'number')) return 'FLOAT64';
  if (all('time')) return 'TIMESTAMP';
  return hasTextsOnly || all('time', 'text') ? 'STRING' : undefined;
}

/** Whether a value of `parseWithDigits` is an object or an array. */
export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof JsonNumber);
}

/** What a scalar value can be. Each `time` is a text. */
type ValueKind = 'bool' | 'integer' | 'number' | 'time' | 'text';

/** The kind of a scalar other than null. Numbers come with their digits. */
function kindOfValue(value: unknown): ValueKind {
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof JsonNumber) {
    if (!/^-?\d+$/.test(value.text)) return 'number';
    const whole = BigInt(value.text);
    return whole >= minInt64 && whole <= maxInt64 ? 'integer' : 'number';
  }
  const text = String(value);
  return rfc3339.test(text) && microsOfText(text) !== undefined ? 'time' : 'text';
}
