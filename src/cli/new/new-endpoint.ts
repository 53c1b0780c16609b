import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { loadSourceSchemas } from '../../app/schema/load-schema.ts';
import { CommandError } from '../../base/errors/command-error.ts';
import { UsageError } from '../../base/errors/usage-error.ts';
import { fileFailure, readWrittenFile } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import type { Output } from '../../base/terminal/output.ts';
import { endpointFileNames } from '../../definitions/endpoints/endpoint-file-names.ts';
import { endpointSettings } from '../../definitions/endpoints/settings.ts';
import { readSettingsComment } from '../../definitions/endpoints/settings-comment.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { findSource } from '../find/find-source.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { endpointTestText } from './endpoint-test-text.ts';
import { endpointText } from './endpoint-text.ts';
import { folderOfProject, isOfPackage } from './folder-of-project.ts';
import { writeFiles } from './write-files.ts';

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
    `${JSON.stringify(name)} is not a good name of a file: expected letters, digits and . _ -, such as orders.by-day`,
  );
}

/** @throws CommandError if an endpoint has the name */
async function refuseTaken(name: string, folder: string): Promise<void> {
  for (const file of await endpointFileNames(folder).catch(() => [])) {
    const path = join(folder, file);
    const bytes = await readWrittenFile(path).catch((error: unknown) => {
      const reason = `cannot be read (${fileFailure(error)})`;
      throw new CommandError(`${shownFile(path)} ${reason}, so that it may have the name ${name} already.`);
    });
    const { settings } = readSettingsComment(path, bytes.toString());
    if (settings?.name === name)
      throw new CommandError(`${shownFile(path)} has the name ${name} already. Choose another one.`);
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
