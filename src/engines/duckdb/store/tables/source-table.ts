import type { Source, SourceColumn } from '../../../../definitions/sources/source.ts';
import { elementType } from '../../../../sql/values/type.ts';
import { duckType, quoteIdentifier } from '../../dialect/duck-type.ts';

/** The column definitions of a source's rows as its schema has them, for CREATE TABLE. */
export function columnDefinitions(columns: readonly SourceColumn[]): string {
  return columns.map(columnDefinition).join(', ');
}

/** One column definition. REQUIRED is checked by ingest, so that a schema can relax it later. */
function columnDefinition(column: SourceColumn): string {
  return `${quoteIdentifier(column.name)} ${duckType(column.type)}`;
}

/** The names of all columns, in the schema's order. */
export function columnList(columns: readonly SourceColumn[]): string {
  return columns.map((column) => quoteIdentifier(column.name)).join(', ');
}

/** Types that DuckDB can't represent exactly, or that can't be imported. */
const unstorable = new Set(['GEOGRAPHY', 'INTERVAL']);

/** A column that can't be stored. */
interface UnstorableColumn {
  /** The names of the records around it, and its own. */
  readonly path: readonly string[];
  /** A sentence that names the source and the column. */
  readonly text: string;
}

/** A sentence for every column, including nested ones, whose type or name can't be stored. */
export function unstorableColumns(source: Source): string[] {
  return findUnstorable(source).map(({ text }) => text);
}

/** Every column, including nested ones, whose type or name can't be stored. */
export function findUnstorable(source: Source): UnstorableColumn[] {
  const found: UnstorableColumn[] = [];
  const report = (path: readonly string[], reason: string) =>
    found.push({ path, text: `${source.name}: the column ${path.join('.')} ${reason}` });
  const visit = (columns: readonly SourceColumn[], records: readonly string[]) => {
    for (const { name, type, fields } of columns) {
      const path = [...records, name];
      const { kind } = elementType(type);
      if (unstorable.has(kind)) report(path, `is of type ${kind}, which the embedded store lacks`);
      visit(fields, path);
    }
  };
  visit(source.columns, []);
  for (const { name } of source.columns) {
    if (name.toLowerCase() === 'rowid')
      report([name], "has the name that the embedded store has for a row's place");
  }
  return found;
}
