import { chmod, stat } from 'node:fs/promises';
import type { Log } from '../../../../base/terminal/log.ts';
import { shellQuote } from '../../../../base/text/shell-quote.ts';

/** The mode bits of everyone but the owner. */
const othersBits = 0o077;

/**
 * Gives the store's files mode 0600 if others have access to them, and logs a warning. The folder's mode is not changed,
 * because it may be intended: this only logs a warning.
 *
 * @param files paths of files, which need not exist
 */
export async function keepPrivate(folder: string, files: readonly string[], log?: Log): Promise<void> {
  for (const file of files) await tighten(file, log);
  const mode = await modeOf(folder);
  if (mode === undefined || (mode & othersBits) === 0) return;
  log?.warn(
    `Other users have access to the data folder ${folder} (mode ${octal(mode)}). Run: chmod 700 ${shellQuote(folder)}`,
  );
}

async function tighten(file: string, log?: Log): Promise<void> {
  const mode = await modeOf(file);
  if (mode === undefined || (mode & othersBits) === 0) return;
  try {
    await chmod(file, 0o600);
    log?.warn(`Other users had access to ${file} (mode ${octal(mode)}). Its mode is 0600 now.`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log?.warn(
      `Other users have access to ${file} (mode ${octal(mode)}): ${reason}. Run: chmod 600 ${shellQuote(file)}`,
    );
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ mode }) => mode & 0o777,
    () => undefined,
  );
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
