import { hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readWrittenFile } from '../../base/system/read-written-file.ts';
import { functionsFile } from '../../definitions/endpoints/bigquery-functions.ts';
import type { Config } from '../../definitions/settings/config.ts';

export type SchemaFolders = Pick<Config, 'endpointsDir' | 'sourcesDir'>;

/** Fingerprints of the files of endpoints and of sources. */
export interface SchemaFiles {
  readonly endpoints: string;
  readonly sources: string;
}

export async function schemaFiles({ endpointsDir, sourcesDir }: SchemaFolders): Promise<SchemaFiles> {
  const isOfEndpoints = (name: string) => name.endsWith('.sql') || name === functionsFile;
  const states = await Promise.all([
    folderState(endpointsDir, isOfEndpoints),
    folderState(sourcesDir, (name) => name.endsWith('.json')),
  ]);
  return { endpoints: states[0], sources: states[1] };
}

/** A fingerprint of some files of a folder and its subfolders. Unreadable files count as empty. */
async function folderState(folder: string, isMeant: (name: string) => boolean): Promise<string> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const isHidden = (name: string) => name.split(path.sep).some((part) => part.startsWith('.'));
  const files = names.filter((name) => isMeant(name) && !isHidden(name)).sort();
  const contents = await Promise.all(
    files.map(async (name) => {
      const bytes = await readWrittenFile(path.join(folder, name)).catch(() => Buffer.alloc(0));
      return [name, hash('sha256', bytes)];
    }),
  );
  return JSON.stringify(contents);
}
