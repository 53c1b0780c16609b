import type { z } from 'zod';
import type { Problem } from '../../base/errors/problem.ts';
import type { AddedFieldsFile } from './added-fields.ts';
import { checkedText } from './checked-text.ts';
import { clusteringRefusal } from './clustering-column.ts';
import { mergeFields, withoutRenamed } from './merge-fields.ts';
import { checkKey, idColumn, timeColumn, uniqueRefusal } from './row-key.ts';
import { SchemaCheck, type SchemaPath } from './schema-check.ts';
import {
  conflictsOf,
  otherFields,
  plainSettings,
  type Source,
  type SourceColumn,
  type SourceSettings,
} from './source.ts';
import { type SourceFile, sourceFile, tableSchema } from './source-file.ts';
import { asAdded, type TableField } from './table-field.ts';

export interface SourceContext {
  /** Whether its rows are in the embedded store, which requires some columns. By default, they are. */
  readonly isStored?: boolean;
  /** Claims an alias for the source. Returns the reason if it is taken. By default, every alias is free. */
  readonly claimAlias?: (alias: string) => string | undefined;
  /** The fields that rows have added to it. */
  readonly added?: AddedFieldsFile | undefined;
}

/**
 * Parses the file of one source. Returns the source, or all problems in its text.
 *
 * @param name the source's name
 * @param file the path in problems
 * @param text the JSON text
 */
export function parseSource(
  name: string,
  file: string,
  text: string,
  { isStored = true, claimAlias = () => undefined, added }: SourceContext = {},
): Source | readonly Problem[] {
  const own = checkedText(
    file,
    text,
    (isObject): z.ZodType<SourceFile> => (isObject ? sourceFile : plainFile),
  );
  if (!('content' in own)) return own;
  const problems: Problem[] = [];
  const report = (path: SchemaPath, message: string) => problems.push(own.problem(path, message));
  const { fields, ...settings } = own.content;
  const at = own.isObject ? ['fields'] : [];
  const merged = mergeAdded(fields, added, problems);
  const check = new SchemaCheck(report);
  check.columns(fields, at, 0);
  // Mistakes of both files have been reported.
  const columns = new SchemaCheck(() => undefined).columns(withOthers(merged, settings), [], 0);
  if (isStored && columns.length === 0) report(at, 'a source needs a column');
  else if (isStored) checkStored({ columns, ...settings }, at, report);
  checkSettings(settings, columns, report);
  if (!isStored && settings.unknownFields === 'add')
    report(['unknownFields'], 'fields can be added on the embedded engine only');
  for (const [index, alias] of settings.aliases.entries()) {
    const refusal = claimAlias(alias);
    if (refusal !== undefined) report(['aliases', index], refusal);
  }
  if (problems.length > 0) return problems;
  return { name, file, columns, ...settings };
}

const plainFile = tableSchema.transform((fields): SourceFile => ({ fields, ...plainSettings }));

/** The fields of the source's own file with the added ones. */
function mergeAdded(
  own: readonly TableField[],
  added: AddedFieldsFile | undefined,
  problems: Problem[],
): readonly TableField[] {
  if (added === undefined) return own;
  const read = checkedText(added.file, added.text, () => tableSchema);
  if (!('content' in read)) {
    problems.push(...read);
    return own;
  }
  const check = new SchemaCheck((path, message) => problems.push(read.problem(path, message)));
  check.columns(read.content, [], 0);
  // Where they differ in type or mode, the source's own file counts, and the store follows it.
  return mergeFields(own, withoutRenamed(own, read.content.map(asAdded)));
}

/** A source has the column for other fields even if its file doesn't say so. Where fields can be added, the first value does. */
function withOthers(fields: readonly TableField[], settings: SourceSettings): readonly TableField[] {
  if (!needsOthers(settings) || settings.unknownFields === 'add') return fields;
  if (fields.some(isOthers)) return fields;
  return [
    ...fields,
    { name: otherFields, type: 'JSON', mode: 'NULLABLE', description: 'What has no other column.' },
  ];
}

function needsOthers(settings: SourceSettings): boolean {
  return settings.unknownFields === 'json' || conflictsOf(settings) === 'json';
}

function isOthers({ name }: { readonly name: string }): boolean {
  return name.toLowerCase() === otherFields;
}

/** Clustering columns must be able to order rows. Renamed fields must have a place in the schema, unless the source may get it, and other fields a column that takes them. */
function checkSettings(
  settings: SourceSettings,
  columns: readonly SourceColumn[],
  report: (path: SchemaPath, message: string) => void,
): void {
  const { rename, unknownFields, clustering = [] } = settings;
  for (const [index, name] of clustering.entries()) {
    const refusal = clusteringRefusal(name, clustering.slice(0, index), columns);
    if (refusal !== undefined) report(['clustering', index], refusal);
  }
  for (const [index, name] of (settings.unique ?? []).entries()) {
    const refusal = uniqueRefusal(name, columns);
    if (refusal !== undefined) report(['unique', index], refusal);
  }
  const others = columns.find(isOthers);
  if (needsOthers(settings) && others !== undefined && others.type.kind !== 'JSON')
    report(
      [settings.conflicts === undefined ? 'unknownFields' : 'conflicts'],
      `the column ${others.name} must be a single JSON`,
    );
  for (const { from, to } of rename) {
    if (unknownFields !== 'add' && !hasField(columns, to.split('.')))
      report(['rename', from], `the source has no field ${to}`);
  }
}

/** In the embedded store, rows are ordered and identified by columns of certain types. Some settings are for rows with a time only. */
function checkStored(
  source: SourceSettings & Pick<Source, 'columns'>,
  at: SchemaPath,
  report: (path: SchemaPath, message: string) => void,
): void {
  const { columns, timestamp, id } = source;
  const refused = new Set<'timestamp' | 'id'>();
  checkKey(source, (key, setting, column, text) => {
    refused.add(key);
    const index = columns.indexOf(column);
    report(
      setting === undefined ? [...at, index, column.mode === 'REPEATED' ? 'mode' : 'type'] : [setting],
      text,
    );
  });
  if (typeof id === 'string' && idColumn(source) === undefined && !refused.has('id'))
    report(['id'], `the source has no column ${id}`);
  if (timeColumn(source) !== undefined || refused.has('timestamp')) return;
  if (timestamp !== undefined && timestamp !== null)
    report(
      ['timestamp'],
      `the source has no column ${timestamp.length === 1 && !timestamp[0]?.includes('.') ? `${timestamp[0]}, and none named timestamp that could get its value` : 'timestamp for the value at the path'}`,
    );
  for (const setting of ['wildcard', 'partitioned', 'retentionDays', 'timesOutOfRange'] as const)
    if (source[setting] !== undefined)
      report([setting], 'the rows have no time: name the column that orders them by "timestamp"');
}

function hasField(columns: readonly SourceColumn[], [name, ...rest]: readonly string[]): boolean {
  const column = columns.find((candidate) => candidate.name.toLowerCase() === name?.toLowerCase());
  return column !== undefined && (rest.length === 0 || hasField(column.fields, rest));
}
