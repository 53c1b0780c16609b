import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes files into a folder, by their paths in it. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    const at = path.join(folder, file);
    await mkdir(path.dirname(at), { recursive: true });
    await writeFile(at, text);
  }
}
