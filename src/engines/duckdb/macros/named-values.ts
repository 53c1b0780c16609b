/**
 * An expression over values that are computed once, even if the body uses them several times: a single-row list,
 * transformed by a lambda.
 *
 * DuckDB can't resolve an outer query's columns in the body of a lambda, so all columns that the body uses must be
 * passed in this way. The row's fields have no names, because DuckDB loses the name of a field that is a macro call in
 * an aggregate of a correlated subquery.
 *
 * @param variable the lambda's parameter, which no value may contain
 * @param values SQL by name
 * @param body returns the expression, given the SQL for each value
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
