import path from 'node:path';
import type { Problem } from '../../base/errors/problem.ts';
import type { FolderFiles } from '../../base/system/folder-files.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { counted } from '../../base/text/counted.ts';
import { viewsFolder } from './composition/readable-query.ts';
import type { EndpointSettings } from './settings.ts';
import type { SettingsComment } from './settings-comment.ts';

/** The file of an older version of an endpoint. */
export interface VersionFile {
  readonly number: number;
  readonly location: string;
}

/** Older versions by the name of their endpoint's file, and the errors in the names of their files. */
interface VersionFiles {
  readonly byEndpoint: ReadonlyMap<string, readonly VersionFile[]>;
  readonly problems: readonly Problem[];
}

const extension = '.sql';
const versionName = /^v([1-9]\d*)\.sql$/;
const ofVersion = /^(.+)[/\\]v[1-9]\d*\.sql$/;

/** Other folders than those of endpoints' versions. */
const reservedFolders: ReadonlySet<string> = new Set([viewsFolder]);

/** The endings of files that are no folders, so that nobody looks into them. */
const usualFile = /\.(?:sql|ya?ml|json|md|txt)$/i;

/**
 * The file of the newest version, by the file of any: `endpoints/orders.sql` by `endpoints/orders/v1.sql`. The errors in all of
 * them are those of one endpoint.
 */
export function newestFileOf(file: string): string {
  const folder = ofVersion.exec(file)?.[1];
  return folder === undefined ? file : `${folder}${extension}`;
}

/**
 * Finds the files of older versions: `v1.sql` of `orders.sql` is in the folder `orders` beside it.
 *
 * @param endpointNames the names of the newest versions' files
 */
export async function versionFiles(
  folder: string,
  endpointNames: readonly string[],
  files: Pick<FolderFiles, 'list'>,
): Promise<VersionFiles> {
  const endpoints = new Set(endpointNames);
  const entries = await files.list(folder).catch(() => []);
  const folders = entries.filter(
    (name) =>
      !name.startsWith('.') &&
      !reservedFolders.has(name) &&
      (endpoints.has(`${name}${extension}`) || !usualFile.test(name)),
  );
  const byEndpoint = new Map<string, readonly VersionFile[]>();
  const problems: Problem[] = [];
  for (const name of folders.sort()) {
    const endpoint = `${name}${extension}`;
    const own: VersionFile[] = [];
    // It may be no folder.
    for (const entry of await files.list(path.join(folder, name)).catch(() => [])) {
      const location = path.join(folder, name, entry);
      const report = (text: string) => problems.push({ file: shownFile(location), line: 1, column: 1, text });
      const number = versionName.exec(entry)?.[1];
      if (number === undefined) {
        if (entry.endsWith(extension) && !entry.startsWith('.') && endpoints.has(endpoint))
          report(`The file of an older version of ${endpoint} is called v<number>.sql, such as v1.sql`);
      } else if (endpoints.has(endpoint)) {
        own.push({ number: Number(number), location });
      } else {
        report(`This is an older version of ${endpoint}, which does not exist`);
      }
    }
    if (own.length > 0) byEndpoint.set(endpoint, own);
  }
  return { byEndpoint, problems };
}

/** The newest version of an endpoint, as its file has it. */
interface NewestVersion {
  readonly file: string;
  readonly comment: SettingsComment;
}

/**
 * Chooses the files of the older versions that are served, the newest of them first. Those of earlier versions are not read.
 *
 * @param all the files of older versions
 * @param report receives what is missing or in excess
 */
export function keptVersions(
  { file, comment: { settings, locate } }: NewestVersion,
  all: readonly VersionFile[],
  report: (problem: Problem) => void,
): readonly VersionFile[] {
  if (settings === undefined) return [];
  const { version, keep } = settings;
  for (const { number, location } of all) {
    if (number < version) continue;
    const text = `The newest version of ${path.basename(file)} is ${version}: this can't be version ${number}`;
    report({ file: shownFile(location), line: 1, column: 1, text });
  }
  const first = Math.max(1, version - keep);
  const kept: VersionFile[] = [];
  for (let number = version - 1; number >= first; number--) {
    const found = all.find((each) => each.number === number);
    if (found !== undefined) kept.push(found);
    else {
      const expected = shownFile(path.join(file.slice(0, -extension.length), `v${number}${extension}`));
      const text = `keep: ${keep} serves ${counted(version - first, 'older version')}, and ${expected} does not exist`;
      report({ file, ...locate(['keep']), text });
    }
  }
  return kept;
}

/** What is wrong with the settings of an older version: it is the same endpoint, and its clients are to leave it. */
export function olderVersionProblems(
  { file, comment: { settings, locate } }: NewestVersion,
  number: number,
  newest: Pick<EndpointSettings, 'id' | 'name' | 'version'>,
): Problem[] {
  if (settings === undefined) return [];
  const problems: Problem[] = [];
  const report = (key: string, text: string) => problems.push({ file, ...locate([key], 'value'), text });
  for (const key of ['id', 'name'] as const) {
    if (settings[key] !== newest[key])
      report(key, `Bad setting "${key}": all versions of an endpoint have the same, here ${newest[key]}`);
  }
  if (settings.version !== number)
    report('version', `Bad setting "version": expected ${number}, as the name of the file says`);
  if (settings.keep > 0)
    report('keep', `Bad setting "keep": it belongs to the newest version, ${newest.version}`);
  if (settings.deprecated === undefined)
    report(
      'deprecated',
      'Setting "deprecated" is missing: the day since which clients should call the newest version, such as 2027-01-31',
    );
  return problems;
}
