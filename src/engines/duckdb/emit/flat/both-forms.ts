import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { columnName } from '../column-name.ts';
import type { Emitter } from '../emitter.ts';
import { fromItem, type LateColumns, type Relation, relation } from '../relation.ts';
import { recordValue } from './flat-record.ts';
import { Form } from './form.ts';

/**
 * The rows of a row-wise scan, of the table in flat form and of the one that holds the rows without one. Records that are columns of
 * the result become values here.
 *
 * @param emit emits the scan in a form
 * @throws NotFlat
 */
export function bothForms(node: ResolvedNode, emitter: Emitter, emit: (form: Form) => Relation): Relation {
  const form = new Form('flat', emitter.form);
  const flat = emit(form);
  const lists = emit(new Form('lists', emitter.form));
  const columns = node.columns('column_list').map(columnName);
  const isLate = (name: string) => flat.late?.tables.some((table) => table.columns.has(name)) === true;
  const select = (source: Relation, valueOfColumn: (name: string) => string, isFlat: boolean) => {
    const items = columns.filter((name) => !isLate(name)).map((name) => [name, valueOfColumn(name)] as const);
    const copies = [...source.times].filter(([name, copy]) => columns.includes(name) && copy !== name);
    const keys = source.order.map(({ column }, i) => [orderName(node, i), column] as const);
    const rows = flat.late === undefined ? [] : lateKeys(flat.late, lists.late, isFlat);
    const all = new Map([...items, ...copies.map(([, copy]) => [copy, copy] as const), ...keys, ...rows]);
    if (all.size === 0) all.set('c0', '1');
    const list = [...all].map(([name, sql]) => (name === sql ? sql : `${sql} AS ${name}`)).join(', ');
    return `SELECT ${list} FROM ${fromItem(source)}`;
  };
  const flatSelect = select(
    flat,
    (name) => {
      const record = form.find(name);
      return record === undefined ? name : recordValue(record);
    },
    true,
  );
  const listSelect = select(lists, (name) => name, false);
  return {
    ...relation(`(${flatSelect} UNION ALL ${listSelect})`),
    order: flat.order.map((key, i) => ({ ...key, column: orderName(node, i) })),
    times: new Map([...flat.times].filter(([name]) => columns.includes(name))),
    late: flat.late && { tables: [...flat.late.tables, ...(lists.late?.tables ?? [])] },
  };
}

/** Unique among the columns: no two scans have a column with the same id, nor the same first one. */
function orderName(node: ResolvedNode, index: number): string {
  const [first] = node.columns('column_list');
  return `s${first?.id ?? 0}_${index}`;
}

/** Each row has the key of its own table, and NULL for that of the other one. */
function lateKeys(flat: LateColumns, lists: LateColumns | undefined, isFlat: boolean): [string, string][] {
  const key = (late: LateColumns | undefined, isOwn: boolean) =>
    (late?.tables ?? []).map(({ key: name }): [string, string] => [
      name,
      isOwn ? name : 'CAST(NULL AS BIGINT)',
    ]);
  return [...key(flat, isFlat), ...key(lists, !isFlat)];
}
