import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { loadSourceSchemas } from '../../app/schema/load-schema.ts';
import { CommandError, UsageError } from '../../base/errors/command-error.ts';
import { fileFailure, readWrittenFile } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import type { Output } from '../../base/terminal/output.ts';
import { endpointSettings } from '../../definitions/endpoints/settings.ts';
import { endpointFileNames, readSettingsComment } from '../../definitions/endpoints/settings-comment.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { idColumn, timeColumn } from '../../definitions/sources/row-key.ts';
import type { Source, SourceColumn } from '../../definitions/sources/source.ts';
import { pathOfTable, tableOfSource } from '../../definitions/sources/source.ts';
import { rowAlias } from '../../sql/columns/row-alias.ts';
import type { SqlType } from '../../sql/values/type.ts';
import { findSource } from '../options/find-named.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { folderOfProject, isOfPackage, writeFiles } from './write-files.ts';

interface NewEndpoint {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly source: Source;
}

/** Columns of a source beyond these are not selected: people add those that they need. */
const maxColumns = 8;

/** The text of an endpoint's file: settings with comments, and a query of the newest rows of a source. */
function endpointText({ id, name, source }: NewEndpoint): string {
  const alias = rowAlias(source.columns);
  const columns = selectedColumns(source).map((column) => `  ${alias}.${quoted(column)}`);
  const time = timeColumn(source);
  return `/*
# The settings of the endpoint. All are described in docs/endpoints.md of the gateway.
id: ${id}
name: ${JSON.stringify(name)}
description: ${JSON.stringify(`Rows of ${source.name}${time === undefined ? '' : ', newest first'}.`)}
# A result has this many rows at most.
maxRows: 100
# A result is reused for this many seconds. With 0, each call runs the query.
cacheSeconds: 0
# Calls with parameters that are not declared here are refused.
unknownParameters: reject
${time === undefined ? '' : sinceParameter(time)}*/
SELECT
${columns.join(',\n')}
FROM ${tableName(source)} AS ${alias}
${time === undefined ? orderOfIds(source, alias) : newestFirst(time, alias)}`;
}

function sinceParameter({ type }: SourceColumn): string {
  return `parameters:
  since:
    type: ${type.kind}
    description: Only rows of this time and later.
    example: ${timeText(type, '2026-11-20T00:00:00')}
`;
}

function newestFirst({ name }: SourceColumn, alias: string): string {
  const column = `${alias}.${quoted(name)}`;
  return `WHERE @since IS NULL OR ${column} >= @since\nORDER BY ${column} DESC\n`;
}

function orderOfIds(source: Source, alias: string): string {
  const id = idColumn(source);
  return id === undefined ? '' : `ORDER BY ${alias}.${quoted(id.name)}\n`;
}

/** A time in UTC as a value of a type. */
function timeText({ kind }: SqlType, time: string): string {
  if (kind === 'DATE') return time.slice(0, 'YYYY-MM-DD'.length);
  return kind === 'TIMESTAMP' ? `${time}Z` : time;
}

function tableName(source: Source): string {
  const table = pathOfTable(tableOfSource(source));
  return source.wildcard === undefined ? table : `\`${table}\``;
}

/** The id and the time, then the first other columns with plain values. */
function selectedColumns(source: Source): string[] {
  const plain = source.columns.filter(({ type }) => type.kind !== 'ARRAY' && type.kind !== 'STRUCT');
  const key = [idColumn(source), timeColumn(source)];
  const isFirst = (column: SourceColumn) => key.includes(column);
  const inOrder = [...plain.filter(isFirst), ...plain.filter((column) => !isFirst(column))];
  return inOrder.map(({ name }) => name).slice(0, maxColumns);
}

function quoted(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name}\``;
}

/** The names that are good names of files everywhere. */
const fileName = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$/;

/**
 * Makes an endpoint that reads the newest rows of a source, and its test.
 *
 * @returns the exit code
 * @throws UsageError for a name that no endpoint can have; CommandError if another one has it, or a file exists
 */
export async function newEndpointCommand(
  name: string,
  { source: wanted }: { readonly source?: string },
  config: Pick<
    Config,
    'endpointsDir' | 'sourcesDir' | 'dataDir' | 'engine' | 'recordCalls' | 'recordCallsDays'
  >,
  { out, err }: Output,
): Promise<number> {
  refuseName(name);
  const folder = folderOfProject(config.endpointsDir, 'endpoints');
  await refuseTaken(name, folder);
  // A first source of its own would hide those of the package, and break an endpoint that reads one of them.
  const sources = isOfPackage(config.sourcesDir) ? [] : await loadSourceSchemas(config);
  const source = sourceFor(sources, wanted);
  const files = [join(folder, `${name}.sql`), join(folder, `${name}.test.yaml`)] as const;
  await writeFiles([
    [files[0], endpointText({ id: randomUUID(), name, source })],
    [files[1], endpointTestText(source)],
  ]);
  out(`made ${shownFile(files[0])}, which reads logs.${source.name}\nmade ${shownFile(files[1])}\n`);
  err(`Next: edit the query, then run npx endpoint-gateway check, and npx endpoint-gateway test ${name}\n`);
  return exitCodes.success;
}

function refuseName(name: string): void {
  const outcome = endpointSettings.shape.name.safeParse(name);
  const [issue] = outcome.error?.issues ?? [];
  if (issue !== undefined)
    throw new UsageError(`${JSON.stringify(name)} is not a valid name: ${issue.message}`);
  if (fileName.test(name) && !name.endsWith('.')) return;
  throw new UsageError(
    `${JSON.stringify(name)} is not a good file name: expected letters, digits and . _ -, such as orders.by-day`,
  );
}

/** @throws CommandError if an endpoint has the name */
async function refuseTaken(name: string, folder: string): Promise<void> {
  for (const file of await endpointFileNames(folder).catch(() => [])) {
    const path = join(folder, file);
    const bytes = await readWrittenFile(path).catch((error: unknown) => {
      const reason = `cannot be read (${fileFailure(error)})`;
      throw new CommandError(`${shownFile(path)} ${reason}, so it may already have the name ${name}.`);
    });
    const { settings } = readSettingsComment(path, bytes.toString());
    if (settings?.name === name)
      throw new CommandError(`${shownFile(path)} already has the name ${name}. Choose another one.`);
  }
}

function sourceFor(sources: readonly Source[], wanted: string | undefined): Source {
  if (wanted !== undefined) return findSource(sources, wanted);
  const [first] = sources;
  if (first !== undefined) return first;
  throw new UsageError(
    'There is no source to read. Make one: npx endpoint-gateway new source <name> --from <file>',
  );
}

/** The text of the test of a new endpoint: two rows, of which one is newer than the parameter `since`, if rows have times. */
function endpointTestText(source: Source): string {
  const time = timeColumn(source);
  const [older, newer] = rowsOfTest(source);
  const named = (row: TestRow) => `        - { ${row.name} }`;
  const all = `# Cases of the endpoint beside this file. Run them: npx endpoint-gateway test
now: 2026-11-20T12:00:00Z
rows:
  ${source.name}:
    - { ${older.values.join(', ')} }
    - { ${newer.values.join(', ')} }
cases:
  - name: has all rows${time === undefined ? '' : ', newest first'}
    expect:
      count: 2
      contains:
${named(newer)}
${named(older)}
`;
  if (time === undefined) return all;
  return `${all}  - name: has only rows since a time
    parameters:
      since: ${timeText(time.type, '2026-11-19T00:00:00')}
    expect:
      count: 1
      excludes:
${named(older)}
`;
}

/** A row of a test in YAML. */
interface TestRow {
  readonly values: readonly string[];
  /** The value that tells it from the other one. */
  readonly name: string;
}

/** Two rows that differ in their ids and times or, without them, in their first column. */
function rowsOfTest(source: Source): readonly [older: TestRow, newer: TestRow] {
  const [id, time] = [idColumn(source), timeColumn(source)];
  const own =
    id ?? time ?? source.columns.find(({ fields, mode }) => fields.length === 0 && mode !== 'REPEATED');
  const rowOf = (index: 0 | 1): TestRow => {
    const values = source.columns.flatMap((column) => {
      const { name, type, mode } = column;
      const isGiven = column === id || column === time || column === own || mode === 'REQUIRED';
      if (!isGiven) return [];
      const value =
        column === id || column === time || column === own ? twoExamples(type)[index] : example(type);
      return [{ column, text: `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${value}` }];
    });
    return {
      values: values.map(({ text }) => text),
      name: values.find(({ column }) => column === own)?.text ?? '',
    };
  };
  return [rowOf(0), rowOf(1)];
}

/** Two values of a type, in YAML. Of times, the second one is newer. */
function twoExamples(type: SqlType): readonly [string, string] {
  switch (type.kind) {
    case 'STRING':
      return ['older', 'newer'];
    case 'TIMESTAMP':
    case 'DATETIME':
    case 'DATE':
      return [timeText(type, '2026-11-18T10:00:00'), timeText(type, '2026-11-20T10:00:00')];
    case 'INT64':
    case 'FLOAT64':
      return ['1', '2'];
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return ['"1"', '"2"'];
    case 'BOOL':
      return ['false', 'true'];
    case 'BYTES':
      return ['YQ==', 'Yg=='];
    case 'TIME':
      return ['10:00:00', '11:00:00'];
    default:
      return ['{}', '{}'];
  }
}

/** A value of a required column, in YAML. */
function example(type: SqlType): string {
  switch (type.kind) {
    case 'BOOL':
      return 'true';
    case 'INT64':
    case 'FLOAT64':
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return '1';
    case 'TIMESTAMP':
      return '2026-11-20T10:00:00Z';
    case 'DATE':
      return '2026-11-20';
    case 'DATETIME':
      return '2026-11-20T10:00:00';
    case 'TIME':
      return '10:00:00';
    case 'BYTES':
      return 'YQ==';
    case 'JSON':
    case 'STRUCT':
      return '{}';
    default:
      return 'text';
  }
}
