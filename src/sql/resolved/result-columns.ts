import type { Column } from '../type.ts';
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

/** The columns of a resolved query statement, in query order. A column without a name has the empty one. */
export function resultColumns(statement: AnyNode): Column[] {
  const query = (statement as QueryStatement).resolved_query_stmt_node;
  if (query === undefined) throw new Error('Expected a resolved query statement');
  return (query.output_column_list ?? []).map(({ name = '', column }) => ({
    // The analyzer calls the unnamed `$col1`, which no name that is written can be.
    name: name.startsWith('$') ? '' : name,
    type: typeFromProto(column.type),
  }));
}
