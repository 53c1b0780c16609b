import type { Column, SqlType } from '../values/type.ts';
import { isCollatedType } from './collated-type.ts';
import { type AnyNode, asMessage } from './node.ts';
import { typeFromProto } from './value-from-proto.ts';

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

/** A column of the resolved tree. Ids are unique in a statement, names are not. */
export interface ResolvedColumn {
  readonly id: number;
  readonly name: string;
  readonly type: SqlType;
  /** Whether its texts, or texts in its values, are compared without regard to letter case. */
  readonly collated: boolean;
}

/** The column described by a `ResolvedColumnProto`. */
export function columnFromProto(proto: AnyNode): ResolvedColumn {
  const name = String(proto.name ?? '');
  const type = typeFromProto(asMessage(proto.type, 'type'));
  return { id: Number(proto.column_id), name, type, collated: isCollatedType(proto.annotation_map) };
}
