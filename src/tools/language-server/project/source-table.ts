import { pseudoColumns } from '../../../definitions/sources/pseudo-columns.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import { pathOfTable, tableOfSource } from '../../../definitions/sources/source.ts';
import { type Field, fieldOfType, type Table } from '../../../sql/editing/field.ts';
import { describeSource } from '../markdown/describe.ts';

/** A source as queries read it. */
export interface SourceTable extends Table {
  /** The path of its file. */
  readonly file: string;
}

export function sourceTable(source: Source): SourceTable {
  return {
    name: pathOfTable(tableOfSource(source)),
    fields: source.columns.map(fieldOfColumn),
    pseudoFields: pseudoColumns(source).map(({ name, type }) => fieldOfType(name, type)),
    description: describeSource(source),
    file: source.file,
  };
}

function fieldOfColumn({ fields, ...column }: SourceColumn): Field {
  return { ...column, fields: fields.map(fieldOfColumn) };
}
