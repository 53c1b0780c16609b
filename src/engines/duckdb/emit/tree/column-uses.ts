import { type AnyNode, asList, asMessage, unwrap } from '../../../../sql/resolved/node.ts';
import { columnId, scanColumns } from './scan-columns.ts';

/** How often a part of a resolved tree uses columns. */
export interface ColumnUses {
  /** As whole values, by the column's id. */
  readonly whole: ReadonlyMap<number, number>;
  /** By their fields: for each id, by the path of positions to the field, joined by dots. */
  readonly fields: ReadonlyMap<number, ReadonlyMap<string, number>>;
}

/** Fields of a tree that contain no column uses. */
const leaves = new Set(['type', 'column_list', 'signature', 'value', 'table', 'function']);

/** Scans that pass columns on by position. */
const byPosition = new Set(['with_subquery', 'subquery', 'scan']);

export function columnUses(part: AnyNode): ColumnUses {
  const whole = new Map<number, number>();
  const fields = new Map<number, Map<string, number>>();
  const pending: unknown[] = [part];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) for (const element of next) pending.push(element);
    else if (typeof next === 'object' && next !== null && !ArrayBuffer.isView(next)) visit(next as AnyNode);
  }
  return { whole, fields };

  function visit(message: AnyNode): void {
    const use = fieldPathOf(message);
    if (use !== undefined) {
      const known = fields.get(use.column) ?? new Map<string, number>();
      fields.set(use.column, count(known, use.path));
      return;
    }
    for (const field in message) {
      const value = message[field];
      if (field === 'column') {
        // Beside an expression, this is the computed column.
        if (!('expr' in message)) count(whole, columnId(value));
      } else if (field === 'output_column_list') {
        for (const item of asList(value, field)) {
          const output = asMessage(item, field);
          count(whole, columnId(output.column ?? output));
        }
      } else if (!leaves.has(field)) {
        if (byPosition.has(field)) for (const column of scanColumns(value)) count(whole, columnId(column));
        if (typeof value === 'object') pending.push(value);
      }
    }
  }
}

/** Subtracts the uses of a part from those of the whole. */
export function usesOutside(all: ColumnUses, part: ColumnUses): ColumnUses {
  const rest = <Key>(uses: ReadonlyMap<Key, number>, inPart: ReadonlyMap<Key, number> | undefined) =>
    new Map([...uses].filter(([key, uses]) => uses > (inPart?.get(key) ?? 0)));
  return {
    whole: rest(all.whole, part.whole),
    fields: new Map([...all.fields].map(([id, uses]) => [id, rest(uses, part.fields.get(id))])),
  };
}

function count<Key>(uses: Map<Key, number>, key: Key): Map<Key, number> {
  return uses.set(key, (uses.get(key) ?? 0) + 1);
}

/** The column and path of an expression `column.field.field`. Undefined for other expressions. */
export function fieldPathOf(expression: AnyNode): { column: number; path: string } | undefined {
  const positions: number[] = [];
  let part = expression;
  for (;;) {
    const { kind, message } = unwrap(part);
    if (kind === 'resolved_get_struct_field_node') {
      positions.unshift(Number(message.field_idx ?? 0));
      part = asMessage(message.expr, 'expr');
    } else if (kind === 'resolved_column_ref_node' && positions.length > 0) {
      return { column: columnId(message.column), path: positions.join('.') };
    } else return undefined;
  }
}
