import { pseudoColumns } from '../../definitions/sources/pseudo-columns.ts';
import { idColumn, timeColumn, uniqueColumns } from '../../definitions/sources/row-key.ts';
import { placeOfTable, type Source, tableOfSource } from '../../definitions/sources/source.ts';
import type { Catalog } from '../../sql/analyzer/catalog.ts';

/** The catalog of stored queries, which name a source as `logs.<source>`, as `logs.<source>_*` or, the gateway's own, as `gateway.<source>`. */
export function sourceCatalog(sources: readonly Source[]): Catalog {
  return {
    tables: sources.map((source) => {
      const pseudo = pseudoColumns(source);
      const time = timeColumn(source)?.name;
      const keys = [timeColumn(source), idColumn(source)].filter((column) => column !== undefined);
      const table = {
        path: placeOfTable(tableOfSource(source)),
        columns: source.columns,
        unique: uniqueColumns(source),
        filled: keys.filter(({ mode }) => mode === 'REQUIRED').map(({ name }) => name),
        ...(time !== undefined && time.toLowerCase() !== 'timestamp' && { time }),
      };
      return pseudo.length === 0 ? table : { ...table, pseudoColumns: pseudo };
    }),
  };
}
