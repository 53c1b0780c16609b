import { textRange } from '../../../sql/plan/parse-tree.ts';
import { type AnyNode, asMessage, isPresent, messages } from '../../../sql/resolved/node.ts';

/** A SELECT in a parse tree. */
export interface SelectPlace {
  /** `ast_select_node`. */
  readonly select: AnyNode;
  /** Its ORDER BY. */
  readonly orderBy: unknown;
  /** The entries of WITH that it can refer to, outer ones first. */
  readonly entries: readonly AnyNode[];
}

/**
 * The SELECT whose lists have calls at these places.
 *
 * @param starts in UTF-8 bytes
 */
export function selectWith(starts: ReadonlySet<number>, parsed: AnyNode): SelectPlace | undefined {
  const all: SelectPlace[] = [];
  findSelects(parsed, { entries: [], orderBy: undefined }, all);
  return all.find(({ select, orderBy }) => {
    const found = new Set<number>();
    findCalls([ownParts(select), orderBy], found);
    return [...starts].every((start) => found.has(start));
  });
}

/** The parts of a SELECT that are evaluated after its aggregation. */
export function ownParts({ from_clause: _, where_clause: __, ...others }: AnyNode): AnyNode {
  return others;
}

function findSelects(part: unknown, context: Omit<SelectPlace, 'select'>, found: SelectPlace[]): void {
  if (Array.isArray(part)) {
    for (const element of part) findSelects(element, context, found);
    return;
  }
  if (typeof part !== 'object' || part === null) return;
  const message = part as AnyNode;
  if (isPresent(message.query_expr)) {
    findInQuery(message, context.entries, found);
    return;
  }
  for (const [field, value] of Object.entries(message)) {
    if (field === 'parent') continue;
    if (field === 'ast_select_node' && isPresent(value)) {
      const select = asMessage(value, field);
      found.push({ select, ...context });
      findSelects(select, { ...context, orderBy: undefined }, found);
    } else findSelects(value, context, found);
  }
}

function findInQuery(query: AnyNode, outer: readonly AnyNode[], found: SelectPlace[]): void {
  const { with_clause: clause, query_expr: expression, ...others } = query;
  let entries = outer;
  if (isPresent(clause)) {
    const { recursive, with: own } = asMessage(clause, 'with_clause');
    if (recursive === true) return;
    for (const entry of messages({ own }, 'own')) {
      findSelects(entry, { entries, orderBy: undefined }, found);
      entries = [...entries, entry];
    }
  }
  findSelects(expression, { entries, orderBy: query.order_by }, found);
  findSelects(others, { entries, orderBy: undefined }, found);
}

/** The starts of the calls in a part, without those in its subqueries. */
function findCalls(part: unknown, found: Set<number>): void {
  if (Array.isArray(part)) for (const element of part) findCalls(element, found);
  else if (typeof part === 'object' && part !== null) {
    const message = part as AnyNode;
    if (isPresent(message.query_expr)) return;
    for (const [field, value] of Object.entries(message)) {
      if (field === 'parent') continue;
      const start = field === 'ast_function_call_node' ? textRange(value)?.start : undefined;
      if (start !== undefined) found.add(start);
      findCalls(value, found);
    }
  }
}
