import { randomUUID } from 'node:crypto';
import { join, relative, resolve } from 'node:path';
import { explainFailure } from '../../app/failures/explain-failure.ts';
import { ProblemsError } from '../../app/schema/load-schema.ts';
import { UsageError } from '../../base/errors/command-error.ts';
import { exists } from '../../base/system/exists.ts';
import type { Output } from '../../base/terminal/output.ts';
import { shellQuote } from '../../base/text/shell-quote.ts';
import { version } from '../../base/version.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';
import { makeLock } from '../check/lock.ts';
import { projectScripts, refusedName } from '../project/package-json.ts';
import { type WrittenProject, writeIfMissing, writeProject } from '../project/write-project.ts';
import { schemaText } from '../schema/schema.ts';

export interface InitOptions {
  /** The name in package.json. By default, that of the folder. */
  readonly name?: string;
}

const contract = 'schema.graphql';
const lockFile = 'endpoints.lock';

/**
 * Makes a project: a first endpoint with its test, its source and rows, and what surrounds them. Existing files stay.
 *
 * @param folder by default, the current one
 * @returns the exit code
 * @throws UsageError for a name that npm refuses; CommandError for a folder that can't become a project
 */
export async function initCommand(
  config: Config,
  { out, err }: Output,
  folder = '.',
  { name }: InitOptions = {},
): Promise<number> {
  const refusal = name === undefined ? undefined : refusedName(name);
  if (refusal !== undefined) throw new UsageError(`--name ${name}: ${refusal}`);
  const root = resolve(folder);
  const project = await writeProject({ folder: root, name, endpointId: randomUUID(), version });
  const { written, kept, extended, hasFirstEndpoint, notIgnored } = project;
  const tell = (verb: string, paths: readonly string[]) => {
    for (const path of paths) out(`${verb} ${join(relative('.', root), path)}\n`);
  };
  tell('wrote', written);
  tell('extended', extended);
  tell('kept', kept);
  if (!hasFirstEndpoint) out('added no first endpoint, because there are endpoints or sources\n');
  const outcome = await writeContract(config, root, err);
  if (outcome !== undefined) tell(outcome, [contract]);
  if (outcome !== undefined) tell(await writeLock(config, root), [lockFile]);
  if (notIgnored.length > 0)
    out(`Add to .gitignore, or git takes rows, keys and secrets: ${notIgnored.join(' ')}\n`);
  out(await nextSteps(root, project));
  return 0;
}

/** Prints the contract of the project's endpoints, unless there is one. */
async function writeContract(
  config: Config,
  root: string,
  err: Output['err'],
): Promise<'wrote' | 'kept' | undefined> {
  if (await exists(join(root, contract))) return 'kept';
  try {
    const text = await schemaText(settingsOf(config, root));
    await writeIfMissing(root, { path: contract, text });
    return 'wrote';
  } catch (error) {
    if (!(error instanceof ProblemsError || error instanceof AnalyzerUnavailableError)) throw error;
    err(`${explainFailure(error)}\n${contract} is not written. Correct this, then run: npm run schema\n`);
    return undefined;
  }
}

/** Makes the lock file of the project's endpoints, which its CI compares with them, unless there is one. */
async function writeLock(config: Config, root: string): Promise<'wrote' | 'kept' | 'could not write'> {
  if (await exists(join(root, lockFile))) return 'kept';
  const report = await makeLock(settingsOf(config, root));
  return report?.outcome === 'written' ? 'wrote' : 'could not write';
}

function settingsOf(config: Config, root: string): Config {
  const [endpointsDir, sourcesDir] = [join(root, 'endpoints'), join(root, 'sources')];
  return { ...config, endpointsDir, sourcesDir, dataDir: join(root, 'data') };
}

async function nextSteps(root: string, { hasFirstEndpoint, otherScripts }: WrittenProject): Promise<string> {
  const place = relative('.', root);
  const isInstalled = await exists(join(root, 'node_modules/endpoint-gateway'));
  const steps = [
    ...(place === '' ? [] : [[`cd ${/^[\w./-]+$/.test(place) ? place : shellQuote(place)}`, '']]),
    ...(isInstalled ? [] : [['npm install', '']]),
    [
      otherScripts.has('dev') ? `npx ${projectScripts.dev}` : 'npm run dev',
      'serves the endpoints over made-up rows, with a console',
    ],
    [
      otherScripts.has('test') ? `npx ${projectScripts.test}` : 'npm test',
      hasFirstEndpoint ? 'runs endpoints/requests.by-path.test.yaml' : 'runs the tests of endpoints',
    ],
  ];
  const width = Math.max(...steps.map(([command = '', purpose]) => (purpose === '' ? 0 : command.length)));
  const lines = steps.map(([command = '', purpose = '']) =>
    purpose === '' ? `  ${command}\n` : `  ${command.padEnd(width + 1)} # ${purpose}\n`,
  );
  return `\nNext steps:\n${lines.join('')}`;
}
