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
import type { Source, SourceColumn } from '../../definitions/sources/source.ts';
import { tableOfSource } from '../../definitions/sources/source.ts';
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
  const columns = selectedColumns(source).map((column) => `  t.${quoted(column)}`);
  return `/*
# The settings of the endpoint. All are described in docs/endpoints.md of the gateway.
id: ${id}
name: ${JSON.stringify(name)}
description: ${JSON.stringify(`Rows of ${source.name}, newest first.`)}
# A result has this many rows at most.
maxRows: 100
# A result is reused for this many seconds. With 0, each call runs the query.
cacheSeconds: 0
parameters:
  since:
    type: TIMESTAMP
    description: Only rows of this time and later.
    example: 2026-11-20T00:00:00Z
*/
SELECT
${columns.join(',\n')}
FROM ${tableName(source)} AS t
WHERE @since IS NULL OR t.timestamp >= @since
ORDER BY t.timestamp DESC
`;
}

function tableName(source: Source): string {
  const table = `logs.${tableOfSource(source)}`;
  return source.wildcard === undefined ? table : `\`${table}\``;
}

/** The id and the time, then the first other columns with plain values. */
function selectedColumns({ columns }: Source): string[] {
  const plain = columns.filter(({ type }) => type.kind !== 'ARRAY' && type.kind !== 'STRUCT');
  const isFirst = (name: string) => ['id', 'timestamp'].includes(name.toLowerCase());
  const names = plain.map(({ name }) => name);
  return [...names.filter(isFirst), ...names.filter((name) => !isFirst(name))].slice(0, maxColumns);
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
  config: Pick<Config, 'endpointsDir' | 'sourcesDir' | 'dataDir' | 'engine'>,
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

/** The text of the test of a new endpoint: two rows, of which one is newer than the parameter `since`. */
function endpointTestText(source: Source): string {
  const row = (id: string, time: string) =>
    `{ ${source.columns.flatMap((column) => given(column, id, time)).join(', ')} }`;
  return `# Cases of the endpoint beside this file. Run them: npx endpoint-gateway test
now: 2026-11-20T12:00:00Z
rows:
  ${source.name}:
    - ${row('older', '2026-11-18T10:00:00Z')}
    - ${row('newer', '2026-11-20T10:00:00Z')}
cases:
  - name: has all rows, newest first
    expect:
      count: 2
      contains:
        - { id: newer }
        - { id: older }
  - name: has only rows since a time
    parameters:
      since: 2026-11-19T00:00:00Z
    expect:
      count: 1
      excludes:
        - { id: older }
`;
}

/** A column of a row in YAML: the id and the time, and what is required besides. */
function given({ name, type, mode }: SourceColumn, id: string, time: string): string[] {
  const key = JSON.stringify(name);
  const isNamed = (wanted: string) => name.toLowerCase() === wanted;
  if (isNamed('id')) return [`${name}: ${id}`];
  if (isNamed('timestamp')) return [`${name}: ${time}`];
  return mode === 'REQUIRED' ? [`${/^\w+$/.test(name) ? name : key}: ${example(type)}`] : [];
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
