import type { AnyNode } from '../resolved/node.ts';
import { type FunctionDefinition, functionDefinitions } from '../text/function-definitions.ts';
import { tokens } from '../text/lexer.ts';
import type { PlacedText } from '../text/place.ts';
import { type Plan, statementOf, withOwnTree } from './plan.ts';
import { calledFunction, nodesOf } from './tree-nodes.ts';

/** All that decides the result of a query over the same rows. */
export interface ResolvedQuery {
  readonly statement: AnyNode;
  /**
   * The definitions of the functions that the statement calls by name, without comments and layout, by name. Bodies in SQL are in the
   * tree, in place of their calls, so that these are the others: functions in JavaScript.
   */
  readonly definitions: readonly FunctionDefinition[];
}

/** The query of a plan. Its tree is not kept. */
export function resolvedQueryOf(plan: Plan): ResolvedQuery {
  return resolvedQuery(statementOf(withOwnTree(plan)), plan);
}

/** @param text the text of the statement, with the functions that it defines */
export function resolvedQuery(
  statement: AnyNode,
  text: Pick<PlacedText, 'sql' | 'functionsEnd'>,
): ResolvedQuery {
  const defined = functionDefinitions(text);
  if (defined.length === 0) return { statement, definitions: [] };
  const called = new Set(nodesOf('resolved_function_call_node', statement).map(calledFunction));
  const definitions = defined
    .filter(({ name }) => called.has(name))
    .map(({ name, text }) => ({ name, text: withoutLayout(text) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { statement, definitions };
}

/** Letter case stays: JavaScript reads the names of arguments. */
function withoutLayout(definition: string): string {
  return [...tokens(definition)].map(({ start, end }) => definition.slice(start, end)).join(' ');
}
