import { homedir } from 'node:os';
import { bytesOf } from './start-process.ts';

/** Thrown when git can't do what it is asked. Its message is git's own. */
export class GitError extends Error {
  override readonly name = 'GitError';
  /** The exit code of git. Undefined if it didn't start. */
  readonly exitCode: number | undefined;

  constructor(message: string, exitCode: number | undefined, cause: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** A larger output isn't read. */
const maxBytes = 256_000_000;

/**
 * What git writes to its standard output. Only for commands that read: it takes no locks, and asks no questions. The user's own
 * settings say which repositories of others are trusted.
 *
 * @param folder where it is started
 * @throws GitError
 */
export async function git(folder: string, args: readonly string[]): Promise<Buffer> {
  const environment = { HOME: homedir(), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  const safe = ['--literal-pathspecs', '--no-replace-objects', '--no-pager', '-c', 'core.fsmonitor=false'];
  try {
    return await bytesOf('git', [...safe, '-C', folder, ...args], { environment, maxBytes });
  } catch (error) {
    throw gitError(error);
  }
}

function gitError(error: unknown): GitError {
  const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: unknown };
  if (code === 'ENOENT')
    return new GitError(
      'git is not installed, or its program is neither in /usr/bin nor in /bin',
      undefined,
      error,
    );
  const said = Buffer.isBuffer(stderr) ? stderr.toString() : '';
  const [line = ''] = said.split('\n').filter((each) => each.trim() !== '');
  const message = line.replace(/^fatal: /, '') || (error instanceof Error ? error.message : String(error));
  return new GitError(message, typeof code === 'number' ? code : undefined, error);
}
