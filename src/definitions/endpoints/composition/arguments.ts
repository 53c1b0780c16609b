import { AnalyzerError } from '../../../sql/analyzer/error.ts';
import { calledFunction, nodesOf, volatileFunctions } from '../../../sql/plan/tree-nodes.ts';
import type { AnyNode } from '../../../sql/resolved/node.ts';
import { resultColumns } from '../../../sql/resolved/result-columns.ts';
import { constantSql, typeSql } from '../../../sql/text/sql-text.ts';
import { byteOffsetAt, positionAt } from '../../../sql/text/text-position.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import { coerceParameters } from '../parameters/coerce.ts';
import type { EndpointParameter } from '../parameters/endpoint-parameter.ts';
import type { Composing } from './composing.ts';
import type { Argument } from './references.ts';

/** A part of a text in place of a parameter, and where it is copied from, in UTF-8 bytes. */
export interface ArgumentPiece {
  readonly text: string;
  readonly from?: number;
}

/**
 * What stands in place of a parameter: the argument, a constant expression of exactly its type. Without an argument, the
 * parameter's value in a call without it.
 *
 * @param sql the text that contains the argument
 * @throws AnalyzerError with a position in it
 */
export async function argumentPieces(
  parameter: EndpointParameter,
  argument: Argument | undefined,
  sql: string,
  composing: Composing,
): Promise<readonly ArgumentPiece[]> {
  const { name, type } = parameter;
  if (argument === undefined) {
    const absent = coerceParameters({ parameters: [{ ...parameter, required: false }] }, new Map());
    return [{ text: constantSql(type, absent.get(name) ?? null) }];
  }
  const { value, parameter: passed } = argument;
  const own = composing.parameters.get(passed?.toLowerCase() ?? '');
  const text = Buffer.from(sql).subarray(value.start, value.end).toString();
  const copy = { text, from: value.start };
  if (own !== undefined && typeSql(own) === typeSql(type)) return [copy];
  await checkType(parameter, argument, sql, composing);
  return [{ text: 'CAST(' }, copy, { text: `\n AS ${typeSql(type)})` }];
}

/** Refuses what GoogleSQL doesn't convert into the parameter's type by itself. */
async function checkType(
  { name, type }: EndpointParameter,
  { value }: Argument,
  sql: string,
  composing: Composing,
): Promise<void> {
  const text = Buffer.from(sql).subarray(value.start, value.end).toString();
  const alone = await analyzed(text, 'SELECT ', '\n', value.start, sql, composing);
  for (const call of nodesOf('resolved_function_call_node', alone)) {
    const called = calledFunction(call);
    if (!volatileFunctions.has(called)) continue;
    const message = `An argument has one value: ${called.toUpperCase()} has another at each use`;
    throw new AnalyzerError(message, positionAt(sql, value.start));
  }
  const wanted = typeSql(type);
  const given = typeOf(alone);
  const choice = `SELECT IF(TRUE, CAST(NULL AS ${wanted}), `;
  const common = await analyzed(text, choice, '\n)', value.start, sql, composing).then(
    typeOf,
    (error: unknown) => {
      if (error instanceof AnalyzerError) return undefined;
      throw error;
    },
  );
  if (common === wanted) return;
  throw new AnalyzerError(`The parameter "${name}" is ${wanted}, not ${given}`, positionAt(sql, value.start));
}

/** Analyzes an expression without any table or column: an argument is the same for all rows. */
async function analyzed(
  expression: string,
  before: string,
  after: string,
  start: number,
  sql: string,
  { analyzer, catalog, parameters }: Composing,
): Promise<AnyNode> {
  const text = `${before}${expression}${after}`;
  try {
    return await analyzer.analyze(text, { catalog: { ...catalog, tables: [] }, parameters });
  } catch (error) {
    if (!(error instanceof AnalyzerError)) throw error;
    const { message, position } = error;
    const offset = position === undefined ? 0 : byteOffsetAt(text, position) - Buffer.byteLength(before);
    const hint = /^(?:Unrecognized name|Table not found)/.test(message)
      ? '. An argument is made of constants and parameters only'
      : '';
    throw new AnalyzerError(`${message}${hint}`, positionAt(sql, start + Math.max(0, offset)));
  }
}

function typeOf(statement: AnyNode): string {
  const [column] = resultColumns(statement);
  return column === undefined ? '' : typeSql(column.type as SqlType);
}
