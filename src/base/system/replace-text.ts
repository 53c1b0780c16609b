import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/** Replaces the text of a file at once: it has the old text or the new one. Its mode stays, and so do links to it by name. */
export async function replaceText(path: string, text: string): Promise<void> {
  const file = await realpath(path);
  const next = `${file}.${process.pid}.new`;
  try {
    await writeFile(next, text, { flag: 'wx', mode: (await stat(file)).mode });
    await rename(next, file);
  } finally {
    await rm(next, { force: true });
  }
}
