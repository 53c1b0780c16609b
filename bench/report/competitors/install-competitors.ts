import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const files = ['package.json', 'package-lock.json'];

/**
 * Installs the competitors' packages in a folder of the benchmark, unless the same ones are there. They aren't packages
 * of this repository: they need another version of graphql, and nothing but the report needs them.
 *
 * @returns the folder
 * @throws Error if npm fails
 */
export async function installCompetitors(benchFolder: string): Promise<string> {
  const folder = join(benchFolder, 'competitors');
  const marker = join(folder, 'installed');
  const wanted = await readFile(join(import.meta.dirname, 'package-lock.json'), 'utf8');
  if ((await readFile(marker, 'utf8').catch(() => undefined)) === wanted) return folder;
  await mkdir(folder, { recursive: true });
  for (const file of files) await copyFile(join(import.meta.dirname, file), join(folder, file));
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  await writeFile(marker, wanted);
  return folder;
}
