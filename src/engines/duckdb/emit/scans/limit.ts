import { GatewayError } from '../../../../errors.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { Emitter, ScanEmitter } from '../emitter.ts';
import { cut } from '../relation.ts';

export const limitScan: ScanEmitter = (node, emitter) => {
  const source = emitter.scan(node.child('input_scan'));
  const limit = rowCount(node.optionalChild('limit'), 'LIMIT', emitter);
  return cut(source, limit, rowCount(node.optionalChild('offset'), 'OFFSET', emitter));
};

/** The number of a clause, as SQL; empty where there is none. */
export function rowCount(node: ResolvedNode | undefined, clause: string, emitter: Emitter): string {
  if (node === undefined) return '';
  const { constant } = emitter.expression(node);
  if (constant === undefined) throw node.refusal(`a computed ${clause}`);
  if (typeof constant !== 'bigint' || constant < 0n) {
    throw new GatewayError('QUERY_FAILED', `${clause} requires a value that is not negative and not NULL`);
  }
  return String(constant);
}
