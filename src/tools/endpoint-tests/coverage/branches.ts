import { constancyOf } from '../../../engines/duckdb/fold/constant.ts';
import { functionCall, withArguments } from '../../../engines/duckdb/fold/expression.ts';
import { type Plan, statementOf } from '../../../sql/plan/plan.ts';
import { nodesOf, resolvedLeaves } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import { placeOfByte } from '../../../sql/text/place.ts';
import type { FilePlace } from '../cases/test-file.ts';

/** A CASE or IF whose conditions depend on parameters only, so that one of its branches is taken throughout a call. */
export interface BranchPoint {
  /** The same in the stored query and in callers' queries over its entries. */
  readonly key: string;
  /** Such as `CASE @interval`. */
  readonly text: string;
  readonly place: FilePlace;
  /** BOOL expressions without columns, one for each branch; undefined for ELSE. */
  readonly conditions: readonly (AnyNode | undefined)[];
  /** Such as `WHEN 'hourly'`. */
  readonly branches: readonly string[];
  /** The branches around it, by the keys of their points. It only counts when they are taken. */
  readonly within: readonly { readonly key: string; readonly branch: number }[];
}

interface Found {
  readonly start: number;
  readonly text: string;
  readonly conditions: readonly (AnyNode | undefined)[];
  readonly branches: readonly string[];
  readonly within: readonly { readonly start: number; readonly branch: number }[];
}

const bool = { type_kind: 'TYPE_BOOL' };
const shownLength = 50;

/** The branch points that run when a plan runs: those of the query, and of the entries of its WITH clause that it reads. */
export function branchPointsThatRun(plan: Plan): BranchPoint[] {
  const { entries, query } = partsOf(plan);
  const reached = new Set<string>();
  const follow = (part: unknown): void => {
    for (const { with_query_name } of nodesOf('resolved_with_ref_scan_node', part)) {
      const name = String(with_query_name);
      const entry = entries.get(name);
      if (entry === undefined || reached.has(name)) continue;
      reached.add(name);
      follow(entry);
    }
  };
  follow(query);
  return [
    ...(plan.isCallers ? [] : pointsIn(plan, '', query)),
    ...[...reached].flatMap((name) => pointsIn(plan, name, entries.get(name))),
  ];
}

/** All branch points of a stored query, including those of entries that only callers' queries read. */
export function branchPoints(plan: Plan): BranchPoint[] {
  const { entries, query } = partsOf(plan);
  return [...entries]
    .flatMap(([name, entry]) => pointsIn(plan, name, entry))
    .concat(pointsIn(plan, '', query));
}

/** The entries of the outermost WITH clause by name, and the query after it. */
function partsOf(plan: Plan): { readonly entries: ReadonlyMap<string, unknown>; readonly query: unknown } {
  const query = asMessage(unwrap(statementOf(plan)).message.query, 'query');
  const { kind, message } = unwrap(query);
  if (kind !== 'resolved_with_scan_node') return { entries: new Map(), query };
  const entries = asList(message.with_entry_list, 'with_entry_list').map((entry) =>
    asMessage(entry, 'with_entry_list'),
  );
  return {
    entries: new Map(entries.map((entry) => [String(entry.with_query_name), entry.with_subquery])),
    query: message.query,
  };
}

/** Numbered within an entry, in the order of its text, which is the same in every query that has the entry. */
function pointsIn(plan: Plan, entry: string, part: unknown): BranchPoint[] {
  const found = new Map<number, Found>();
  walk(part, { found, textOf: textsOf(plan), within: [] });
  const ordered = [...found.values()].sort((a, b) => a.start - b.start);
  const keys = new Map(ordered.map(({ start }, index) => [start, `${entry.toLowerCase()} ${index}`]));
  return ordered.map(({ start, within, ...point }) => ({
    ...point,
    key: keys.get(start) ?? '',
    place: placeOfByte(plan, start) ?? { line: 1, column: 1 },
    within: within.flatMap((around) => {
      const key = keys.get(around.start);
      return key === undefined ? [] : [{ key, branch: around.branch }];
    }),
  }));
}

interface Walk {
  readonly found: Map<number, Found>;
  readonly textOf: (node: AnyNode) => string | undefined;
  readonly within: Found['within'];
}

function walk(part: unknown, state: Walk): void {
  if (Array.isArray(part)) {
    for (const element of part) walk(element, state);
    return;
  }
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return;
  const message = part as AnyNode;
  if (message.node === 'resolved_function_call_node' && readPoint(message, state)) return;
  for (const field in message) if (!resolvedLeaves.has(field)) walk(message[field], state);
}

/** Reads a call as a branch point, and walks its branches. Returns false for other calls. */
function readPoint(node: AnyNode, state: Walk): boolean {
  const call = functionCall(node);
  if (call === undefined) return false;
  const isSwitch = call.name === '$case_with_value';
  if (!isSwitch && call.name !== '$case_no_value' && call.name !== 'if') return false;
  const range = rangeOf(node);
  const args = isSwitch ? call.arguments.slice(1) : call.arguments;
  const [switched] = call.arguments;
  const conditions: (AnyNode | undefined)[] = [];
  const branches: string[] = [];
  const results: AnyNode[] = [];
  for (let at = 0; at + 1 < args.length; at += 2) {
    const written = args[at] as AnyNode;
    const asEqual = { name: '$equal', type: bool };
    conditions.push(isSwitch ? withArguments(node, [switched as AnyNode, written], asEqual) : written);
    const text = state.textOf(written) ?? '…';
    branches.push(call.name === 'if' ? 'true' : `WHEN ${text}`);
    results.push(args[at + 1] as AnyNode);
  }
  const last = args.length % 2 === 1 ? (args.at(-1) as AnyNode) : undefined;
  // Without ELSE, the analyzer adds a NULL, which has no place in the text.
  const hasElse = last !== undefined && (call.name === 'if' || rangeOf(last) !== undefined);
  if (hasElse) {
    conditions.push(undefined);
    branches.push(call.name === 'if' ? 'false' : 'ELSE');
    results.push(last);
  }
  const known = conditions.filter((condition) => condition !== undefined).map(constancyOf);
  const isOfParameters =
    known.every(({ constant }) => constant) && known.some(({ parameters }) => parameters.size > 0);
  if (range === undefined || !isOfParameters) return false;
  const subject = state.textOf((call.name === 'if' ? args[0] : switched) as AnyNode) ?? '…';
  const text = call.name === 'if' ? `IF(${subject}, …)` : isSwitch ? `CASE ${subject}` : 'CASE';
  const { start } = range;
  state.found.set(start, { start, text, conditions, branches, within: state.within });
  for (const [branch, result] of results.entries())
    walk(result, { ...state, within: [...state.within, { start, branch }] });
  return true;
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

function rangeOf(node: AnyNode): ByteRange | undefined {
  const start = new ResolvedNode(node).byteOffset;
  if (start === undefined) return undefined;
  let message: AnyNode | undefined = unwrap(node).message;
  while (message !== undefined && !message.parse_location_range)
    message = message.parent as AnyNode | undefined;
  const range = asMessage(message?.parse_location_range, 'parse_location_range');
  return { start, end: Number(range.end) };
}

/** The text of a node in the query, on one line. */
function textsOf(plan: Plan): (node: AnyNode) => string | undefined {
  const bytes = Buffer.from(plan.sql);
  return (node) => {
    const range = rangeOf(node);
    if (range === undefined) return undefined;
    const text = bytes.subarray(range.start, range.end).toString().replace(/\s+/g, ' ');
    return text.length <= shownLength ? text : `${text.slice(0, shownLength - 1)}…`;
  };
}
