import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type BigQueryConfig,
  type BigQueryConnection,
  connectBigQuery,
} from '../../app/engines/bigquery/bigquery-connection.ts';
import { CommandError, UsageError } from '../../base/errors/command-error.ts';
import { makeFolder } from '../../base/system/make-folder.ts';
import { readWrittenFile, UnfitFile } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { writeOutputFile } from '../../base/system/write-output-file.ts';
import { plainLog } from '../../base/terminal/log.ts';
import type { Output } from '../../base/terminal/output.ts';
import { counted } from '../../base/text/counted.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { sourceName } from '../../definitions/sources/load-sources.ts';
import { parseSource } from '../../definitions/sources/parse-source.ts';
import { type ReadableFields, readableFields } from '../../definitions/sources/readable-fields.ts';
import { schemaText } from '../../definitions/sources/schema-text.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { tableOfSource } from '../../definitions/sources/source.ts';
import { columnChanges } from '../../definitions/sources/source-changes.ts';
import type { TableField } from '../../definitions/sources/table-field.ts';
import { newestTable } from '../../engines/bigquery/tables/newest-table.ts';
import { TableError } from '../../engines/bigquery/tables/table-error.ts';
import { Tables } from '../../engines/bigquery/tables/tables.ts';

/** The result for a source's file. */
interface PulledSource {
  readonly outcome: 'unchanged' | 'new' | 'changed';
  readonly columns: number;
  /** The changes, a sentence each. */
  readonly changes: readonly string[];
  readonly unreadable: ReadableFields['unreadable'];
}

/** Thrown for a table that can't be a source, with the reason. */
class NoSource extends Error {
  override readonly name = 'NoSource';
}

/**
 * Writes the columns of a table as a source file, unless the file already has them. Keeps what the file says besides.
 *
 * @param before the content of the file, if it exists
 * @throws NoSource; CommandError for a file that is none; errors of writing it
 */
async function pullSource(
  folder: string,
  name: string,
  table: readonly TableField[],
  before: Source | undefined,
): Promise<PulledSource> {
  const { fields, unreadable } = readableFields(table);
  const file = join(folder, `${name}.json`);
  const text = schemaText(fields, before);
  const source = parsed(name, file, text);
  if (fields.length === 0) throw new NoSource('the table has no columns of types that a source can have');
  const columns = fields.length;
  if (before !== undefined && isDeepStrictEqual(before.columns, source.columns)) {
    return { outcome: 'unchanged', columns, changes: [], unreadable };
  }
  await writeOutputFile(file, text).catch((error: unknown) => {
    if (!(error instanceof UnfitFile)) throw error;
    throw new CommandError(`${shownFile(file)} can't be written: ${error.message}`);
  });
  if (before === undefined) return { outcome: 'new', columns, changes: [], unreadable };
  const changes = columnChanges(before.columns, source.columns);
  const others = 'descriptions or the order of columns';
  return { outcome: 'changed', columns, changes: changes.length > 0 ? changes : [others], unreadable };
}

function parsed(name: string, file: string, text: string): Source {
  const source = parseSource(name, file, text, { isStored: false });
  if ('columns' in source) return source;
  throw new NoSource(source.map((problem) => problem.text).join('; '));
}

/** The content of a source's file. Undefined if it doesn't exist or is invalid. */
async function readSource(folder: string, name: string): Promise<Source | undefined> {
  const file = join(folder, `${name}.json`);
  try {
    const source = parseSource(name, file, (await readWrittenFile(file)).toString(), { isStored: false });
    return 'columns' in source ? source : undefined;
  } catch {
    return undefined;
  }
}

interface PullOptions {
  /** The folder to write to instead of the sources' folder. */
  readonly output?: string;
}

/**
 * Writes the schemas of BigQuery's tables as source files: for the named sources, else for the existing ones, else for
 * all tables of the dataset. Up-to-date files are not changed.
 *
 * @returns the exit code: 1 if any of them couldn't be fetched
 * @throws UsageError for a name that no source can have; ConfigError when the settings don't say where BigQuery is
 */
export async function pullCommand(
  config: BigQueryConfig & Pick<Config, 'sourcesDir'>,
  output: Output,
  named: readonly string[],
  options: PullOptions = {},
): Promise<number> {
  const { out, err } = output;
  const folder = options.output === undefined ? config.sourcesDir : resolve(options.output);
  const connection = await connectBigQuery(config, plainLog(err));
  try {
    const tables = new Tables(connection.api);
    const wanted = await wantedSources(folder, named, connection, tables, output);
    if (wanted.length > 0) await makeFolder(folder);
    let failures = 0;
    for (const name of wanted) {
      try {
        const before = await readSource(folder, name);
        const table = await newestTable(connection.names(tableOfSource(before ?? { name })), tables);
        const pulled = await pullSource(folder, name, await tables.columns(table), before);
        report(name, pulled, output);
      } catch (error) {
        failures += 1;
        err(`${name}: ${failureText(error)}\n`);
      }
    }
    out(`${counted(wanted.length - failures, 'source')} in ${folder}\n`);
    return failures === 0 ? 0 : 1;
  } catch (error) {
    err(`${failureText(error)}\n`);
    return 1;
  } finally {
    connection.api.close();
  }
}

async function wantedSources(
  folder: string,
  named: readonly string[],
  { mapping, names }: BigQueryConnection,
  tables: Tables,
  { err }: Output,
): Promise<readonly string[]> {
  const unusable = named.find((name) => !sourceName.test(name));
  if (unusable !== undefined) throw new UsageError(`${JSON.stringify(unusable)} is not a valid source name`);
  if (named.length > 0) return [...new Set(named)];
  const there = await sourcesIn(folder);
  if (there.length > 0) return there;
  // The table of a source without a mapping is in the dataset of the settings.
  const listed = await tables.list(names(''));
  const mapped = [...mapping.tables.keys()];
  const isMapped = (table: string) =>
    mapped.some((source) => isDeepStrictEqual(names(source), { ...names(''), table }));
  const others = listed.filter((table) => !isMapped(table));
  for (const table of others.filter((name) => !sourceName.test(name))) {
    err(
      `${table}: skipped, not a valid source name; map a source to this table in BIGQUERY_TABLES, and name the source here\n`,
    );
  }
  return [...new Set([...others.filter((name) => sourceName.test(name)), ...mapped])];
}

async function sourcesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  const names = entries.filter((entry) => entry.endsWith('.json')).map((entry) => entry.slice(0, -5));
  return names.filter((name) => sourceName.test(name)).sort();
}

function report(name: string, { outcome, columns, changes, unreadable }: PulledSource, { out, err }: Output) {
  const told = { unchanged: 'unchanged', changed: 'changed', new: `new, ${counted(columns, 'column')}` };
  out(`${name}: ${told[outcome]}\n`);
  for (const change of changes) out(`  ${change}\n`);
  for (const { path, type } of unreadable)
    err(`${name}: ${path} is skipped, sources can't have its type ${type}\n`);
}

function failureText(error: unknown): string {
  const isKnown =
    error instanceof TableError ||
    error instanceof NoSource ||
    error instanceof CommandError ||
    (error instanceof Error && 'code' in error);
  if (isKnown) return error.message;
  throw error;
}
