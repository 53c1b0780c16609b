import { type TextRange, textRange } from '../../../sql/plan/parse-tree.ts';
import { nodesOf, syntaxNodesOf, visitFields } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, messages } from '../../../sql/resolved/node.ts';
import { tokens } from '../../../sql/text/lexer.ts';
import { formatType, type SqlType } from '../../../sql/values/type.ts';
import { canFail } from '../bounds/can-fail.ts';
import { type Call, callOf, constantOf, typeOf } from '../bounds/constant.ts';
import { type Choice, isWithin, type Part } from './choice.ts';

/** The nodes of a parse tree that compute only some of their parts, and the field with these. */
const conditionalNodes = {
  ast_or_expr_node: 'disjuncts',
  ast_and_expr_node: 'conjuncts',
  ast_case_value_expression_node: 'arguments',
  ast_case_no_value_expression_node: 'arguments',
  ast_function_call_node: 'arguments',
};

/** BigQuery takes no outer join without an equality, and no grouping by a literal. */
const fixedFields: ReadonlySet<string> = new Set(['on_clause', 'grouping_items']);

const callFields: ReadonlySet<string> = new Set(['ast_function_call_node']);
const queryFields: ReadonlySet<string> = new Set(['query', 'ast_query_node']);

/** The same in a resolved tree. */
const conditionalCalls = new Set([
  '$and',
  '$or',
  'if',
  '$case_no_value',
  '$case_with_value',
  'coalesce',
  'ifnull',
]);

/**
 * Finds the conditions and branches of a query that can depend on its parameters alone. What they mean is in the resolved tree, and
 * where they are is in the parse tree, which also has texts that the resolved tree has once: those of GROUP BY.
 *
 * @param parsed the parse tree of the same text
 */
export function findChoices(statement: AnyNode, parsed: AnyNode, sql: string): readonly Choice[] {
  const bytes = Buffer.from(sql);
  const textOf = (range: TextRange) => bytes.subarray(range.start, range.end).toString();
  const calls = callsByText(statement, textOf);
  const aggregates = nodesOf('resolved_aggregate_function_call_node', statement).map(textRange);
  // Without its place, an aggregation could be taken out, with the grouping that it causes.
  if (aggregates.includes(undefined)) return [];
  const aggregateTexts = new Set(aggregates.map((range) => range && textOf(range)));
  const context = {
    fixed: rangesOf(fixedFields, parsed),
    queries: rangesOf(queryFields, parsed),
    aggregates: rangesOf(callFields, parsed).filter((range) => aggregateTexts.has(textOf(range))),
    textOf,
  };
  return Object.entries(conditionalNodes).flatMap(([kind, field]) =>
    syntaxNodesOf(kind, parsed).flatMap((node) => {
      const range = textRange(node);
      const parts = messages(node, field).map(rangeOfPart);
      const call = range && calls.get(textOf(range));
      const isComplete = parts.every((part) => part !== undefined);
      if (range === undefined || !isComplete || call === undefined) return [];
      const choice = choiceOf(call, range, parts, context);
      return choice === undefined ? [] : [choice];
    }),
  );
}

function rangesOf(fields: ReadonlySet<string>, parsed: AnyNode): readonly TextRange[] {
  const ranges: TextRange[] = [];
  visitFields(parsed, new Set(), (field, value) => {
    if (!fields.has(field)) return;
    for (const part of [value].flat()) {
      const range = textRange(part);
      if (range !== undefined) ranges.push(range);
    }
  });
  return ranges;
}

/** The conditional calls of a resolved tree by their texts, without texts that mean several. */
function callsByText(statement: AnyNode, textOf: (range: TextRange) => string): ReadonlyMap<string, Call> {
  const calls = new Map<string, Call | undefined>();
  for (const message of nodesOf('resolved_function_call_node', statement)) {
    const call = callOf({ node: 'resolved_function_call_node', resolved_function_call_node: message });
    const range = textRange(message);
    if (call === undefined || range === undefined || !conditionalCalls.has(call.name)) continue;
    const text = textOf(range);
    const other = calls.get(text);
    calls.set(text, calls.has(text) && !(other && isAlike(call, other)) ? undefined : call);
  }
  return new Map([...calls].flatMap(([text, call]) => (call === undefined ? [] : [[text, call]])));
}

function isAlike(one: Call, other: Call): boolean {
  const types = (call: Call) => call.arguments.map((argument) => formatType(typeOf(argument))).join();
  return one.name === other.name && types(one) === types(other);
}

interface TextContext {
  /** In these, conditions stay. */
  readonly fixed: readonly TextRange[];
  /** The queries, also those within others. */
  readonly queries: readonly TextRange[];
  readonly aggregates: readonly TextRange[];
  readonly textOf: (range: TextRange) => string;
}

function choiceOf(
  { name, arguments: args }: Call,
  range: TextRange,
  ranges: readonly TextRange[],
  context: TextContext,
): Choice | undefined {
  const constants = args.map(constantOf);
  const part = (index: number): Part => partOf(args[index] as AnyNode, ranges[index] as TextRange, context);
  switch (name) {
    case '$or':
    case '$and': {
      const known = constants.filter((constant) => constant !== undefined);
      const others = args.filter((_, index) => constants[index] === undefined);
      if (known.length === 0 || others.length === 0 || others.some(canFail)) return undefined;
      if (!isPlain(range, context) || aggregatesIn(range, context)) return undefined;
      if (context.fixed.some((fixed) => isWithin(range, fixed))) return undefined;
      return { kind: 'connective', range, decisive: name === '$or', constants: known };
    }
    case 'if':
    case '$case_no_value': {
      if (!isWritten(args, ranges)) return undefined;
      const { conditionAt, resultAt } = places(ranges.length, 0);
      return {
        kind: 'branches',
        conditions: conditionAt.map((at) => constants[at]),
        results: resultAt.map(part),
        conditionRanges: conditionAt.map((at) => removable(ranges[at] as TextRange, context)),
      };
    }
    case '$case_with_value': {
      const [value] = constants;
      if (!isWritten(args, ranges) || value === undefined) return undefined;
      const { conditionAt, resultAt } = places(ranges.length, 1);
      const equals = conditionAt.map((at) => {
        const other = constants[at];
        return other && ({ kind: 'call', name: '$equal', arguments: [value, other] } as const);
      });
      return {
        kind: 'branches',
        conditions: equals,
        results: resultAt.map(part),
        conditionRanges: conditionAt.map(() => undefined),
      };
    }
    case 'coalesce':
    case 'ifnull':
      if (ranges.length !== args.length) return undefined;
      return { kind: 'first value', constants, arguments: args.map((_, index) => part(index)) };
    default:
      return undefined;
  }
}

/** Whether the arguments are those of the text, but for the NULL of a CASE without ELSE. */
function isWritten(args: readonly AnyNode[], ranges: readonly TextRange[]): boolean {
  const last = args.at(-1);
  const isAdded = args.length === ranges.length + 1 && last !== undefined && constantOf(last) !== undefined;
  return args.length === ranges.length || isAdded;
}

/** Where conditions and results are among arguments that begin at `from`. A last result has no condition. */
function places(count: number, from: number) {
  const conditionAt: number[] = [];
  const resultAt: number[] = [];
  for (let at = from; at < count; at += 2) {
    if (at + 1 < count) conditionAt.push(at);
    resultAt.push(Math.min(at + 1, count - 1));
  }
  return { conditionAt, resultAt };
}

/** What can take the place of an argument that is never computed: NULL of the type that it has in the call. */
function partOf(argument: AnyNode, range: TextRange, context: TextContext): Part {
  const type = typeOf(argument);
  // A constant costs nothing.
  if (constantOf(argument) !== undefined || !isWritable(type) || !isPlain(range, context))
    return { range, sql: undefined };
  const nothing = `CAST(NULL AS ${formatType(type)})`;
  if (!aggregatesIn(range, context)) return { range, sql: nothing };
  // The query stays one that aggregates.
  return { range, sql: type.kind === 'ARRAY' ? undefined : `ANY_VALUE(${nothing})` };
}

function removable(range: TextRange, context: TextContext): TextRange | undefined {
  return isPlain(range, context) && !aggregatesIn(range, context) ? range : undefined;
}

/** Whether a part of a query aggregates its rows. Subqueries aggregate their own. */
function aggregatesIn(range: TextRange, { aggregates, queries }: TextContext): boolean {
  const subqueries = queries.filter((query) => isWithin(query, range));
  return aggregates.some(
    (each) => isWithin(each, range) && !subqueries.some((query) => isWithin(each, query)),
  );
}

/** Whether a range is an expression by itself: brackets around it belong to it as a whole, or not at all. */
function isPlain(range: TextRange, { textOf }: TextContext): boolean {
  let depth = 0;
  for (const { text } of tokens(textOf(range))) {
    if (text === '(') depth++;
    if (text === ')') depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Whether a type can be written in a CAST, and NULL of it is what an expression of it would be. */
function isWritable(type: SqlType): boolean {
  if (type.kind === 'ARRAY') return isWritable(type.element);
  return type.kind !== 'STRUCT';
}

/** Parts of a parse tree are wrapped in what they can be. */
function rangeOfPart(part: AnyNode): TextRange | undefined {
  let node = part;
  while (typeof node.node === 'string') node = node[node.node] as AnyNode;
  return textRange(node);
}
