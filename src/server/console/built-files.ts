import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { packageFolder } from '../../base/package-folder.ts';

/** A file of the console, as the build has written it. */
export interface BuiltFile {
  readonly content: Buffer;
  readonly mediaType: string;
}

/** Where `npm run build:console` writes. */
export const builtFolder = path.join(packageFolder, 'dist/console');

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** The files of the console by name; none if it has not been built. */
export async function readBuiltFiles(folder = builtFolder): Promise<ReadonlyMap<string, BuiltFile>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = await Promise.all(
    names.map(async (name): Promise<readonly [string, BuiltFile]> => {
      const mediaType = mediaTypes[path.extname(name)] ?? 'application/octet-stream';
      return [name, { content: await readFile(path.join(folder, name)), mediaType }];
    }),
  );
  return new Map(files);
}
