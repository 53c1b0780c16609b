import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type BigQueryConfig,
  type BigQueryConnection,
  connectBigQuery,
} from '../../app/engines/bigquery/bigquery-connection.ts';
import { CommandError } from '../../base/errors/command-error.ts';
import { UsageError } from '../../base/errors/usage-error.ts';
import { plainLog } from '../../base/log/log.ts';
import { makeFolder } from '../../base/system/make-folder.ts';
import type { Output } from '../../base/terminal/output.ts';
import { counted } from '../../base/text/counted.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { sourceName } from '../../definitions/sources/load-sources.ts';
import { tableOfSource } from '../../definitions/sources/table-of-source.ts';
import { newestTable } from '../../engines/bigquery/tables/newest-table.ts';
import { TableError } from '../../engines/bigquery/tables/table-error.ts';
import { Tables } from '../../engines/bigquery/tables/tables.ts';
import { NoSource, type PulledSource, pullSource, readSource } from './pull-source.ts';

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
