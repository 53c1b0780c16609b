import { fieldUses, noFields } from '../../../../sql/plan/used-fields.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';
import { recordType } from '../../store/tables/flat-layout.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { type FlatRecord, fieldOf, recordValue } from '../emitter/flat-record.ts';
import { Form } from '../emitter/form.ts';
import {
  isLate,
  type LateColumns,
  plainColumns,
  type Relation,
  render,
  unionOf,
} from '../emitter/relation.ts';
import { project } from '../emitter/steps.ts';
import { columnName } from '../pieces/column-name.ts';
import { fieldColumn } from '../pieces/field-column.ts';
import { columnUses, usesOutside } from '../tree/column-uses.ts';

/**
 * Emits a row-wise scan over the flat table and, if it has rows, the table without a flat form. Of a record, the result
 * has the fields that the rest of the statement uses, and the whole value if that is used.
 *
 * @param emit emits the scan in a form
 * @throws NotFlat
 */
export function bothForms(node: ResolvedNode, emitter: Emitter, emit: (form: Form) => Relation): Relation {
  const form = new Form('flat', emitter.form);
  const flat = emit(form);
  const isFlatOnly = form.table !== undefined && emitter.context.isFlatOnly?.(form.table) === true;
  const lists = isFlatOnly ? undefined : emit(new Form('lists', emitter.form));
  const { whole, fields } = usesOutside(emitter.uses, columnUses(node.arrived));
  const columns = node.columns('column_list');
  // A computed record is a column in both forms, and its fields are read from that.
  const isValue = (column: ResolvedColumn) =>
    recordType(column.type) === undefined ||
    whole.has(column.id) ||
    (fields.has(column.id) && form.find(columnName(column)) === undefined);
  const values = columns.filter(isValue);
  const read = values.filter((column) => !isLate(flat, columnName(column)));
  const names = read.map(columnName);
  const recordFields = columns.flatMap((column) =>
    [...(fields.get(column.id)?.keys() ?? [])].flatMap((path) => fieldsOf(column, path, form, emitter)),
  );
  for (const { name } of recordFields) emitter.fieldColumns.add(name);
  const copies = [...flat.times].filter(([name]) => names.includes(name));
  const flatItems = read.map((column): Item => {
    const name = columnName(column);
    const record = form.find(name);
    return [name, record === undefined ? name : recordValue(record, emitter.usedFields(column))];
  });
  const ofFlat = [...flatItems, ...recordFields.map(({ name, flat: sql }): Item => [name, sql])];
  const recordsOf = new Map(
    columns
      .filter((column) => recordType(column.type) !== undefined && !isLate(flat, columnName(column)))
      .map((column) => {
        const name = columnName(column);
        const ofColumn = recordFields.filter((field) => field.column === name).map((field) => field.name);
        return [name, { isValue: names.includes(name), names: ofColumn }] as const;
      }),
  );
  if (lists === undefined)
    return { ...project(flat, plainColumns(new Map(ofFlat))), late: flat.late, fields: recordsOf };
  const select = (source: Relation, items: readonly Item[], keys: readonly Item[]) => {
    const all = [...items, ...copies.map(([, copy]): Item => [copy, copy])];
    all.push(...source.order.map(({ column }, i): Item => [orderName(node, i), column]), ...keys);
    // If nothing of a union is used, DuckDB reads its first column.
    const columns = plainColumns(new Map([['c0', '1'], ...all]));
    return render(project({ ...source, order: [], late: undefined }, columns));
  };
  const ofLists = [
    ...names.map((name): Item => [name, name]),
    ...recordFields.map(({ name, list }): Item => [name, list]),
  ];
  return {
    ...unionOf([
      select(flat, ofFlat, lateKeys(flat, lists, true)),
      select(lists, ofLists, lateKeys(flat, lists, false)),
    ]),
    order: flat.order.map((key, i) => ({ ...key, column: orderName(node, i) })),
    times: new Map(copies),
    late: flat.late && { tables: [...flat.late.tables, ...(lists.late?.tables ?? [])] },
    fields: recordsOf,
  };
}

type Item = readonly [name: string, sql: string];

/** A field of a record as a column of the result, with its SQL in each form. */
interface RecordField {
  /** The column of the record. */
  readonly column: string;
  readonly name: string;
  readonly flat: string;
  readonly list: string;
}

/** @returns nothing for a column that is also one in flat form */
function fieldsOf(column: ResolvedColumn, path: string, form: Form, emitter: Emitter): RecordField[] {
  const name = columnName(column);
  let record: FlatRecord | string | undefined = form.find(name);
  if (record === undefined) return [];
  let list = name;
  let used = emitter.usedFields(column);
  for (const position of path.split('.').map(Number)) {
    if (typeof record === 'string')
      throw new TypeError('The resolved tree is malformed: a field of no record');
    record = fieldOf(record, position);
    list = `struct_extract_at(${list}, ${position + 1})`;
    used = fieldUses(used, position) ?? noFields;
  }
  const flat = typeof record === 'string' ? record : recordValue(record, used);
  return [{ column: name, name: fieldColumn(name, path), flat, list }];
}

/** A unique name: column ids are unique to a scan, including its first one. */
function orderName(node: ResolvedNode, index: number): string {
  const [first] = node.columns('column_list');
  return `s${first?.id ?? 0}_${index}`;
}

/**
 * Each row has the key of its own table, and NULL for the other one. Unions match columns by position, so the order is
 * fixed.
 */
function lateKeys({ late }: Relation, lists: Relation | undefined, isFlat: boolean): Item[] {
  const keys = (of: LateColumns | undefined, isOwn: boolean) =>
    (of?.tables ?? []).map(({ key }): Item => [key, isOwn ? key : 'CAST(NULL AS BIGINT)']);
  return [...keys(late, isFlat), ...keys(lists?.late, !isFlat)];
}
