import { isStored } from '../../app/engines/registry.ts';
import { checkSources } from '../../app/schema/load-schema.ts';
import { formatProblem } from '../../base/errors/problem.ts';
import type { Output } from '../../base/terminal/output.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { loadSources } from '../../definitions/sources/load-sources.ts';
import { idColumn, timeColumn } from '../../definitions/sources/row-key.ts';
import { schemaText } from '../../definitions/sources/schema-text.ts';
import { sentName } from '../../definitions/sources/sent-name.ts';
import type { Source, SourceColumn } from '../../definitions/sources/source.ts';
import { countFields } from '../../definitions/sources/source.ts';
import { tableFields } from '../../definitions/sources/table-field.ts';
import { elementType } from '../../sql/values/type.ts';
import { findSource } from '../options/find-named.ts';

interface ShowOptions {
  /** Whether to print the source as the content of a source file. */
  readonly json?: boolean;
}

/**
 * Prints all sources, or one source with its fields, as files and added fields define them. Needs no data.
 *
 * @param named a name or an alias
 * @returns the exit code: 1 for errors in the files
 * @throws UsageError for an unknown source
 */
export async function showCommand(
  config: Pick<Config, 'sourcesDir' | 'dataDir' | 'engine' | 'recordCalls' | 'recordCallsDays'>,
  { out, err }: Output,
  named: string | undefined,
  { json = false }: ShowOptions = {},
): Promise<number> {
  const { sources, problems } = await checkSources(config);
  for (const problem of problems) err(`${formatProblem(problem)}\n`);
  if (named === undefined) {
    out(table(['SOURCE', 'FIELDS', 'UNKNOWN FIELDS', 'DAYS', 'ALIASES'], sources.map(summary)));
    return problems.length === 0 ? 0 : 1;
  }
  const source = findSource(sources, named);
  if (json) {
    out(schemaText(tableFields(source.columns), source));
    return problems.length === 0 ? 0 : 1;
  }
  const { sources: declared } = await loadSources(config.sourcesDir, {
    isStored: isStored(config),
  });
  const own = declared.find(({ name }) => name === source.name)?.columns ?? source.columns;
  out(
    `${settingLines(source).join('\n')}\n\n${table(['FIELD', 'TYPE', ''], fieldRows(source.columns, own))}`,
  );
  return problems.length === 0 ? 0 : 1;
}

function summary({ name, columns, unknownFields, retentionDays, aliases }: Source): string[] {
  const days = retentionDays === undefined ? '-' : String(retentionDays);
  return [name, String(countFields(columns)), unknownFields, days, aliases.join(', ')];
}

function settingLines(source: Source): string[] {
  const {
    name,
    file,
    aliases,
    retentionDays,
    unknownFields,
    timestamp,
    timesOutOfRange,
    rename,
    lateSeconds,
    sliceSeconds,
    requireTimeBound,
  } = source;
  const { clustering, conflicts, wildcard, partitioned } = source;
  const lines: [string, string | undefined][] = [
    ['source', name],
    ['file', file],
    ['aliases', aliases.length === 0 ? undefined : aliases.join(', ')],
    ['retentionDays', retentionDays?.toString()],
    ['clustering', clustering?.join(', ')],
    ['unknownFields', unknownFields],
    ['conflicts', conflicts],
    ['timestamp', timestamp?.join(', ')],
    ['ordered by', timeColumn(source)?.name ?? 'nothing: a reference table'],
    ['identified by', idColumn(source)?.name ?? 'nothing: rows are not deduplicated'],
    ['unique', source.unique?.join(', ')],
    ['lateSeconds', lateSeconds?.toString()],
    ['sliceSeconds', sliceSeconds?.toString()],
    ['requireTimeBound', requireTimeBound?.toString()],
    ['timesOutOfRange', timesOutOfRange],
    ...rename.map(({ from, to }): [string, string] => ['rename', `${from} to ${to}`]),
    ['wildcard', wildcard],
    ['partitioned', partitioned],
  ];
  const shown = lines.filter(([, value]) => value !== undefined);
  const width = Math.max(...shown.map(([label]) => label.length)) + 2;
  return shown.map(([label, value]) => `${label.padEnd(width)}${value}`);
}

/** @param own the columns of the source's own file: the others were added */
function fieldRows(
  columns: readonly SourceColumn[],
  own: readonly SourceColumn[] | undefined,
  indent = '',
): string[][] {
  return columns.flatMap((column) => {
    const { name, type, mode, fields } = column;
    const declared = own?.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const { kind } = elementType(type);
    const typeText = `${kind === 'STRUCT' ? 'RECORD' : kind}${mode === 'NULLABLE' ? '' : ` ${mode}`}`;
    const sent = sentName(column);
    const notes = [
      declared === undefined ? 'added' : '',
      sent === name ? '' : `sent as ${JSON.stringify(sent)}`,
    ];
    const row = [`${indent}${name}`, typeText, notes.filter((note) => note !== '').join(', ')];
    return [row, ...fieldRows(fields, declared?.fields, `${indent}  `)];
  });
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, index) => Math.max(...all.map((row) => (row[index] ?? '').length)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
