import { bothUses, fieldUses, noFields, type UsedFields, usesAt } from '../../../../sql/plan/used-fields.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../../../../sql/resolved/node.ts';
import { functionCall } from '../../fold/expression.ts';
import { elementPosition } from '../tree/element-calls.ts';
import { columnId, scanColumns } from '../tree/scan-columns.ts';

/** Fields of a tree that name columns without using them. Uses of a correlated column are in the subquery. */
const passing = new Set([
  'type',
  'column_list',
  'signature',
  'value',
  'table',
  'function',
  'element_column',
  'parameter_list',
]);

/** Scans that pass columns on by position. */
const byPosition = new Set(['subquery', 'scan']);

/** A column and a path of positions to a field in it. Elements of arrays have no position in the path. */
interface Path {
  readonly column: number;
  readonly fields: readonly number[];
}

/**
 * Determines what a statement uses of its columns, through `UNNEST`, projections, and references to entries of `WITH`.
 * Anything not known to use less uses all.
 *
 * @param wanted the wanted fields of a result row
 * @returns the uses of each column, by its id
 */
export function usedFields(statement: AnyNode, wanted: UsedFields = 'all'): (column: number) => UsedFields {
  const uses = new StatementUses(wanted);
  uses.visit(statement);
  const found = new Map<number, UsedFields>();
  return function usesOf(column: number): UsedFields {
    const known = found.get(column);
    if (known !== undefined) return known;
    const parts = uses.parts.get(column) ?? [];
    const all = parts
      .map(({ fields, column: part }) => usesAt(fields, usesOf(part)))
      .reduce(bothUses, uses.direct.get(column) ?? noFields);
    found.set(column, all);
    return all;
  };
}

/** The findings of one walk through a statement. */
class StatementUses {
  readonly direct = new Map<number, UsedFields>();
  /** Columns that are equal to another column or a part of it. */
  readonly parts = new Map<number, Path[]>();
  readonly #wanted: UsedFields;
  /** The columns of the entries of `WITH`, by the entries' names. */
  readonly #entries = new Map<string, readonly number[]>();

  constructor(wanted: UsedFields) {
    this.#wanted = wanted;
  }

  visit(statement: AnyNode): void {
    const references: AnyNode[] = [];
    const pending: unknown[] = [statement];
    while (pending.length > 0) {
      const next = pending.pop();
      if (Array.isArray(next)) for (const element of next) pending.push(element);
      else if (typeof next === 'object' && next !== null && !ArrayBuffer.isView(next)) {
        const message = next as AnyNode;
        if (this.#expression(message)) continue;
        if ('with_query_name' in message && !('with_subquery' in message)) references.push(message);
        this.#lookInside(message, pending);
      }
    }
    for (const reference of references) this.#reference(reference);
  }

  /** Records the use of an expression that uses only a part of a column. Returns false for other expressions. */
  #expression(message: AnyNode): boolean {
    const path = pathOf(message);
    const counted = path ?? countedArray(message);
    if (counted === undefined) return false;
    this.#use(counted.column, usesAt(counted.fields, path === undefined ? noFields : 'all'));
    return true;
  }

  /** Records the columns that a message itself uses, and queues its contents. */
  #lookInside(message: AnyNode, pending: unknown[]): void {
    if ('column_id' in message) this.#use(columnId(message), 'all');
    if ('with_subquery' in message)
      this.#entries.set(String(message.with_query_name), scanColumns(message.with_subquery).map(columnId));
    for (const field in message) {
      const value = message[field];
      if (passing.has(field) || typeof value !== 'object' || value === null) continue;
      if (byPosition.has(field)) for (const column of scanColumns(value)) this.#use(columnId(column), 'all');
      if (field === 'column' && 'expr' in message) continue;
      if (field === 'array_expr' && this.#isPart(value, message.element_column)) continue;
      if (field === 'output_column_list' && 'query' in message) this.#outputs(value);
      else if (field === 'expr_list')
        pending.push(...asList(value, field).filter((item) => !this.#isRename(item)));
      else pending.push(value);
    }
  }

  #use(column: number, uses: UsedFields): void {
    this.direct.set(column, bothUses(this.direct.get(column) ?? noFields, uses));
  }

  /** Whether a column is a part of another one. */
  #isPart(expression: unknown, column: unknown): boolean {
    const path = pathOf(asMessage(expression, 'expr'));
    if (path === undefined || column === undefined) return false;
    this.#derive(path, columnId(column));
    return true;
  }

  #isRename(item: unknown): boolean {
    const { expr, column } = asMessage(item, 'expr_list');
    return expr !== undefined && this.#isPart(expr, column);
  }

  #derive({ column, fields }: Path, part: number): void {
    const parts = this.parts.get(column);
    if (parts === undefined) this.parts.set(column, [{ fields, column: part }]);
    else parts.push({ fields, column: part });
  }

  #outputs(outputs: unknown): void {
    for (const [i, output] of asList(outputs, 'output_column_list').entries()) {
      const uses = fieldUses(this.#wanted, i);
      if (uses !== undefined) this.#use(columnId(asMessage(output, 'output').column), uses);
    }
  }

  #reference(reference: AnyNode): void {
    const columns = scanColumns(reference).map(columnId);
    for (const [i, column] of (this.#entries.get(String(reference.with_query_name)) ?? []).entries()) {
      const outer = columns[i];
      if (outer === undefined) this.#use(column, 'all');
      else this.#derive({ column, fields: [] }, outer);
    }
  }
}

/** The column that an expression equals, or whose field or element it is. Undefined for other expressions. */
function pathOf(expression: AnyNode): Path | undefined {
  const fields: number[] = [];
  let part = expression;
  for (;;) {
    const { kind, message } = unwrap(part);
    if (kind === 'resolved_column_ref_node') return { column: columnId(message.column), fields };
    if (kind === 'resolved_get_struct_field_node') {
      fields.unshift(Number(message.field_idx ?? 0));
      part = asMessage(message.expr, 'expr');
    } else if (kind === 'resolved_function_call_node') {
      const array = arrayOfElement(part);
      if (array === undefined) return undefined;
      part = array;
    } else return undefined;
  }
}

/** The array in `array[OFFSET(0)]` and similar calls with a constant position. */
function arrayOfElement(expression: AnyNode): AnyNode | undefined {
  const call = functionCall(expression);
  const [array] = call?.arguments ?? [];
  return call !== undefined && elementPosition(call) !== undefined ? array : undefined;
}

/** The array in `ARRAY_LENGTH(array)`. */
function countedArray(expression: AnyNode): Path | undefined {
  const call = functionCall(expression);
  const [array] = call?.arguments ?? [];
  return call?.name === 'array_length' && array !== undefined ? pathOf(array) : undefined;
}
