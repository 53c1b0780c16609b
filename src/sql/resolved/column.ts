import type { SqlType } from '../type.ts';
import { type AnyNode, asMessage } from './node.ts';
import { isPopulated } from './populated.ts';
import { typeFromProto } from './type-from-proto.ts';
import { unsupported } from './unsupported.ts';

/** A column of the resolved tree. Ids are unique in a statement, names are not. */
export interface ResolvedColumn {
  readonly id: number;
  readonly name: string;
  readonly type: SqlType;
}

/** The column described by a `ResolvedColumnProto`. Annotations (a collation) are refused. */
export function columnFromProto(proto: AnyNode): ResolvedColumn {
  const name = String(proto.name ?? '');
  if (isPopulated(proto.annotation_map)) throw unsupported(`a collation on the column ${name}`);
  return { id: Number(proto.column_id), name, type: typeFromProto(asMessage(proto.type, 'type')) };
}
