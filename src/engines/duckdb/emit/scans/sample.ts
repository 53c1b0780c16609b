import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { plain } from '../../dialect/calls.ts';
import type { Emitter, ScanEmitter } from '../emitter/emitter.ts';
import { continued, fromItem, withColumns } from '../emitter/relation.ts';
import { filter } from '../emitter/steps.ts';

/**
 * TABLESAMPLE SYSTEM of a table. BigQuery chooses blocks of rows, whose size it doesn't tell; here each row is chosen on
 * its own.
 */
export const sampleScan: ScanEmitter = (node, emitter) => {
  const input = node.child('input_scan');
  const method = node.text('method').toUpperCase();
  if (method !== 'SYSTEM') throw node.refusal(`TABLESAMPLE ${method}`);
  if (node.text('unit') !== 'PERCENT') throw node.refusal('TABLESAMPLE of a number of rows');
  if (node.has('repeatable_argument')) throw node.refusal('TABLESAMPLE with REPEATABLE');
  if (input.kind !== 'resolved_table_scan_node') throw node.refusal('TABLESAMPLE of a subquery');
  const rows = emitter.scan(input);
  const withChance = continued(rows, withColumns(fromItem(rows), [plain('random() AS chance')]));
  return filter(withChance, plain(`chance < ${fraction(node, emitter)}`));
};

function fraction(node: ResolvedNode, emitter: Emitter): number {
  const percent = Number(emitter.expression(node.child('size')).constant?.value ?? Number.NaN);
  if (!(percent >= 0 && percent <= 100))
    throw node.refusal('TABLESAMPLE of less than 0 or more than 100 percent');
  return percent / 100;
}
