import { nodesOf, resolvedLeaves } from '../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage } from '../../sql/resolved/node.ts';
import { tokens } from '../../sql/text/lexer.ts';

/** Limits of ad-hoc queries, checked before they are analyzed or run. */
export interface SandboxLimits {
  /** Bytes of a text in UTF-8. */
  readonly maxBytes: number;
  /** Nested brackets and CASEs. */
  readonly maxNesting: number;
  /**
   * Levels from the outermost expression to the innermost, counted by brackets and chains of operators. The analyzer
   * takes 0.15 s for 300 levels and 7 s for 3,000 (measured).
   */
  readonly maxDepth: number;
  /** Joins, written as JOIN or as a comma, in one FROM clause. 10,000 took the analyzer more than a minute (measured). */
  readonly maxJoins: number;
  /** SELECTs in the whole text. */
  readonly maxSelects: number;
  /**
   * Nested subqueries in expressions. The embedded engine takes twice as long for each further level, and can't be
   * interrupted meanwhile (measured).
   */
  readonly maxSubqueryDepth: number;
  /** Reads of tables, where those in a CTE count for each use. */
  readonly maxReads: number;
  /** BigQuery's own limit for a result. */
  readonly maxColumns: number;
}

export const defaultSandboxLimits: SandboxLimits = {
  maxBytes: 128 * 1024,
  maxNesting: 200,
  maxDepth: 300,
  maxJoins: 100,
  maxSelects: 500,
  maxSubqueryDepth: 10,
  maxReads: 500,
  maxColumns: 10_000,
};

/** The size of a SQL text, in the terms that make analyzers and engines slow. */
interface TextSize {
  /** Nested brackets and CASEs. */
  readonly nesting: number;
  /** Nesting, including chains of operators: `1 + 1 + 1` is a tree of three levels. */
  readonly depth: number;
  /** Joins in the FROM clause that has the most. */
  readonly joins: number;
  readonly selects: number;
}

/** The state between two brackets, or between CASE and END. */
interface Level {
  chain: number;
  inFrom: boolean;
  joins: number;
}

/** Words that end an expression. Chains of AND and OR don't make the tree deeper. */
const boundaries = new Set(
  `SELECT FROM WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT UNION INTERSECT JOIN ON USING AND OR WHEN THEN ELSE
   WITH`.split(/\s+/),
);

const operatorWords = new Set(['NOT', 'IS', 'LIKE', 'IN', 'BETWEEN']);

/** Words that end a FROM clause. */
const fromEnds = new Set('SELECT WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT UNION INTERSECT'.split(' '));

/** Measures a text by its tokens, in one pass. The text may be invalid: an analyzer rejects it quickly. */
export function textSize(sql: string): TextSize {
  const size = { nesting: 0, depth: 0, joins: 0, selects: 0 };
  let level: Level = { chain: 0, inFrom: false, joins: 0 };
  const outer: Level[] = [];
  let chains = 0;
  let afterDot = false;
  const open = () => {
    outer.push(level);
    level = { chain: 0, inFrom: false, joins: 0 };
    size.nesting = Math.max(size.nesting, outer.length);
    size.depth = Math.max(size.depth, outer.length + chains);
  };
  const endChain = () => {
    chains -= level.chain;
    level.chain = 0;
  };
  const close = () => {
    endChain();
    level = outer.pop() ?? level;
  };
  const lengthen = () => {
    level.chain++;
    chains++;
    size.depth = Math.max(size.depth, outer.length + chains);
  };
  const join = () => {
    level.joins++;
    size.joins = Math.max(size.joins, level.joins);
  };
  const readWord = (word: string) => {
    if (word === 'CASE') return open();
    if (word === 'END') return close();
    if (operatorWords.has(word)) return lengthen();
    if (!boundaries.has(word)) return;
    endChain();
    if (word === 'SELECT') {
      size.selects++;
      level.joins = 0;
    }
    if (word === 'JOIN') join();
    if (word === 'FROM' || word === 'JOIN') level.inFrom = true;
    else if (fromEnds.has(word)) level.inFrom = false;
  };
  const readSymbol = (symbol: string) => {
    if ('([{'.includes(symbol)) {
      // A chain of subscripts or calls continues after each pair of brackets.
      lengthen();
      open();
    } else if (')]}'.includes(symbol)) close();
    else if (symbol === ',') {
      endChain();
      if (level.inFrom) join();
    } else if (symbol === ';') endChain();
    else if (symbol === '|>') {
      // A pipe operator becomes a SELECT.
      endChain();
      level.inFrom = false;
      size.selects++;
    } else lengthen();
  };
  for (const { kind, text } of tokens(sql)) {
    // After a dot, even a keyword is a name.
    if (kind === 'word' && !afterDot) readWord(text);
    if (kind === 'symbol') readSymbol(text);
    if (kind === 'word' || kind === 'symbol') afterDot = text === '.';
  }
  return size;
}

/** The size of a resolved query, in the terms that make an engine's planner slow. */
interface TreeSize {
  /** Nested subqueries in expressions. */
  readonly subqueries: number;
  /** Reads of tables and CTEs, where those in a CTE count for each use. */
  readonly reads: number;
}

const withScan = 'resolved_with_scan_node';

const withReference = 'resolved_with_ref_scan_node';

const subquery = 'resolved_subquery_expr_node';

/**
 * Measures a resolved statement with every CTE inlined, as planners do: ten CTEs that each read the previous one twice
 * are a thousand reads.
 */
export function treeSize(statement: AnyNode): TreeSize {
  const bodies = new Map<string, unknown>();
  for (const scan of nodesOf(withScan, statement)) {
    for (const entry of asList(scan.with_entry_list, 'with_entry_list')) {
      const { with_query_name, with_subquery } = asMessage(entry, 'with_entry_list');
      bodies.set(String(with_query_name), with_subquery);
    }
  }
  const sizes = new Map<string, TreeSize>();
  const sizeOfCte = (name: string): TreeSize => {
    let size = sizes.get(name);
    if (size === undefined) {
      // A recursive CTE reads itself by another kind of node. This only guards against an endless recursion.
      sizes.set(name, { subqueries: 0, reads: 0 });
      size = measure(bodies.get(name));
      sizes.set(name, size);
    }
    return size;
  };
  const measure = (root: unknown): TreeSize => {
    const size = { subqueries: 0, reads: 0 };
    const add = (depth: number, { subqueries, reads }: TreeSize) => {
      size.subqueries = Math.max(size.subqueries, depth + subqueries);
      size.reads += reads;
    };
    for (const { kind, node, depth } of relevantNodes(root)) {
      if (kind === withReference) add(depth, sizeOfCte(String(node.with_query_name)));
      else add(depth, { subqueries: 0, reads: kind === subquery ? 0 : 1 });
    }
    return size;
  };
  return measure(asMessage(statement, 'statement'));
}

const reading = new Set(['resolved_table_scan_node', 'resolved_recursive_ref_scan_node', withReference]);

/** Yields the relevant nodes with their number of enclosing subqueries, including themselves. */
function* relevantNodes(root: unknown): Generator<{ kind: string; node: AnyNode; depth: number }> {
  const pending = [{ part: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, depth } = next;
    if (Array.isArray(part)) for (const element of part) pending.push({ part: element, depth });
    if (typeof part !== 'object' || part === null || Array.isArray(part)) continue;
    const message = part as AnyNode;
    for (const field in message) {
      const value = message[field];
      if (typeof value !== 'object') continue;
      // CTEs count where they are read.
      if (field === 'with_entry_list' || resolvedLeaves.has(field)) continue;
      const inner = field === subquery ? depth + 1 : depth;
      if (field === subquery || reading.has(field)) {
        yield { kind: field, node: asMessage(value, field), depth: inner };
      }
      pending.push({ part: value, depth: inner });
    }
  }
}
