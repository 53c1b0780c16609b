import { counted } from '../../base/text/counted.ts';
import type { Source, SourceColumn } from '../../definitions/sources/source.ts';
import type { DryRun } from '../../rows/ingest/dry-run.ts';
import { formatType } from '../../sql/values/type.ts';

const shownLength = 2000;

/** What an import of a file would do, for a person. */
export function dryRunText(name: string, source: Source, { rows, repeated, badRows, first }: DryRun): string {
  const rejected = badRows.count === 0 ? '' : `; ${counted(badRows.count, 'row')} would be rejected`;
  const others =
    repeated === 0 ? '' : `; ${counted(repeated, 'row')} would not, because another row has the id`;
  return [
    `${name}: ${counted(rows - repeated, 'row')} would be imported into ${source.name}${others}${rejected}`,
    ...(first.length === 0 ? [] : ['first rows:', ...first.map((row) => `  ${shortened(row)}`)]),
  ].join('\n');
}

/** The columns of a source, one a line. */
export function columnsText({ name, columns }: Source): string {
  const width = Math.max(...columns.map((column) => column.name.length));
  const lines = columns.map((column) => `  ${column.name.padEnd(width)}  ${typeText(column)}`);
  return [`columns of ${name}:`, ...lines].join('\n');
}

function typeText({ type, mode }: SourceColumn): string {
  return `${formatType(type)}${mode === 'REQUIRED' ? ' REQUIRED' : ''}`;
}

function shortened(row: string): string {
  return row.length > shownLength ? `${row.slice(0, shownLength)}…` : row;
}
