import type { Sql } from '../../dialect/calls.ts';

/** A text in quotes, a name in quotes, a placeholder, or a word. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\0[^\0]*\0|(?<![\w.])[A-Za-z_]\w*/g;

/** Words after which SQL may be evaluated for some rows only. */
const conditional = new Set(['CASE', 'AND', 'OR', 'WHERE', 'TRY', 'lambda', 'coalesce']);

/** Whether SQL is the name of a column. */
export function isName(sql: string): boolean {
  return /^(?:[A-Za-z_]\w*|"(?:[^"]|"")*")$/.test(sql);
}

interface Merging {
  /** Whether only columns that are renamed are replaced. */
  readonly onlyNames?: boolean;
  /** Expressions that are computed once wherever they are: the keys of groups. */
  readonly keys?: readonly string[] | undefined;
}

/**
 * Expressions over the columns of a SELECT as expressions over its FROM item: each column is replaced by what it is
 * defined as. So a SELECT around another one becomes one with it.
 *
 * @param definitions the columns, with their expressions
 * @returns undefined if a value would then be computed twice or for fewer rows, or where a name could have another meaning
 */
export function inlined(
  expressions: readonly Sql[],
  definitions: ReadonlyMap<string, Sql>,
  { onlyNames = false, keys = [] }: Merging = {},
): readonly Sql[] | undefined {
  if (definitions.size === 0) return expressions;
  const keySet = new Set(keys);
  const isFree = ({ sql }: Sql) => isName(sql) || keySet.has(sql);
  const computed = new Set<string>();
  /** Whether a column's value is computed in one more place, and may be. */
  const isComputedOnce = (name: string) => computed.size < computed.add(name).size;
  const results: Sql[] = [];
  for (const expression of expressions) {
    const whole = definitions.get(expression.sql);
    if (whole !== undefined) {
      if (!isFree(whole) && (onlyNames || !isComputedOnce(expression.sql))) return undefined;
      results.push(whole);
      continue;
    }
    const result = withDefinitions(expression, definitions, isFree);
    if (result.computed.length > 0 && (onlyNames || !isAlwaysEvaluated(expression, result.computed)))
      return undefined;
    if (!result.computed.every((name) => isMovable(definitions.get(name)) && isComputedOnce(name)))
      return undefined;
    // A query within the expression may have columns of the same names.
    if (expression.calls.subquery && result.sql !== expression.sql) return undefined;
    results.push({ sql: result.sql, calls: expression.calls });
  }
  return results;
}

/** The expression with the definitions, and the columns among them that are computed, as often as they are used. */
function withDefinitions(
  { sql }: Sql,
  definitions: ReadonlyMap<string, Sql>,
  isFree: (definition: Sql) => boolean,
) {
  const computed: string[] = [];
  const replaced = sql.replaceAll(token, (part) => {
    const definition = definitions.get(part);
    if (definition === undefined) return part;
    if (!isFree(definition)) computed.push(part);
    return definition.sql;
  });
  return { sql: replaced, computed };
}

function isMovable(definition: Sql | undefined): boolean {
  return definition !== undefined && !Object.values(definition.calls).includes(true);
}

/** Whether an expression evaluates its columns for every row: it has no conditions, nor macros, which may have some. */
function isAlwaysEvaluated({ sql, calls }: Sql, [first, ...others]: readonly string[]): boolean {
  if (calls.macro || calls.js) return false;
  // The first argument of COALESCE is always evaluated.
  const rest =
    others.length === 0 && sql.startsWith(`coalesce(${first}, `) ? sql.slice('coalesce'.length) : sql;
  return !(rest.match(token) ?? []).some((word) => conditional.has(word));
}
