import type { Column } from '../type.ts';
import { declaredFunctionsToProto } from './declared-functions.ts';
import { builtinFunctionOptions } from './language.ts';
import { typeToProto } from './type-proto.ts';

interface CatalogTable {
  /** The table's path in SQL: `['logs', 'edge_logs']`. Resolved table scans contain it joined with dots. */
  readonly path: readonly [string] | readonly [string, string];
  readonly columns: readonly Column[];
}

/**
 * The tables that a SQL text may name, besides BigQuery's functions. Each analyzer process registers a catalog once, by
 * object identity: pass the same object again to reuse it.
 */
export interface Catalog {
  readonly tables: readonly CatalogTable[];
}

/**
 * A catalog in the analyzer's wire form (`SimpleCatalogProto`). A table with a two-part path is added twice: the
 * analyzer takes a quoted dotted name as one part, so `` `logs.edge_logs` `` would miss the nested catalog.
 */
export function catalogToProto(catalog: Catalog): object {
  const root: object[] = [];
  const nested = new Map<string, object[]>();
  let nextId = 1;
  for (const { path, columns } of catalog.tables) {
    const name = path.join('.');
    const table = (nameInCatalog: string) => ({
      name,
      name_in_catalog: nameInCatalog,
      serialization_id: String(nextId++),
      allow_anonymous_column_name: true,
      allow_duplicate_column_names: true,
      column: columns.map((column) => ({ name: column.name, type: typeToProto(column.type) })),
    });
    root.push(table(name));
    const [first, second] = path;
    if (second !== undefined) nested.set(first, [...(nested.get(first) ?? []), table(second)]);
  }
  return {
    name: 'gateway',
    table: root,
    catalog: [...nested].map(([name, table]) => ({ name, table })),
    builtin_function_options: builtinFunctionOptions,
    custom_function: declaredFunctionsToProto(),
  };
}
