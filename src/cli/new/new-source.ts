import { join } from 'node:path';
import { isStored } from '../../app/engines/registry.ts';
import { CommandError, UsageError } from '../../base/errors/command-error.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import type { Output } from '../../base/terminal/output.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { loadSources, sourceName } from '../../definitions/sources/load-sources.ts';
import { schemaText } from '../../definitions/sources/schema-text.ts';
import { sourceByName } from '../../definitions/sources/source.ts';
import type { TableField } from '../../definitions/sources/table-field.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { inferSchema } from '../sources/infer.ts';
import { folderOfProject, writeFiles } from './write-files.ts';

/** The columns of a source about whose rows nothing is known. */
const plainColumns: readonly TableField[] = [
  {
    name: 'id',
    type: 'STRING',
    mode: 'REQUIRED',
    description: 'Identifies a row: rows with the same id are stored once.',
  },
  {
    name: 'timestamp',
    type: 'TIMESTAMP',
    mode: 'REQUIRED',
    description: 'When it happened. Orders the rows.',
  },
  { name: 'message', type: 'STRING', mode: 'NULLABLE', description: 'What happened, in words.' },
  {
    name: 'attributes',
    type: 'RECORD',
    mode: 'REPEATED',
    description: 'A nested record. Queries read it with UNNEST(attributes).',
    fields: [{ name: 'status', type: 'INT64', mode: 'NULLABLE', description: 'An example of a field.' }],
  },
];

/**
 * Makes the file of a source, with columns that are explained, or with those of rows.
 *
 * @returns the exit code
 * @throws UsageError for a name that no source can have; CommandError if another one has it, the file exists, or the rows
 *   have no schema
 */
export async function newSourceCommand(
  name: string,
  { from }: { readonly from?: string },
  config: Pick<Config, 'sourcesDir' | 'dataDir' | 'engine'>,
  { out, err }: Output,
): Promise<number> {
  if (!sourceName.test(name))
    throw new UsageError(`${JSON.stringify(name)} is not a valid source name (letters, digits and _)`);
  const folder = folderOfProject(config.sourcesDir, 'sources');
  const file = join(folder, `${name}.json`);
  const { sources } = await loadSources(folder, {
    isStored: isStored(config),
    dataDir: config.dataDir,
  });
  const taken =
    sourceByName(sources, name) ?? sources.find((source) => source.name.toLowerCase() === name.toLowerCase());
  if (taken !== undefined && taken.name !== name)
    throw new CommandError(`The source ${taken.name} has this name or alias. Choose another one.`);
  if (taken !== undefined) throw new CommandError(`${taken.file} exists. Choose another name.`);
  const inferred = from === undefined ? undefined : await inferSchema(from);
  await writeFiles([[file, schemaText(inferred?.fields ?? plainColumns, inferred?.settings)]]);
  out(`made ${shownFile(file)}\n`);
  for (const note of inferred?.notes ?? []) err(`  ${note}\n`);
  const rows = from === undefined || from === '-' ? '<file>' : from;
  const next =
    inferred?.canBeImported === false
      ? '; import refuses these rows as they are, and the lines above say why'
      : `, and npx endpoint-gateway import ${name} ${rows}`;
  err(`Next: edit the columns, then run npx endpoint-gateway check${next}\n`);
  return exitCodes.success;
}
