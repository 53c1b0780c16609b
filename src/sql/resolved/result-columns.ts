import type { Column, SqlType } from '../values/type.ts';
import type { AnyNode } from './node.ts';
import { typeFromProto } from './type-from-proto.ts';

interface QueryStatement {
  readonly resolved_query_stmt_node?: {
    readonly output_column_list?: readonly {
      readonly name?: string;
      readonly column: { readonly type: AnyNode };
    }[];
  };
}

/** The columns of a resolved query statement, in query order. An unnamed column has an empty name. */
export function resultColumns(statement: AnyNode): Column[] {
  const query = (statement as QueryStatement).resolved_query_stmt_node;
  if (query === undefined) throw new Error('Expected a resolved query statement');
  // Equal types share an object: a table of nested records that is read a hundred times is serialised once.
  const types = new Map<string, SqlType>();
  return (query.output_column_list ?? []).map(({ name = '', column }) => {
    const text = JSON.stringify(column.type);
    const type = types.get(text) ?? typeFromProto(column.type);
    types.set(text, type);
    // The analyzer names unnamed columns `$col1`, which no SQL text can.
    return { name: name.startsWith('$') ? '' : name, type };
  });
}
