import type { SqlType } from '../values/type.ts';
import { isCollatedType } from './collated-type.ts';
import { type AnyNode, asMessage } from './node.ts';
import { typeFromProto } from './type-from-proto.ts';

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
