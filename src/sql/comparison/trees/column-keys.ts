import { hash } from 'node:crypto';
import { visitFields } from '../../plan/tree-nodes.ts';
import {
  type AnyNode,
  asList,
  asMessage,
  columnIds,
  fieldsOf,
  idOf,
  messages,
  unwrap,
} from '../../resolved/node.ts';
import { isMessage } from './rebuilt.ts';

/** Fields that depend on how a query is written, or repeat what other fields say. */
const ignored: ReadonlySet<string> = new Set([
  'parse_location_range',
  'alias',
  'serialization_id',
  'float_literal_id',
  'has_explicit_type',
  'signature',
  'function_call_info',
  'parameter_list',
  'is_correlated',
  'column_list',
]);

/** Longer keys are replaced by their digests. */
const longest = 120;

/**
 * Keys of the parts of a statement, which don't depend on numbers and names of its columns: a column's key is made of what it is
 * computed from. Equal parts of two statements have the same key. Different parts can have the same, too, such as the same column
 * of a table that is read twice: keys bring parts into an order, and don't prove that they are equal.
 */
export class ColumnKeys {
  readonly #definitions = new Map<string, () => string>();
  readonly #columns = new Map<string, string>();
  readonly #parts = new WeakMap<object, string>();

  constructor(statement: AnyNode) {
    const entries = new Map<string, AnyNode>();
    const define = (column: unknown, key: () => string) => this.#definitions.set(idOf(column), key);
    visitFields(statement, new Set(['type', 'value']), (field, value) => {
      if (typeof value !== 'object' || value === null) return;
      if (Array.isArray(value)) {
        for (const item of value)
          if (isMessage(item) && isMessage(item.column) && isMessage(item.expr)) {
            const { expr } = item;
            define(item.column, () => this.of(expr));
          }
        if (field === 'with_entry_list')
          for (const item of value)
            entries.set(String(asMessage(item, field).with_query_name), asMessage(item, field));
        return;
      }
      const node = value as AnyNode;
      if (field === 'resolved_table_scan_node') {
        const { name, full_name } = asMessage(fieldsOf(node).table, 'table');
        for (const column of messages(fieldsOf(node), 'column_list'))
          define(column, () => `${String(full_name || name)}:${String(column.name)}`);
      } else if (field === 'resolved_with_ref_scan_node') {
        const name = String(fieldsOf(node).with_query_name);
        for (const [position, column] of messages(fieldsOf(node), 'column_list').entries())
          define(column, () => {
            const subquery = entries.get(name)?.with_subquery;
            if (!isMessage(subquery)) return '?';
            const id = columnIds(unwrap(subquery).message)[position];
            return id === undefined ? '?' : this.#column(id);
          });
      } else if (field === 'resolved_array_scan_node') {
        const { array_expr_list, array_expr, element_column, element_column_list } = fieldsOf(node);
        const elements = [element_column, ...asList(element_column_list, 'element_column_list')];
        for (const column of elements)
          if (isMessage(column)) define(column, () => `element ${this.of(array_expr_list ?? array_expr)}`);
      }
    });
  }

  /** The key of a part. */
  of(part: unknown): string {
    // JSON has neither -0 nor NaN.
    if (typeof part === 'number') return Object.is(part, -0) ? '-0' : String(part);
    if (typeof part !== 'object' || part === null)
      return typeof part === 'string' ? JSON.stringify(part) : String(part);
    let key = this.#parts.get(part);
    if (key === undefined) {
      key = shortened(this.#written(part));
      this.#parts.set(part, key);
    }
    return key;
  }

  #written(part: object): string {
    if (Array.isArray(part)) return `[${part.map((each) => this.of(each)).join()}]`;
    if (ArrayBuffer.isView(part))
      return Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('base64');
    const message = part as AnyNode;
    if (message.column_id !== undefined) return this.#column(idOf(message));
    const fields = Object.entries(message).filter(
      ([field, value]) => !ignored.has(field) && value !== undefined && value !== null,
    );
    return `{${fields.map(([field, value]) => `${field}:${this.of(value)}`).join()}}`;
  }

  #column(id: string): string {
    const known = this.#columns.get(id);
    if (known !== undefined) return known;
    // A column that is defined by itself, as in recursion, has no key of its own.
    this.#columns.set(id, '?');
    const key = this.#definitions.get(id)?.() ?? '?';
    this.#columns.set(id, key);
    return key;
  }
}

function shortened(key: string): string {
  return key.length <= longest ? key : hash('sha256', key, 'base64url');
}
