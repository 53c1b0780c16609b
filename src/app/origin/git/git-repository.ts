import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Child } from '../../../base/processes/child.ts';
import { makePrivateFolder } from '../../../base/processes/private-folder.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { GitOrigin } from '../../../definitions/origin/endpoints-origin.ts';
import { OriginError } from '../tree/origin-error.ts';

/** Beyond this, what a repository sends for one commit is no tree of endpoints, in MiB. */
const maxPackMb = 500;
/** What git prints that is of use is shorter, in characters. */
const maxOutput = 1_000_000;

/** No prompts, nothing of the user's own configuration, messages in English. */
const environment = [
  'GIT_TERMINAL_PROMPT=0',
  'GIT_CONFIG_GLOBAL=/dev/null',
  'GIT_CONFIG_NOSYSTEM=1',
  'LC_ALL=C',
];

/** What a temporary repository needs. */
export interface GitParts {
  readonly token: string | undefined;
  /** Where temporary copies are made. */
  readonly workFolder: string;
  readonly clock: Clock;
}

/** A temporary bare repository, in which git can be run. */
export interface GitRepository {
  readonly folder: string;
  /**
   * Runs git there.
   *
   * @returns what it prints
   * @throws OriginError with what git says
   */
  run(...args: readonly string[]): Promise<string>;
  /**
   * Takes one commit of the origin, without its history.
   *
   * @param name of a branch or a tag, or the commit itself
   * @returns the commit
   * @throws OriginError with what git says
   */
  fetch(name: string): Promise<string>;
}

/**
 * Works in an empty repository that knows an origin. It is removed again.
 *
 * @throws what `work` throws; the signal's reason
 */
export async function inRepository<Result>(
  origin: GitOrigin,
  { token, workFolder, clock }: GitParts,
  signal: AbortSignal,
  work: (repository: GitRepository) => Promise<Result>,
): Promise<Result> {
  const folder = join(workFolder, `.git-${randomUUID()}`);
  try {
    return await work(await makeRepository(folder, origin, token, { clock, signal }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Makes a bare repository, whose configuration allows the origin's protocol and nothing else: no hooks, no helpers. The
 * credentials are in that file, where arguments and the environment of processes don't show them.
 */
async function makeRepository(
  folder: string,
  origin: GitOrigin,
  token: string | undefined,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<GitRepository> {
  await mkdir(join(folder, 'objects'), { recursive: true });
  await mkdir(join(folder, 'refs'));
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(folder, 'config'), configuration(origin, token), { mode: 0o600 });
  const run = async (...args: readonly string[]) => {
    signal.throwIfAborted();
    const output: Buffer[] = [];
    let length = 0;
    const program = {
      ...{ name: 'git', command: '/usr/bin/env', includesStderr: true, limits: { fileSizeMb: maxPackMb } },
      args: [...environment, 'git', '--git-dir', folder, ...args],
      onOutput: (data: Buffer) => {
        length += data.length;
        if (length <= maxOutput) output.push(data);
      },
    };
    const child = await Child.start(program, await makePrivateFolder('git'), clock);
    const stop = () => void child.end('it took too long, or the gateway stops');
    signal.addEventListener('abort', stop, { once: true });
    // The signal may have been there before the listener.
    if (signal.aborted) stop();
    const ending = await child.exited;
    signal.removeEventListener('abort', stop);
    if (ending === 'code 0' || ending.startsWith('code 0: ')) return Buffer.concat(output).toString();
    throw failureOf(ending, folder);
  };
  return {
    ...{ folder, run },
    fetch: async (name) => {
      await run(
        ...['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-auto-gc'],
        ...['--', origin.url, name],
      );
      return (await run('rev-parse', '--verify', '--end-of-options', 'FETCH_HEAD^{commit}')).trim();
    },
  };
}

function configuration(origin: GitOrigin, token: string | undefined): string {
  const { protocol } = origin;
  const header = authorization(origin, token);
  return [
    '[core]\n\trepositoryFormatVersion = 0\n\tbare = true\n\thooksPath = /dev/null\n\taskPass = /bin/false',
    `[protocol]\n\tallow = never\n[protocol "${protocol}"]\n\tallow = always`,
    '[credential]\n\thelper =\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false',
    // Git's message about a connection without data is better than that of the time limit, which comes later.
    // After a redirect, git would send the credentials to the other host, and believe its answers.
    '[http]\n\tfollowRedirects = false\n\tlowSpeedLimit = 100\n\tlowSpeedTime = 20',
    ...(header === undefined ? [] : [`[http "${origin.url}"]\n\textraHeader = "Authorization: ${header}"`]),
    '',
  ].join('\n');
}

/** Hosts such as GitHub and GitLab take a token as the password of any user. */
function authorization({ user, password }: GitOrigin, token: string | undefined): string | undefined {
  const secret = password || token;
  if (secret === undefined && user === '') return undefined;
  const pair = `${user || 'x-access-token'}:${secret ?? ''}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Git's own words, without the repository's place on this machine. */
function failureOf(ending: string, folder: string): OriginError {
  const said = ending
    .replaceAll(folder, 'the copy')
    .replace(/^code \d+: /, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('; ');
  // What env says of a program that it can't run: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/env.html
  const isMissing = /^code 12[67]\b/.test(ending);
  if (isMissing) return new OriginError('unusable', 'there is no program git: install it, or use a tarball');
  return new OriginError('unreachable', `git: ${said}`);
}
