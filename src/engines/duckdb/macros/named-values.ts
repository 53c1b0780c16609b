import { macroDatabase } from './macro.ts';

/**
 * A field of a call of struct_pack. In an aggregate of a correlated subquery DuckDB loses the name of a field
 * that is the call of a macro and nothing else, so such a call is made part of another expression.
 */
export function namedField(name: string, sql: string): string {
  return `${name} := ${sql.startsWith(`${macroDatabase}.`) ? `coalesce(${sql}, NULL)` : sql}`;
}

/**
 * An expression with values under names, `v.<name>` where `v` is the variable: a list of one struct, transformed by
 * a lambda. A value is computed once however often its name stands in the body.
 *
 * DuckDB doesn't find columns of an outer query in the body of a lambda, so whatever a body uses of columns has to
 * come in this way.
 */
export function withNamedValues(variable: string, values: ReadonlyMap<string, string>, body: string): string {
  const fields = [...values].map(([name, sql]) => namedField(name, sql));
  return `list_extract(list_transform([struct_pack(${fields.join(', ')})], lambda ${variable}: ${body}), 1)`;
}
