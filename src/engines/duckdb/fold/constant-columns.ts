import {
  type AnyNode,
  asList,
  asMessage,
  columnIds,
  idOf,
  rewrap,
  unwrap,
} from '../../../sql/resolved/node.ts';
import { literalConstant } from './expression.ts';

/**
 * Columns with the same value in every row, because they come from a single-row relation without a table: `WITH dates
 * AS (SELECT @start AS start) SELECT ... FROM dates, logs.edge_logs AS t WHERE t.timestamp > dates.start`. Knowing the
 * value turns such a comparison into one with a constant, with which an engine can prune a scan.
 */
export class ConstantColumns {
  readonly #values = new Map<string, AnyNode>();
  /** The columns that projections compute as constants. */
  readonly #computed = new Set<string>();
  /** The columns of WITH entries, by the entry's name. */
  readonly #entries = new Map<string, readonly string[]>();

  /** An ordered scan without the keys that are the same in all rows. One stays, at least. */
  ordered(scan: AnyNode): AnyNode {
    const { message } = unwrap(scan);
    const keys = asList(message.order_by_item_list, 'order_by_item_list') as readonly AnyNode[];
    const columnOf = (key: AnyNode) =>
      idOf(asMessage(asMessage(key.column_ref, 'column_ref').column, 'column'));
    const varying = keys.filter((key) => !this.#computed.has(columnOf(key)));
    if (varying.length === keys.length || keys.length === 1) return scan;
    const kept = varying.length === 0 ? keys.slice(0, 1) : varying;
    return rewrap(scan, { ...message, order_by_item_list: kept });
  }

  valueOf(column: AnyNode): AnyNode | undefined {
    return this.#values.get(idOf(column));
  }

  /** Records the constant columns of a scan whose inputs and expressions have been folded. */
  learn(kind: string, scan: AnyNode): void {
    switch (kind) {
      case 'resolved_project_scan_node':
        this.#learnProjection(scan);
        return;
      case 'resolved_with_ref_scan_node':
        this.#learnReference(scan);
        return;
      case 'resolved_join_scan_node': {
        // A row without a match has NULL in the columns of the other side.
        const type = scan.join_type ?? 'INNER';
        if (type === 'LEFT' || type === 'FULL') this.#forget(scan.right_scan);
        if (type === 'RIGHT' || type === 'FULL') this.#forget(scan.left_scan);
      }
    }
  }

  /** Records the constant columns of a WITH entry that has been folded. */
  learnEntry(entry: AnyNode): void {
    const subquery = unwrap(asMessage(entry.with_subquery, 'with_subquery')).message;
    this.#entries.set(String(entry.with_query_name), columnIds(subquery));
  }

  #learnProjection(scan: AnyNode): void {
    for (const computed of asList(scan.expr_list, 'expr_list')) {
      const { column, expr } = computed as { column: AnyNode; expr: AnyNode };
      if (literalConstant(expr) !== undefined) this.#computed.add(idOf(column));
    }
    if (unwrap(asMessage(scan.input_scan, 'input_scan')).kind !== 'resolved_single_row_scan_node') return;
    for (const computed of asList(scan.expr_list, 'expr_list')) {
      const { column, expr } = computed as { column: AnyNode; expr: AnyNode };
      const constant = literalConstant(expr);
      if (constant !== undefined && !constant.isLong) this.#values.set(idOf(column), expr);
    }
  }

  #learnReference(scan: AnyNode): void {
    const entry = this.#entries.get(String(scan.with_query_name));
    columnIds(scan).forEach((id, index) => {
      const value = this.#values.get(entry?.[index] ?? '');
      if (value !== undefined) this.#values.set(id, value);
    });
  }

  #forget(side: unknown): void {
    for (const id of columnIds(unwrap(asMessage(side, 'scan')).message)) {
      this.#values.delete(id);
      this.#computed.delete(id);
    }
  }
}
