import { pathOfTable, sourceOfTable } from '../../../../definitions/sources/source.ts';
import { type CatalogFunction, integerNames, pseudoColumnToProto } from '../../../../sql/analyzer/catalog.ts';
import { declaredFunctionsToProto } from '../../../../sql/analyzer/declared-functions.ts';
import { builtinFunctionOptions } from '../../../../sql/analyzer/language.ts';
import { typeToProto } from '../../../../sql/analyzer/type-proto.ts';
import type { ServedTable } from './served-table.ts';

/** Defaults for the parts of a table's name that a query omits. */
export interface NameDefaults {
  readonly projectId: string;
  readonly datasetId: string | undefined;
}

interface Folder {
  readonly tables: object[];
  readonly folders: Map<string, Folder>;
}

/**
 * The tables in the analyzer's wire form (`SimpleCatalogProto`), each under every possible spelling: with and without
 * backquotes, which combine several parts into one, and with and without the parts that have defaults. A scan in the
 * resolved tree identifies its table by the index in `tables`, as `serialization_id`; its name is the embedded
 * engine's.
 *
 * @param functions those that the query defines itself
 */
export function catalogProto(
  tables: readonly ServedTable[],
  defaults: NameDefaults,
  functions: readonly CatalogFunction[] = [],
): object {
  const root: Folder = { tables: [], folders: new Map() };
  for (const [index, table] of tables.entries()) {
    for (const path of pathsOf(table, defaults)) enter(root, path, table, index);
  }
  return {
    ...folderProto('', root),
    named_type: integerNames,
    builtin_function_options: builtinFunctionOptions,
    custom_function: [...declaredFunctionsToProto(), ...functions.map(({ definition }) => definition)],
  };
}

function pathsOf(
  { projectId, datasetId, tableId }: ServedTable,
  defaults: NameDefaults,
): readonly (readonly string[])[] {
  const isDefaultProject = projectId === defaults.projectId;
  const isDefaultDataset = isDefaultProject && datasetId === defaults.datasetId;
  return [
    ...joinings([projectId, datasetId, tableId]),
    ...(isDefaultProject ? joinings([datasetId, tableId]) : []),
    ...(isDefaultDataset ? [[tableId]] : []),
  ];
}

/** Every way to combine adjacent parts of a name: `a.b.c`, `a` `b.c`, `a.b` `c`, `a` `b` `c`. */
function joinings(parts: readonly string[]): string[][] {
  const [first, ...rest] = parts;
  if (first === undefined) return [[]];
  return joinings(rest).flatMap((path) => {
    const [next, ...others] = path;
    return next === undefined
      ? [[first]]
      : [
          [first, ...path],
          [`${first}.${next}`, ...others],
        ];
  });
}

function enter(folder: Folder, path: readonly string[], table: ServedTable, index: number): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    folder.tables.push(tableProto(first, table, index));
    return;
  }
  let next = folder.folders.get(first);
  if (next === undefined) {
    next = { tables: [], folders: new Map() };
    folder.folders.set(first, next);
  }
  enter(next, rest, table, index);
}

function tableProto(
  nameInCatalog: string,
  { tableId, source, columns, pseudoColumns = [] }: ServedTable,
  index: number,
): object {
  const { isWildcard } = sourceOfTable(tableId);
  return {
    name: pathOfTable(isWildcard ? `${source}_*` : source),
    name_in_catalog: nameInCatalog,
    serialization_id: String(index + 1),
    column: [
      ...columns.map(({ name, type }) => ({ name, type: typeToProto(type) })),
      ...pseudoColumns.map(pseudoColumnToProto),
    ],
  };
}

function folderProto(name: string, { tables, folders }: Folder): object {
  return {
    name,
    table: tables,
    catalog: [...folders].map(([folderName, folder]) => folderProto(folderName, folder)),
  };
}
