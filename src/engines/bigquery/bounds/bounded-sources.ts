import { calledFunction, nodesOf, volatileFunctions } from '../../../sql/plan/tree-nodes.ts';
import {
  type AnyNode,
  asMessage,
  columnIds,
  fieldsOf,
  idOf,
  isPresent,
  messages,
  unwrap,
} from '../../../sql/resolved/node.ts';
import { isPopulated } from '../../../sql/resolved/populated.ts';
import { canFail } from './can-fail.ts';
import type { Condition } from './condition.ts';
import { arrayParts, filtered, type Origin, projected, tableOrigins } from './origin.ts';
import { readsOnce } from './reads-once.ts';

/** A place where a query reads a source, whose rows can be limited to a range of times. It is plain data. */
export interface BoundedSource {
  /** Where its name begins in the text, in UTF-8 bytes. */
  readonly start: number;
  /** The column with the time. */
  readonly column: string;
  /** All of them are true of the rows that have an influence on the result. */
  readonly conditions: readonly Condition[];
  /** Whether BigQuery finds all of their bounds in the text by itself. */
  readonly isPlain: boolean;
}

/** A query whose first rows are the newest ones of a source. */
export interface NewestFirst {
  /** The place of the source. */
  readonly start: number;
  /** Its column with the time. */
  readonly column: string;
  /** The table, as the query names it. */
  readonly table: string;
  /** The column of the result that has the time. Undefined if it hasn't. */
  readonly timeColumn: number | undefined;
  /** Whether the query itself limits them. */
  readonly hasLimit: boolean;
}

export interface SourceBounds {
  readonly sources: readonly BoundedSource[];
  /** The places whose rows the query itself leaves out by their times, whatever else may fail. */
  readonly bounded: readonly Pick<BoundedSource, 'start' | 'column'>[];
  /** Undefined for other queries. */
  readonly newestFirst: NewestFirst | undefined;
}

/**
 * Finds the sources whose rows can be limited to a range of times: each row of the scans above them is made of one row of the
 * source, and has its time. What can't be proved so has no bounds.
 */
export function sourceBounds(statement: AnyNode): SourceBounds {
  return new Search(statement).result();
}

class Search {
  readonly #statement: AnyNode;
  readonly #entries = new Map<
    string,
    { readonly columns: readonly string[]; readonly origins: readonly Origin[] }
  >();
  readonly #references = new Map<string, number>();
  /** By the place of the source and the column with the time. */
  readonly #found = new Map<string, Origin>();
  #newest: NewestFirst | undefined;

  constructor(statement: AnyNode) {
    this.#statement = statement;
    for (const { with_query_name } of nodesOf('resolved_with_ref_scan_node', statement)) {
      const name = String(with_query_name);
      this.#references.set(name, (this.#references.get(name) ?? 0) + 1);
    }
  }

  result(): SourceBounds {
    const { message } = unwrap(this.#statement);
    const outputs = messages(message, 'output_column_list').map(({ column }) => idOf(column));
    this.#spine(asMessage(message.query, 'query'), outputs, { hasLimit: false, isOrdered: true });
    const sources = [...this.#found.values()]
      .filter(({ conditions }) => conditions.length > 0)
      .map(({ source: { start, column }, conditions, isPlain }) => ({ start, column, conditions, isPlain }));
    const bounded = [...this.#found.values()]
      .filter(({ isBounded }) => isBounded)
      .map(({ source: { start, column } }) => ({ start, column }));
    return { sources, bounded, newestFirst: this.#newest };
  }

  /** The scans that pass on the first rows of an ordered one, and that one. */
  #spine(
    node: AnyNode,
    outputs: readonly string[],
    { hasLimit, isOrdered }: { hasLimit: boolean; isOrdered: boolean },
  ): void {
    const { kind, message } = unwrap(node);
    const fields = fieldsOf(message);
    const ordered = isOrdered && fields.is_ordered === true;
    const input = () => asMessage(fields.input_scan, 'input_scan');
    switch (kind) {
      case 'resolved_with_scan_node':
        if (!this.#learnEntries(message)) break;
        this.#spine(asMessage(fields.query, 'query'), outputs, { hasLimit, isOrdered: ordered });
        return;
      case 'resolved_project_scan_node':
        this.#readAll(fields.expr_list);
        this.#spine(input(), outputs, { hasLimit, isOrdered: ordered });
        return;
      case 'resolved_limit_offset_scan_node':
        if (hasLimit) break;
        this.#spine(input(), outputs, { hasLimit: true, isOrdered: true });
        return;
      case 'resolved_order_by_scan_node':
        if (!ordered) break;
        this.#order(node, outputs, hasLimit);
        return;
    }
    this.#read(node);
  }

  /** @param node the scan whose first rows are the result */
  #order(node: AnyNode, outputs: readonly string[], hasLimit: boolean): void {
    const fields = fieldsOf(unwrap(node).message);
    const origins = this.#read(asMessage(fields.input_scan, 'input_scan'));
    const [first] = messages(fields, 'order_by_item_list');
    if (first === undefined) return;
    const column = idOf(asMessage(first.column_ref, 'column_ref').column);
    const origin = origins.find(({ times }) => times.has(column));
    const isDescending = first.is_descending === true && first.null_order !== 'NULLS_FIRST';
    if (!isDescending || isPopulated(first.collation_name)) return;
    if (origin === undefined || origin.fails || !readsOnce(this.#statement) || this.#isVolatile()) return;
    const { source } = origin;
    const timeColumn = outputs.findIndex((output) => origin.times.has(output));
    this.#newest = { ...source, hasLimit, timeColumn: timeColumn < 0 ? undefined : timeColumn };
  }

  #isVolatile(): boolean {
    return nodesOf('resolved_function_call_node', this.#statement).some((call) =>
      volatileFunctions.has(calledFunction(call)),
    );
  }

  /** Reads entries of WITH. Returns false for recursive ones. */
  #learnEntries(message: AnyNode): boolean {
    if (message.recursive === true) return false;
    for (const entry of messages(message, 'with_entry_list')) {
      const subquery = asMessage(entry.with_subquery, 'with_subquery');
      const origins = this.#read(subquery);
      this.#entries.set(String(entry.with_query_name), {
        columns: columnIds(unwrap(subquery).message),
        origins,
      });
    }
    return true;
  }

  /** Reads all scans in a part of the tree, which may be an expression. */
  #readAll(part: unknown): void {
    if (Array.isArray(part)) {
      for (const element of part) this.#readAll(element);
      return;
    }
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return;
    const { kind, message } = unwrap(part as AnyNode);
    if (kind.endsWith('_scan_node')) {
      this.#read(part as AnyNode);
      return;
    }
    for (const value of Object.values(message)) this.#readAll(value);
  }

  /** The sources whose rows make the rows of a scan one by one. */
  #read(node: AnyNode): readonly Origin[] {
    const { kind, message } = unwrap(node);
    const fields = fieldsOf(message);
    const origins = this.#originsOf(kind, message, fields);
    for (const origin of origins) this.#found.set(`${origin.source.start} ${origin.source.column}`, origin);
    return origins;
  }

  #originsOf(kind: string, message: AnyNode, fields: AnyNode): readonly Origin[] {
    const input = () => this.#read(asMessage(fields.input_scan, 'input_scan'));
    switch (kind) {
      case 'resolved_table_scan_node':
        return tableOrigins(message, fields);
      case 'resolved_filter_scan_node': {
        const condition = asMessage(fields.filter_expr, 'filter_expr');
        this.#readAll(condition);
        return input().map((origin) => filtered(origin, condition));
      }
      case 'resolved_project_scan_node': {
        this.#readAll(fields.expr_list);
        return input().map((origin) => projected(origin, messages(fields, 'expr_list')));
      }
      case 'resolved_order_by_scan_node':
        return input().map((origin) => ({ ...origin, isNear: false }));
      case 'resolved_array_scan_node': {
        const { input_scan, parent: _, ...others } = fields;
        this.#readAll(others);
        if (!isPresent(input_scan)) return [];
        const fails = arrayParts(others).some(canFail);
        return input().map((origin) => ({ ...origin, fails: origin.fails || fails }));
      }
      case 'resolved_join_scan_node':
        return this.#joined(fields);
      case 'resolved_with_ref_scan_node':
        return this.#referred(message);
      case 'resolved_with_scan_node':
        if (!this.#learnEntries(message)) break;
        return this.#read(asMessage(fields.query, 'query'));
    }
    for (const [field, value] of Object.entries(fields)) if (field !== 'parent') this.#readAll(value);
    return [];
  }

  #joined(fields: AnyNode): readonly Origin[] {
    const left = this.#read(asMessage(fields.left_scan, 'left_scan'));
    const right = this.#read(asMessage(fields.right_scan, 'right_scan'));
    this.#readAll(fields.join_expr);
    if (fields.is_lateral === true) return [];
    const expression = fields.join_expr;
    const fails = isPresent(expression) && canFail(asMessage(expression, 'join_expr'));
    const type = fields.join_type ?? 'INNER';
    const kept =
      type === 'INNER' ? [...left, ...right] : type === 'LEFT' ? left : type === 'RIGHT' ? right : [];
    return kept.map((origin) => ({ ...origin, isNear: false, fails: origin.fails || fails }));
  }

  /** An entry that is referred to once passes its columns on by position. */
  #referred(message: AnyNode): readonly Origin[] {
    const name = String(message.with_query_name);
    const entry = this.#entries.get(name);
    if (entry === undefined || this.#references.get(name) !== 1) return [];
    const columns = columnIds(message);
    return entry.origins.map((origin) => ({
      ...origin,
      isNear: false,
      times: new Set(columns.filter((_, position) => origin.times.has(entry.columns[position] ?? ''))),
    }));
  }
}
