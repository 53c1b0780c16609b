import { lstat, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { CommandError } from '../../base/errors/command-error.ts';
import { exists } from '../../base/system/exists.ts';
import { isCode } from '../../base/system/is-code.ts';
import { makeFolder } from '../../base/system/make-folder.ts';
import { readWrittenFile, UnfitFile } from '../../base/system/read-written-file.ts';
import { replaceText } from '../../base/system/replace-file.ts';
import { firstFiles, type ProjectFile } from './first-files.ts';
import { nameOfFolder, otherScripts, PackageJsonError, projectPackageJson } from './package-json.ts';
import { gitignore, secretLines, surroundingFiles } from './surrounding-files.ts';

export interface NewProject {
  /** An absolute path. */
  readonly folder: string;
  /** The name, if it was chosen. */
  readonly name?: string | undefined;
  /** The id of the first endpoint, a UUID. */
  readonly endpointId: string;
  /** The version of the gateway. */
  readonly version: string;
}

/** What happened to each file, by paths that are relative to the folder. */
export interface WrittenProject {
  readonly written: readonly string[];
  /** Files that existed, and got what they lacked. */
  readonly extended: readonly string[];
  /** Files that existed, and stayed as they are. */
  readonly kept: readonly string[];
  /** Whether there is the first endpoint. A folder with own endpoints or sources doesn't get it. */
  readonly hasFirstEndpoint: boolean;
  /** Scripts of the project that package.json has for other purposes. */
  readonly otherScripts: ReadonlySet<string>;
  /** What an existing .gitignore lacks. */
  readonly notIgnored: readonly string[];
}

const packageFile = 'package.json';
const folders = ['endpoints', 'sources', 'fixtures'];

/**
 * Makes a project in a folder. Files that exist stay as they are; only `package.json` gets what it lacks. Checks the
 * folder before it writes anything.
 *
 * @throws CommandError when the folder can't become a project, or can't be written
 */
export async function writeProject({
  folder,
  name,
  endpointId,
  version,
}: NewProject): Promise<WrittenProject> {
  try {
    const first = firstFiles(endpointId);
    const isFirst = !(await hasOwnFiles(folder, first));
    const files = [...(isFirst ? first : []), ...surroundingFiles(name ?? nameOfFolder(folder))];
    await refusePlace(folder, [
      packageFile,
      ...folders.map((inner) => `${inner}/file`),
      ...files.map(({ path }) => path),
    ]);
    const before = await readFileIfThere(join(folder, packageFile));
    const packageText = extendedPackage(folder, before, { name, folder, version });
    // Without them, the gateway would use those of the package.
    for (const inner of folders) await makeFolder(join(folder, inner));
    const written: string[] = [];
    const kept: string[] = [];
    for (const file of files) ((await writeIfMissing(folder, file)) ? written : kept).push(file.path);
    if (before === undefined) {
      const isNew = await writeIfMissing(folder, { path: packageFile, text: packageText });
      (isNew ? written : kept).push(packageFile);
    } else if (before === packageText) kept.push(packageFile);
    else await replaceText(join(folder, packageFile), packageText);
    const isExtended = before !== undefined && before !== packageText;
    return {
      ...{ written, kept, extended: isExtended ? [packageFile] : [], hasFirstEndpoint: isFirst },
      otherScripts: otherScripts(packageText),
      notIgnored: await notIgnored(folder),
    };
  } catch (error) {
    if (!(error instanceof Error && (error instanceof UnfitFile || 'syscall' in error))) throw error;
    throw new CommandError(`The project can't be written: ${error.message}`, error);
  }
}

/** The lines that .gitignore lacks. A pattern that is written differently counts as missing, because only git knows what it matches. */
async function notIgnored(folder: string): Promise<string[]> {
  const text = (await readFileIfThere(join(folder, gitignore.path))) ?? '';
  const plain = (line: string) => line.trim().replace(/^\/|\/$/g, '');
  const lines = new Set(text.split('\n').map(plain));
  return secretLines.filter((line) => !lines.has(plain(line)));
}

/** Whether the folder has endpoints or sources besides the first ones. */
async function hasOwnFiles(folder: string, first: readonly ProjectFile[]): Promise<boolean> {
  const known = new Set(first.map(({ path }) => path));
  const found = await Promise.all([
    namesIn(folder, 'endpoints', '.sql'),
    namesIn(folder, 'sources', '.json'),
  ]);
  return found.flat().some((path) => !known.has(path));
}

async function namesIn(folder: string, inner: string, extension: string): Promise<string[]> {
  const names = await readdir(join(folder, inner)).catch(() => []);
  return names.filter((name) => name.endsWith(extension)).map((name) => `${inner}/${name}`);
}

/** @throws CommandError when a project in the folder could not work, or would be written elsewhere */
async function refusePlace(folder: string, paths: readonly string[]): Promise<void> {
  if (folder.split(sep).includes('node_modules'))
    throw new CommandError(`${folder} is in node_modules, which npm replaces. Choose another folder.`);
  const needed = new Set(paths.flatMap((path) => foldersAbove(join(folder, path))));
  for (const place of needed) {
    if (await isOther(place, 'folder'))
      throw new CommandError(`${place} is a file, and the project needs a folder there.`);
  }
  for (const path of paths) {
    const place = join(folder, path);
    if (await isOther(place, 'file'))
      throw new CommandError(`${place} is a folder, and the project needs a file there.`);
    for (const inner of foldersAbove(place)) if (inner.startsWith(folder + sep)) await refuseLink(inner);
  }
  // The others are written only if they are missing, which a link is not.
  await refuseLink(join(folder, packageFile));
}

async function refuseLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink())
    throw new CommandError(
      `${path} is a symbolic link, and the project is written to its own folder only. Remove the link.`,
    );
}

/** The folders that a file is in, up to the root. */
function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let place = dirname(file); place !== dirname(place); place = dirname(place)) folders.push(place);
  return folders;
}

async function isOther(path: string, wanted: 'file' | 'folder'): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isSymbolicLink()) return false;
  return wanted === 'folder' ? !found.isDirectory() : found.isDirectory();
}

function extendedPackage(
  folder: string,
  text: string | undefined,
  project: Parameters<typeof projectPackageJson>[1],
): string {
  try {
    return projectPackageJson(text, project);
  } catch (error) {
    if (!(error instanceof PackageJsonError)) throw error;
    throw new CommandError(`${join(folder, packageFile)} can't be extended: ${error.message}`);
  }
}

async function readFileIfThere(path: string): Promise<string | undefined> {
  if (!(await exists(path))) return undefined;
  const bytes = await readWrittenFile(path).catch((error: unknown) => {
    throw error instanceof UnfitFile ? new UnfitFile(`${path}: ${error.message}`) : error;
  });
  return bytes.toString();
}

/** Returns whether the file was missing, and is written. */
export async function writeIfMissing(folder: string, { path, text }: ProjectFile): Promise<boolean> {
  const place = join(folder, path);
  await makeFolder(dirname(place));
  try {
    await writeFile(place, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}
