import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const files = ['package.json', 'package-lock.json'];

/** Folders of the report with a `package.json` of their own. Nothing but the report needs these packages. */
type PackagesFolder = 'competitors' | 'clickhouse';

/**
 * Installs the packages of one of the report's folders in a folder of the benchmark, unless the same ones are there.
 *
 * @returns the folder
 * @throws Error if npm fails
 */
export async function installPackages(name: PackagesFolder, benchFolder: string): Promise<string> {
  const from = join(import.meta.dirname, name);
  const folder = join(benchFolder, name);
  const marker = join(folder, 'installed');
  const wanted = await readFile(join(from, 'package-lock.json'), 'utf8');
  if ((await readFile(marker, 'utf8').catch(() => undefined)) === wanted) return folder;
  await mkdir(folder, { recursive: true });
  for (const file of files) await copyFile(join(from, file), join(folder, file));
  // `npm ci` wants the packages of all platforms in the lock file, and some of ClickHouse's aren't published.
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
  });
  await writeFile(marker, wanted);
  return folder;
}
