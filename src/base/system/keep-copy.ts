import { createReadStream, createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isCode } from './is-code.ts';

/**
 * Gives a file a further name beside it, `<file>.kept-<number>`, before another one takes its own. Rejects as `fs` does.
 *
 * @returns the further name
 */
export function keepName(file: string): Promise<string> {
  // Unlike a rename, a link never replaces another file.
  return underFreeName(file, (name) => link(file, name));
}

/** Gives a file such a name in place of its own. */
export async function setAside(file: string): Promise<string> {
  const name = await keepName(file);
  await rm(file);
  return name;
}

/** Copies the end of a file under such a name, before it is cut off. Without enough space, nothing is left. */
export function keepEnd(file: string, from: number): Promise<string> {
  return underFreeName(file, async (name) => {
    const copy = createWriteStream(name, { flags: 'wx', mode: 0o600 });
    try {
      await pipeline(createReadStream(file, { start: from }), copy);
    } catch (error) {
      // Another file has the name.
      if (!isCode(error, 'EEXIST')) await rm(name, { force: true });
      throw error;
    }
  });
}

async function underFreeName(file: string, make: (name: string) => Promise<void>): Promise<string> {
  for (let number = 1; ; number++) {
    const name = `${file}.kept-${number}`;
    try {
      await make(name);
      return name;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
  }
}
