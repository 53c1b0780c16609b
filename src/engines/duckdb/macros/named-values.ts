/**
 * An expression over values that are computed once, however often their names stand in the body: a list of one row, transformed
 * by a lambda.
 *
 * DuckDB doesn't find columns of an outer query in the body of a lambda, so whatever a body uses of columns has to come in this
 * way. The row's fields have no names in DuckDB, which in an aggregate of a correlated subquery loses the name of a field that
 * is the call of a macro.
 *
 * @param variable the name of the lambda's parameter, which no value may have a part in
 * @param values SQL by name
 * @param body makes the expression from the SQL that stands for each of the values
 */
export function withNamedValues<Name extends string>(
  variable: string,
  values: Readonly<Record<Name, string>>,
  body: (named: Readonly<Record<Name, string>>) => string,
): string {
  const names = Object.keys(values) as Name[];
  const fields = names.map((name, i) => [name, `struct_extract_at(${variable}, ${i + 1})`]);
  const row = `row(${names.map((name) => values[name]).join(', ')})`;
  const result = body(Object.fromEntries(fields) as Record<Name, string>);
  return `list_extract(list_transform([${row}], lambda ${variable}: ${result}), 1)`;
}
