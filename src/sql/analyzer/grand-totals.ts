import { syntaxNodesOf, visitFields } from '../plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage } from '../resolved/node.ts';

/** A text to insert at a byte offset. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** True for every group. */
const count = 'COUNT(*) >= 0';

/** A text with insertions, and how to undo them in the places of its tree. */
export interface CountedTotals {
  readonly sql: string;
  /** Changes the places in a tree of the text into those of the original text. */
  readonly restorePlaces: (statement: AnyNode) => void;
}

/**
 * The analyzer fails on a grand total without aggregate functions, as in `SELECT 1 FROM t GROUP BY ()`. This adds one, as
 * a condition that is always true.
 *
 * @param tree the parse tree of the text
 * @returns undefined if nothing groups by empty sets only
 */
export function withCountedTotals(sql: string, tree: AnyNode): CountedTotals | undefined {
  const insertions = syntaxNodesOf('ast_select_node', tree).flatMap(insertionsFor);
  if (insertions.length === 0) return undefined;
  insertions.sort((a, b) => a.at - b.at);
  const bytes = Buffer.from(sql);
  const parts: string[] = [];
  let end = 0;
  for (const { at, text } of insertions) {
    parts.push(bytes.subarray(end, at).toString(), text);
    end = at;
  }
  parts.push(bytes.subarray(end).toString());
  return { sql: parts.join(''), restorePlaces: (statement) => restorePlaces(statement, insertions) };
}

function insertionsFor(select: AnyNode): Insertion[] {
  if (!isTotal(select.group_by)) return [];
  const having = select.having;
  if (having === undefined || having === null)
    return [{ at: place(select.group_by).end, text: ` HAVING ${count}` }];
  const { start, end } = place(having);
  return [
    { at: start + 'HAVING'.length, text: ` ${count} AND (` },
    { at: end, text: ')' },
  ];
}

/** Whether a GROUP BY clause has no keys: `()`, or `GROUPING SETS ((), ...)`. */
function isTotal(clause: unknown): boolean {
  if (clause === undefined || clause === null) return false;
  const items = asList(asMessage(clause, 'group_by').grouping_items, 'grouping_items').map((item) =>
    asMessage(item, 'grouping_items'),
  );
  return items.every((item) =>
    Object.keys(item).every((field) => field === 'parent' || isEmptySets(field, item[field])),
  );
}

function isEmptySets(field: string, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (field !== 'grouping_set_list') return false;
  const sets = asList(asMessage(value, field).grouping_sets, 'grouping_sets');
  return sets.every((set) =>
    Object.entries(asMessage(set, 'grouping_sets')).every(
      ([name, part]) => name === 'parent' || part === null,
    ),
  );
}

function place(clause: unknown): { readonly start: number; readonly end: number } {
  const { parse_location_range: range } = asMessage(asMessage(clause, 'clause').parent, 'parent');
  const { start, end } = asMessage(range, 'parse_location_range');
  return { start: Number(start), end: Number(end) };
}

function restorePlaces(statement: AnyNode, insertions: readonly Insertion[]): void {
  const original = (place: unknown) => {
    let offset = Number(place);
    for (const { at, text } of insertions) {
      if (offset > at) offset = Math.max(at, offset - text.length);
    }
    return offset;
  };
  visitFields(statement, new Set(), (field, value) => {
    if (field !== 'parse_location_range' || value === null) return;
    const { start, end } = asMessage(value, field);
    Object.assign(asMessage(value, field), { start: original(start), end: original(end) });
  });
}
