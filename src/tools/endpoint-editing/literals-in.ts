import { scalarParameterTypes } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { QueryLiteral } from '../../server/operator/endpoint-files/endpoint-editing.ts';
import { type TextRange, textRange } from '../../sql/plan/parse-tree.ts';
import { type Plan, statementOf } from '../../sql/plan/plan.ts';
import { calledFunction, nodesOf } from '../../sql/plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../../sql/resolved/node.ts';
import { valueFromProto } from '../../sql/resolved/value-from-proto.ts';
import { originalByte } from '../../sql/text/rewriting.ts';
import type { SqlType } from '../../sql/values/type.ts';
import { datetimeTextOfMicros } from '../../sql/values/value-text.ts';
import { typeOfExpression } from '../language-server/project/analyzed-names.ts';

const literalNode = 'resolved_literal_node';

/** A literal as an argument of a call. */
interface Use {
  /** In lower case: `$equal`. */
  readonly called: string;
  /** The position among the arguments. */
  readonly at: number;
  /** The text of the expression that it is compared with. */
  readonly compared: string | undefined;
}

/** Calls that compare: callers choose what columns are compared with. */
const comparisons: ReadonlySet<string> = new Set(
  '$equal $less $less_or_equal $greater $greater_or_equal $between $like starts_with ends_with'.split(' '),
);

const timeTypes: ReadonlySet<string> = new Set(['TIMESTAMP', 'DATETIME', 'DATE', 'TIME']);

/**
 * The literals of a query of the types that parameters can have, in the order of the text.
 *
 * @param text the query as it was written
 */
export function literalsIn(plan: Plan, text: string): readonly QueryLiteral[] {
  const bytes = Buffer.from(text);
  const rewriting = plan.origin?.rewriting;
  const place = (byte: number) => (rewriting === undefined ? byte : originalByte(rewriting, byte));
  const offset = (byte: number) => bytes.subarray(0, byte).toString().length;
  const spanOf = ({ start, end }: TextRange) => {
    const [first, last] = [place(start), place(end - 1)];
    return first === undefined || last === undefined
      ? undefined
      : { from: offset(first), to: offset(last + 1) };
  };
  const textOf = (node: AnyNode) => {
    const range = textRange(node);
    const span = range && spanOf(range);
    return span && text.slice(span.from, span.to);
  };
  const statement = statementOf(plan);
  const uses = usesOf(statement, textOf);
  const found = new Map<number, QueryLiteral>();
  for (const node of nodesOf(literalNode, statement)) {
    const range = textRange(node);
    const span = range && spanOf(range);
    const value = literalValue(node);
    if (span === undefined || value === undefined) continue;
    if (!isLiteralText(text.slice(span.from, span.to))) continue;
    const use = uses.get(node);
    const compared = use?.compared;
    found.set(span.from, {
      ...{ ...span, ...value, name: proposedName(use, value.type) },
      ...(compared !== undefined && { compared }),
      isLikely: use !== undefined && compared !== undefined && comparisons.has(use.called),
    });
  }
  return [...found.values()].sort((a, b) => a.from - b.from);
}

/** A literal as it stands in a text, with the type that it begins with or without: `TIMESTAMP '2026-01-01'`. */
function isLiteralText(text: string): boolean {
  return /^(?:(?:TIMESTAMP|DATE|DATETIME|TIME|NUMERIC|BIGNUMERIC|DECIMAL|JSON)\s+)?[rRbB]{0,2}(?:".*"|'.*')$|^-?\.?\d[\w.]*$|^(?:TRUE|FALSE)$/is.test(
    text,
  );
}

/** Which literals are arguments of which calls. A cast that the analyzer has added doesn't count. */
function usesOf(
  statement: AnyNode,
  textOf: (node: AnyNode) => string | undefined,
): ReadonlyMap<AnyNode, Use> {
  const uses = new Map<AnyNode, Use>();
  for (const call of nodesOf('resolved_function_call_node', statement)) {
    const base = asMessage(call.parent, 'parent');
    const called = calledFunction(call);
    const args = asList(base.argument_list, 'argument_list').map((each) =>
      unwrap(asMessage(each, 'argument')),
    );
    const compared = args
      .filter(({ kind }) => kind !== literalNode)
      .map(({ message }) => textOf(message))
      .find((text) => text !== undefined && nameIn(text) !== undefined);
    for (const [at, { kind, message }] of args.entries()) {
      if (kind === literalNode) uses.set(message, { called, at, compared });
    }
  }
  return uses;
}

/** The type and the value of a literal, as a parameter has them. Undefined for NULL and for types that parameters lack. */
function literalValue(node: AnyNode): { readonly type: string; readonly value: string } | undefined {
  const type = typeOfExpression(node);
  if (type === undefined || !scalarParameterTypes.some((kind) => kind === type.kind)) return undefined;
  const { value: proto } = asMessage(node.value, 'value');
  return typeof proto === 'object' && proto !== null ? valueText(type, proto as AnyNode) : undefined;
}

function valueText(
  type: SqlType,
  proto: AnyNode,
): { readonly type: string; readonly value: string } | undefined {
  const value = valueFromProto(type, proto);
  if (value === null) return undefined;
  const text = type.kind === 'TIMESTAMP' ? `${datetimeTextOfMicros(BigInt(String(value)))}Z` : String(value);
  return { type: type.kind, value: text };
}

/** The last name in an expression that isn't that of a function. */
function nameIn(expression: string): string | undefined {
  const names = expression.match(/(?<![\w'"@])[A-Za-z_]\w*(?!\w|\s*\()/g) ?? [];
  return names.at(-1);
}

function proposedName(use: Use | undefined, type: string): string {
  if (use === undefined) return 'value';
  const { called, at, compared } = use;
  const column = (compared && nameIn(compared)) ?? 'value';
  const isTime = timeTypes.has(type);
  const isStart = (called === '$between' && at === 1) || /greater/.test(called);
  const isEnd = (called === '$between' && at === 2) || /less/.test(called);
  if (isStart) return isTime ? 'start' : `min_${column}`;
  if (isEnd) return isTime ? 'end' : `max_${column}`;
  return column;
}
