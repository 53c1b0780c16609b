import type { AnyNode } from '../resolved/node.ts';
import type { Column } from '../values/type.ts';
import { declaredFunctionsToProto, withOptions } from './declared-functions.ts';
import { builtinFunctionOptions } from './language.ts';
import { typeToProto } from './type-proto.ts';

export interface CatalogTable {
  /** The table's path in SQL: `['logs', 'edge_logs']`. Resolved table scans contain it joined with dots. */
  readonly path: readonly [string] | readonly [string, string];
  readonly columns: readonly Column[];
  /** The column that orders its rows in time, if it isn't `timestamp`. */
  readonly time?: string;
  /** Columns of which each identifies its rows. */
  readonly unique?: readonly string[];
  /** Columns that have a value in each row. */
  readonly filled?: readonly string[];
  /** Columns that `SELECT *` does not have. */
  readonly pseudoColumns?: readonly Column[];
}

/** A function in addition to the built-in ones. */
export interface CatalogFunction {
  /** Its parts in SQL: `['f']`, `['AI', 'GENERATE']`. */
  readonly path: readonly string[];
  /** Its definition in the analyzer's wire form (`FunctionProto`). */
  readonly definition: object;
  /** What stands in place of its calls. Absent for functions that have none, and those whose types differ by call. */
  readonly body?: FunctionBody;
}

/** The body of a SQL function whose arguments have types, as the analyzer resolved it once. */
interface FunctionBody {
  /** Its arguments, in order. */
  readonly argumentNames: readonly string[];
  /** An expression over references to the arguments. */
  readonly expression: AnyNode;
}

/**
 * The tables and functions that a SQL text may name, besides BigQuery's functions. Each analyzer process registers a catalog once, by
 * object identity: pass the same object again to reuse it.
 */
export interface Catalog {
  readonly tables: readonly CatalogTable[];
  readonly functions?: readonly CatalogFunction[];
  /** Names of options that the text may use, and the analyzer's functions lack. */
  readonly options?: readonly string[];
}

/** The catalog with further functions; the same object without any, since the analyzer's processes recognise it. */
export function withFunctions(catalog: Catalog, functions: readonly CatalogFunction[]): Catalog {
  return functions.length === 0 ? catalog : { ...catalog, functions };
}

/** The catalog with the options that a text may use; the same object without any. */
export function withOptionsIn(catalog: Catalog, sql: string): Catalog {
  const options = [...withOptions.keys()].filter((option) => sql.toLowerCase().includes(option));
  return options.length === 0 ? catalog : { ...catalog, options };
}

/** A part of a catalog in wire form. */
interface Folder {
  readonly name: string;
  readonly table: object[];
  readonly custom_function: object[];
  readonly catalog: Folder[];
}

/**
 * A catalog in the analyzer's wire form (`SimpleCatalogProto`). What has a path of several parts is added twice: the
 * analyzer takes a quoted dotted name as one part, so `` `logs.edge_logs` `` would miss the nested catalog.
 */
export function catalogToProto({ tables, functions = [], options = [] }: Catalog): object {
  const root = newFolder('gateway');
  let nextId = 1;
  for (const { path, columns, pseudoColumns = [] } of tables) {
    const name = path.join('.');
    for (const { folder, inFolder } of placesOf(path, root)) {
      folder.table.push({
        name,
        name_in_catalog: inFolder,
        serialization_id: String(nextId++),
        allow_anonymous_column_name: true,
        allow_duplicate_column_names: true,
        column: [...columns.map(columnToProto), ...pseudoColumns.map(pseudoColumnToProto)],
      });
    }
  }
  for (const { path, definition } of functions) {
    for (const { folder, inFolder } of placesOf(path, root)) {
      const names = folder === root ? { name_path: [inFolder] } : {};
      folder.custom_function.push({ ...definition, ...names });
    }
  }
  const replaced = options.flatMap((option) => withOptions.get(option) ?? []);
  root.custom_function.push(...declaredFunctionsToProto(), ...replaced.map(({ proto }) => proto));
  const excluded = [...builtinFunctionOptions.exclude_function_ids, ...replaced.map(({ id }) => id)];
  return {
    ...root,
    named_type: integerNames,
    builtin_function_options: { ...builtinFunctionOptions, exclude_function_ids: excluded },
  };
}

/** BigQuery's other names of INT64. */
export const integerNames = ['INT', 'SMALLINT', 'INTEGER', 'BIGINT', 'TINYINT', 'BYTEINT'].map((name) => ({
  name,
  type: typeToProto({ kind: 'INT64' }),
}));

function columnToProto({ name, type }: Column): object {
  return { name, type: typeToProto(type) };
}

/** A column that `SELECT *` does not have. */
export function pseudoColumnToProto(column: Column): object {
  return { ...columnToProto(column), is_pseudo_column: true };
}

function newFolder(name: string): Folder {
  return { name, table: [], custom_function: [], catalog: [] };
}

/** The whole path in the root and, if it has several parts, its last part in the folder of the others. */
function placesOf(
  path: readonly string[],
  root: Folder,
): readonly { readonly folder: Folder; readonly inFolder: string }[] {
  const whole = { folder: root, inFolder: path.join('.') };
  if (path.length === 1) return [whole];
  let folder = root;
  for (const part of path.slice(0, -1)) {
    // GoogleSQL ignores the letter case of these names.
    let next = folder.catalog.find(({ name }) => name.toLowerCase() === part.toLowerCase());
    if (next === undefined) {
      next = newFolder(part);
      folder.catalog.push(next);
    }
    folder = next;
  }
  return [whole, { folder, inFolder: path.at(-1) ?? '' }];
}
