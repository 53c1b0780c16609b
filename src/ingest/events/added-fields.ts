import { countFields } from '../../sources/count-fields.ts';
import { NamesInGraphql } from '../../sources/names-in-graphql.ts';
import type { SourceColumn } from '../../sources/source.ts';
import type { TableField } from '../../sources/table-field.ts';
import { RowValidationError } from '../row-validation-error.ts';
import {
  addedFields,
  type InferredField,
  inferField,
  tableFieldOf,
  unitedOrRefused,
} from './inferred-field.ts';

interface PendingField {
  readonly record: readonly string[];
  /** With what is known of it from the events before. */
  readonly field: InferredField;
}

/**
 * The fields that events add to a source. Those of an event count from `commit` on, so that an event that is rejected adds
 * none. Where values of one field contradict each other, the first decides, and the event of the other one is rejected.
 */
export class AddedFields {
  readonly #columns: readonly SourceColumn[];
  readonly #maxFields: number;
  readonly #room: number;
  /** The new fields of each record, by its path in JSON. */
  #records = new Map<
    string,
    { readonly path: readonly string[]; readonly fields: Map<string, InferredField> }
  >();
  /** The names of the fields that each record has, and of those that events add to it. */
  #names = new Map<string, NamesInGraphql>();
  #count = 0;
  /** By record and name. */
  readonly #pending = new Map<string, PendingField>();
  readonly #pendingNames = new Map<string, NamesInGraphql>();
  #pendingCount = 0;

  /** @param maxFields the limit for those that the source has and those that are added, together */
  constructor(columns: readonly SourceColumn[], maxFields: number) {
    this.#columns = columns;
    this.#maxFields = maxFields;
    this.#room = maxFields - countFields(columns);
  }

  /** Forgets the fields of an event that isn't committed. */
  rollback(): void {
    this.#pending.clear();
    this.#pendingNames.clear();
    this.#pendingCount = 0;
  }

  /**
   * Adds a field of the current event.
   *
   * @throws RowValidationError for a value or a name that no field can have, for a value that contradicts one before it, and
   *   beyond the limit
   * @throws DigitsNeeded for numbers without their digits
   */
  add(record: readonly string[], name: string, value: unknown): void {
    const inferred = inferField(name, value, record.length);
    if (inferred === undefined) return;
    const known = this.#known(record, name);
    const field = known === undefined ? inferred : unitedOrRefused(known, inferred);
    this.#checkNames(record, field);
    this.#pendingCount += addedFields(inferred, known);
    if (this.#count + this.#pendingCount > this.#room) {
      const limit = this.#maxFields.toLocaleString('en');
      throw new RowValidationError(`a new field beyond the limit of ${limit} fields`, 'limit');
    }
    this.#pending.set(pendingKey(record, name), { record, field });
  }

  commit(): void {
    for (const { record, field } of this.#pending.values()) {
      this.#namesOf(record).take(field.name);
      this.#fieldsOf(record).set(field.name.toLowerCase(), field);
    }
    this.#count += this.#pendingCount;
    this.rollback();
  }

  /** The fields committed since the last call. */
  take(): TableField[] {
    const fields: TableField[] = [];
    for (const { path, fields: added } of this.#records.values()) {
      place(fields, this.#columns, path, [...added.values()].map(tableFieldOf));
    }
    this.#records = new Map();
    this.#names = new Map();
    this.#count = 0;
    this.rollback();
    return fields;
  }

  /** What the events before, and this one so far, tell of a field. */
  #known(record: readonly string[], name: string): InferredField | undefined {
    const pending = this.#pending.get(pendingKey(record, name))?.field;
    return pending ?? this.#records.get(JSON.stringify(record))?.fields.get(name.toLowerCase());
  }

  /** Endpoints that read all fields of a record would have an error otherwise, and the gateway would not start. */
  #checkNames(record: readonly string[], field: InferredField): void {
    const known = this.#known(record, field.name);
    const key = JSON.stringify(record);
    const ofEvent = this.#pendingNames.get(key) ?? new NamesInGraphql();
    this.#pendingNames.set(key, ofEvent);
    const fault =
      known === undefined
        ? (this.#namesOf(record).fault(field.name) ?? ofEvent.fault(field.name))
        : undefined;
    ofEvent.take(field.name);
    if (fault !== undefined) throw new RowValidationError(fault, 'unknown-field');
    checkInnerNames(field);
  }

  #namesOf(path: readonly string[]): NamesInGraphql {
    const key = JSON.stringify(path);
    const names =
      this.#names.get(key) ?? new NamesInGraphql(columnsAt(this.#columns, path).map(({ name }) => name));
    this.#names.set(key, names);
    return names;
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

function checkInnerNames({ fields }: InferredField): void {
  const names = new NamesInGraphql();
  for (const field of fields.values()) {
    const fault = names.fault(field.name);
    if (fault !== undefined) throw new RowValidationError(fault, 'unknown-field').within(field.name);
    names.take(field.name);
    try {
      checkInnerNames(field);
    } catch (error) {
      throw error instanceof RowValidationError ? error.within(field.name) : error;
    }
  }
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
  const record = { name, type: 'RECORD', mode: column.mode, fields: inner };
  if (at === -1) into.push(record);
  else into[at] = record;
}
