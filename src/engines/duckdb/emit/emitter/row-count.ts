import { GatewayError } from '../../../../base/errors/errors.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { Emitter } from './emitter.ts';

/** The number in a LIMIT or OFFSET clause, as SQL. Empty if there is none. */
export function rowCount(node: ResolvedNode | undefined, clause: string, emitter: Emitter): string {
  if (node === undefined) return '';
  const { constant } = emitter.expression(node);
  if (constant === undefined) throw node.refusal(`a computed ${clause}`);
  const { value } = constant;
  if (typeof value !== 'bigint' || value < 0n) {
    throw new GatewayError('QUERY_FAILED', `${clause} requires a value that is not negative and not NULL`);
  }
  return String(value);
}
