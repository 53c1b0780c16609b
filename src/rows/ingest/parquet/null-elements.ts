import { type DuckDBConnection, DuckDBListType, DuckDBStructType, type DuckDBType } from '@duckdb/node-api';
import { quoteIdentifier } from '../../../engines/duckdb/dialect/duck-type.ts';
import { stringLiteral } from '../../../engines/duckdb/dialect/literal.ts';

/** A list in a file: its place, and the condition that some of its elements are NULL in a row. */
interface FileList {
  readonly path: readonly string[];
  readonly hasNull: string;
}

/**
 * The lists of a file that have NULL elements.
 *
 * @param relation the file's rows, as SQL
 * @returns their places: see `listKey`
 */
export async function listsWithNull(
  connection: DuckDBConnection,
  relation: string,
  { names, types }: { readonly names: readonly string[]; readonly types: readonly DuckDBType[] },
): Promise<ReadonlySet<string>> {
  const lists = types.flatMap((type, i) => {
    const name = names[i] ?? '';
    return listsOf(type, [name], (condition) => condition(quoteIdentifier(name)));
  });
  if (lists.length === 0) return new Set();
  const flags = lists.map(({ hasNull }) => `coalesce(bool_or(${hasNull}), false)`);
  const reader = await connection.runAndReadAll(`SELECT ${flags.join(', ')} FROM ${relation}`);
  return new Set(lists.flatMap(({ path }, i) => (reader.value(i, 0) === true ? [listKey(path)] : [])));
}

/** The names that lead to a list, as one text. */
export function listKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** @param holds makes a condition of a row from one of a value of this type */
function listsOf(
  type: DuckDBType,
  path: readonly string[],
  holds: (condition: (value: string) => string) => string,
): FileList[] {
  if (type instanceof DuckDBStructType)
    return type.entryTypes.flatMap((inner, i) => {
      const name = type.entryNames[i] ?? '';
      return listsOf(inner, [...path, name], (condition) =>
        holds((value) => condition(`struct_extract(${value}, ${stringLiteral(name)})`)),
      );
    });
  if (!(type instanceof DuckDBListType)) return [];
  const own = { path, hasNull: holds((value) => `len(${value}) > list_count(${value})`) };
  const element = `e${path.length}`;
  const inner = listsOf(type.valueType, path, (condition) =>
    holds((value) => `list_bool_or(list_transform(${value}, lambda ${element}: ${condition(element)}))`),
  );
  // A list of lists is JSON anyway.
  return type.valueType instanceof DuckDBListType ? [own] : [own, ...inner];
}
