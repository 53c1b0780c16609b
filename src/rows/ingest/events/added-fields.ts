import type { SourceColumn } from '../../../definitions/sources/source.ts';
import { countFields } from '../../../definitions/sources/source.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';
import { RowValidationError } from '../encode/row-validation-error.ts';
import {
  addedFields,
  type InferredField,
  inferField,
  newTableFields,
  unitedOrRefused,
} from './inferred-field.ts';

interface PendingField {
  readonly record: readonly string[];
  /** With what is known of it from the events before. */
  readonly field: InferredField;
}

/** How many fields may be new. */
export interface NewFieldLimits {
  /** Fields of a source, with those that are added. */
  readonly maxFields: number;
  /** Fields that one body adds to a source. */
  readonly maxNewFields: number;
}

/**
 * The fields that events add to a source, by the names that they have there. Those of an event count from `commit` on, so
 * that an event that is rejected adds none. Where values of one field contradict each other, the first decides.
 */
export class AddedFields {
  readonly #columns: readonly SourceColumn[];
  readonly #limits: NewFieldLimits;
  readonly #room: number;
  /** The new fields of each record, by its path in JSON. */
  #records = new Map<
    string,
    { readonly path: readonly string[]; readonly fields: Map<string, InferredField> }
  >();
  #count = 0;
  /** How many fields of the body have been added already. */
  #before = 0;
  /** By record and name. */
  readonly #pending = new Map<string, PendingField>();
  #pendingCount = 0;

  /** @param reserved for how many columns `addJson` is called */
  constructor(columns: readonly SourceColumn[], limits: NewFieldLimits, reserved: number) {
    this.#columns = columns;
    this.#limits = limits;
    this.#room = limits.maxFields - countFields(columns) - reserved;
  }

  /**
   * Begins with an event.
   *
   * @param before how many fields of its body have been added already
   */
  begin(before: number): void {
    this.rollback();
    this.#before = before;
  }

  /** Forgets the fields of an event that isn't committed. */
  rollback(): void {
    this.#pending.clear();
    this.#pendingCount = 0;
  }

  /**
   * Adds a field of the current event. Adds nothing if it throws.
   *
   * @throws RowValidationError for a value that no field can have or that contradicts one before it, and beyond the limits
   * @throws DigitsNeeded for numbers without their digits
   */
  add(record: readonly string[], name: string, value: unknown): void {
    const inferred = inferField(name, value, record.length);
    if (inferred === undefined) return;
    const known = this.#known(record, name);
    const field = known === undefined ? inferred : unitedOrRefused(known, inferred);
    const count = this.#pendingCount + addedFields(inferred, known);
    this.#checkCount(this.#count + count);
    this.#pendingCount = count;
    this.#pending.set(pendingKey(record, name), { record, field });
  }

  /** Adds a column of type JSON, whatever the limits: it takes what they keep out. */
  addJson(name: string): void {
    const field: InferredField = { name, type: 'JSON', isRepeated: false, fields: new Map() };
    this.#pending.set(pendingKey([], name), { record: [], field });
  }

  commit(): void {
    for (const { record, field } of this.#pending.values())
      this.#fieldsOf(record).set(field.name.toLowerCase(), field);
    this.#count += this.#pendingCount;
    this.rollback();
  }

  /** The fields committed since the last call. */
  take(): TableField[] {
    const fields: TableField[] = [];
    for (const { path, fields: added } of this.#records.values()) {
      const taken = columnsAt(this.#columns, path).map(({ name }) => name);
      place(fields, this.#columns, path, newTableFields([...added.values()], taken, path.length));
    }
    this.#records = new Map();
    this.#count = 0;
    this.rollback();
    return fields;
  }

  #checkCount(count: number): void {
    const { maxFields, maxNewFields } = this.#limits;
    const fault = (limit: number, what: string) =>
      new RowValidationError(
        `a new field beyond the limit of ${limit.toLocaleString('en')} ${what}`,
        'limit',
      );
    if (this.#before + count > maxNewFields) throw fault(maxNewFields, 'new fields of a body');
    if (count > this.#room) throw fault(maxFields, 'fields');
  }

  /** What the events before, and this one so far, tell of a field. */
  #known(record: readonly string[], name: string): InferredField | undefined {
    const pending = this.#pending.get(pendingKey(record, name))?.field;
    return pending ?? this.#records.get(JSON.stringify(record))?.fields.get(name.toLowerCase());
  }

  #fieldsOf(path: readonly string[]): Map<string, InferredField> {
    const key = JSON.stringify(path);
    const record = this.#records.get(key) ?? { path, fields: new Map<string, InferredField>() };
    this.#records.set(key, record);
    return record.fields;
  }
}

function pendingKey(record: readonly string[], name: string): string {
  return JSON.stringify([...record, name.toLowerCase()]);
}

/** The columns of the record at a path, which the source has. */
function columnsAt(columns: readonly SourceColumn[], path: readonly string[]): readonly SourceColumn[] {
  return path.reduce((inner, name) => inner.find((column) => column.name === name)?.fields ?? [], columns);
}

/** Places new fields in the record at a path, which the source has. */
function place(
  into: TableField[],
  columns: readonly SourceColumn[],
  [name, ...rest]: readonly string[],
  added: readonly TableField[],
): void {
  if (name === undefined) {
    into.push(...added);
    return;
  }
  const column = columns.find((candidate) => candidate.name === name);
  if (column === undefined) throw new TypeError(`no record ${name}`);
  const at = into.findIndex((field) => field.name === name);
  const inner = [...(into[at]?.fields ?? [])];
  place(inner, column.fields, rest, added);
  const { mode, description } = column;
  const record = {
    name,
    type: 'RECORD',
    mode,
    ...(description !== undefined && { description }),
    fields: inner,
  };
  if (at === -1) into.push(record);
  else into[at] = record;
}
