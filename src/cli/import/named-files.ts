import { glob, stat } from 'node:fs/promises';
import { UsageError } from '../../base/errors/command-error.ts';

/**
 * The files that arguments name. An argument with `*`, `?`, `[` or `{` is a pattern, unless a file has this name. Shells usually
 * expand patterns themselves, but not those in quotes.
 *
 * @returns the files of a pattern in the order of their names
 * @throws UsageError for a pattern without a file
 */
export async function namedFiles(args: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const arg of args) {
    if (!/[*?[{]/.test(arg) || (await exists(arg))) files.push(arg);
    else files.push(...(await matching(arg)));
  }
  return files;
}

async function matching(pattern: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(pattern)) if ((await stat(file)).isFile()) found.push(file);
  if (found.length === 0) throw new UsageError(`No file matches ${pattern}.`);
  return found.sort();
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
