import { JsonNumber } from '../../../base/text/json-number.ts';
import { FieldNames, sentDescription } from '../../../definitions/sources/sent-name.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';
import { maxRecordDepth } from '../../../definitions/sources/table-field.ts';
import { SeenScalars } from './seen-scalars.ts';

/** Called with what a person should know about a field of the proposal. */
type Note = (path: string, text: string) => void;

/** The maximum number of fields. A stream of ever new names ends there. */
const maxFields = 10_000;

/** A record with more fields, most of which are in few of the records, is an object whose names are data. */
const maxSparseFields = 100;
const sparse = 0.1;

/** Thrown for rows that no schema can be proposed for. */
export class NotInferable extends Error {
  override readonly name = 'NotInferable';
}

/** What the values of a field were in all rows so far. */
class Seen {
  /** How many rows, or records, had a value other than null. */
  count = 0;
  /** Whether there was a list, an object outside of lists, and another value outside of them. */
  isList = false;
  isObject = false;
  isSingle = false;
  /** Whether there was a list in a list, or null in one. */
  isUntyped = false;
  readonly scalars = new SeenScalars();
  record: SeenRecord | undefined;
}

/** Collects the fields of records, and proposes a schema for them. */
export class SeenRecord {
  readonly #fields = new Map<string, Seen>();
  /** By the names in lower case. */
  readonly #folded = new Map<string, string>();
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

  /** Adds a record as `JSON.parse` or `parseWithDigits` returns it. */
  add(record: object, depth = 0): void {
    this.#records += 1;
    for (const [name, value] of Object.entries(record)) {
      const seen = this.#fields.get(name) ?? this.#seen(name);
      if (value === null) continue;
      seen.count += 1;
      if (!Array.isArray(value)) {
        if (isRecord(value)) seen.isObject = true;
        else seen.isSingle = true;
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

  /** Fields have the names that they were first spelt with. */
  #seen(name: string): Seen {
    const first = this.#folded.get(name.toLowerCase());
    const known = first === undefined ? undefined : this.#fields.get(first);
    if (known !== undefined) return known;
    this.#counter.fields += 1;
    if (this.#counter.fields > maxFields)
      throw new NotInferable(`The rows have more than ${maxFields.toLocaleString('en')} fields.`);
    const seen = new Seen();
    this.#fields.set(name, seen);
    this.#folded.set(name.toLowerCase(), name);
    return seen;
  }

  #addValue(seen: Seen, name: string, value: unknown, depth: number): void {
    if (!isRecord(value)) {
      seen.scalars.add(value);
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
   * The fields, in the order in which they were first seen. Those whose names a column can't have get others, by which rows
   * still find them.
   *
   * @param hasTextsOnly whether all scalars were texts in the file, so that a text column takes each of them
   */
  propose(note: Note, hasTextsOnly: boolean): TableField[] {
    const names = new FieldNames([], this.#path === '').assign([...this.#fields.keys()]);
    return [...this.#fields].map(([sent, seen]) => {
      const path = `${this.#path}${sent}`;
      const name = names.get(sent) ?? sent;
      const { facts, ...field } = proposed(sent, seen, {
        hasTextsOnly,
        path,
        note,
        isFew: this.#records < 2,
      });
      const description = name === sent ? facts.join(' ') : sentDescription(sent);
      return { name, ...field, ...(description !== '' && { description }) };
    });
  }

  /** Whether most fields are in few of the records. */
  get isSparse(): boolean {
    if (this.#fields.size <= maxSparseFields) return false;
    const rare = [...this.#fields.values()].filter(({ count }) => count < sparse * this.#records);
    return rare.length > this.#fields.size / 2;
  }

  /** Whether no value of this field was there twice, as far as they were compared. */
  isDistinct(name: string): boolean {
    return this.#named(name)?.scalars.isDistinct ?? false;
  }

  /** Whether all records had a value in this field. */
  isAlways(name: string): boolean {
    return this.#named(name)?.count === this.#records;
  }

  /** The first and the last time of this field, in microseconds since 1970, if its values are times. */
  timesOf(name: string): readonly [bigint, bigint] | undefined {
    return this.#named(name)?.scalars.times;
  }

  #named(name: string): Seen | undefined {
    return this.#fields.get(this.#folded.get(name.toLowerCase()) ?? name);
  }
}

interface ProposalContext {
  readonly hasTextsOnly: boolean;
  readonly path: string;
  readonly note: Note;
  /** Whether there are too few records to tell ranges. */
  readonly isFew: boolean;
}

function proposed(
  name: string,
  seen: Seen,
  { hasTextsOnly, path, note, isFew }: ProposalContext,
): Omit<TableField, 'name' | 'description'> & { readonly facts: readonly string[] } {
  const asJson = (text: string) => {
    note(path, `${text}; JSON takes all of them`);
    const [first = '', ...rest] = text;
    return { type: 'JSON', mode: 'NULLABLE' as const, facts: [`${first.toUpperCase()}${rest.join('')}.`] };
  };
  if (seen.isUntyped) return asJson('some values are lists in lists, or lists with null');
  const mode = seen.isList ? 'REPEATED' : 'NULLABLE';
  if (seen.record !== undefined) {
    if (seen.scalars.count > 0) return asJson('some values are records and others are not');
    if (seen.record.isSparse) return asJson('its records have ever other fields');
    const fields = seen.record.propose(note, hasTextsOnly);
    if (fields.length === 0) return asJson('its records have no fields');
    return { type: 'RECORD', mode, fields, facts: [] };
  }
  if (seen.isList && seen.isSingle) return asJson('some values are lists and others are not');
  const { type, facts, note: said } = seen.scalars.propose(name, hasTextsOnly);
  if (said !== undefined) note(path, said);
  if (type === undefined) return asJson('its values have several types');
  if (seen.scalars.count === 0) note(path, 'it has no values; STRING is a guess');
  return { type, mode, facts: isFew ? [] : facts };
}

/** Whether a value is an object or an array. */
export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof JsonNumber);
}
