import { join } from 'node:path';
import { compareProblems, type Problem } from '../../base/errors/problem.ts';
import { type FolderFiles, filesOnDisk } from '../../base/system/folder-files.ts';
import { fileFailure } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { parsedJson } from '../../base/text/parsed-json.ts';
import { readAddedFields } from './added-fields.ts';
import { parseSource } from './parse-source.ts';
import type { Source } from './source.ts';

/** The sources that have the aliases. Each name and alias belongs to one source; letter case makes no difference. */
class AliasOwners {
  readonly #owners: Map<string, string>;

  /** @param names the names of all sources */
  constructor(names: readonly string[]) {
    this.#owners = new Map(names.map((name) => [name.toLowerCase(), name]));
  }

  /** Gives an alias to a source. Returns the reason if it is taken. */
  claim(source: string, alias: string): string | undefined {
    const folded = alias.toLowerCase();
    const owner = this.#owners.get(folded);
    if (owner !== undefined) {
      if (owner === source) return `${alias} is already a name of this source`;
      return `${alias} is already a name of the source ${owner}`;
    }
    this.#owners.set(folded, source);
    return undefined;
  }
}

/** The sources in a folder of schemas, and all errors in it. */
export interface LoadedSources {
  /** The valid sources, by name. */
  readonly sources: readonly Source[];
  readonly problems: readonly Problem[];
}

interface LoadingOptions {
  /** Whether rows are in the embedded store, which requires some columns. By default, they are. */
  readonly isStored?: boolean;
  /** The folder of the store, with the fields that rows have added to the sources. */
  readonly dataDir?: string;
  /** How the files are read. By default, from the disk. */
  readonly files?: FolderFiles;
  /** The names of the sources that are served now. Of names that differ in letter case, such a one stays. */
  readonly served?: ReadonlySet<string>;
}

const extension = '.json';

/** Unquoted GoogleSQL identifiers, so that stored SQL can contain `logs.<source>`. */
export const sourceName = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

/**
 * Reads every `<source>.json` of a folder: BigQuery table schemas as printed by `bq show --schema`, or objects with
 * such a schema and settings (`SourceFile`). Ignores other files. Errors in the files are returned in `problems`, not thrown.
 * The files of sources and problems are named as in messages, as those of endpoints are.
 */
export async function loadSources(
  dir: string,
  { isStored = true, dataDir, files = filesOnDisk, served = new Set() }: LoadingOptions = {},
): Promise<LoadedSources> {
  const sources: Source[] = [];
  const problems: Problem[] = [];
  const taken = new Map<string, string>();
  const entries = await listSchemas(dir, files, problems);
  const aliases = new AliasOwners(entries.map(nameOf));
  const isEntry = (name: string) =>
    entries.some((entry) => nameOf(entry).toLowerCase() === name.toLowerCase());
  const first = entries.filter((entry) => served.has(nameOf(entry)));
  for (const entry of new Set([...first, ...entries])) {
    const location = join(dir, entry);
    const file = shownFile(location);
    const problem = (text: string) => problems.push({ file, line: 1, column: 1, text });
    const name = nameOf(entry);
    const other = taken.get(name.toLowerCase());
    taken.set(name.toLowerCase(), entry);
    if (!sourceName.test(name))
      problem(`${JSON.stringify(name)} is not a valid source name (letters, digits and _)`);
    else if (other !== undefined) problem(`the source ${name} differs from ${other} only in letter case`);
    else {
      const text = await readText(location, files, problem);
      if (text === undefined) continue;
      const claimAlias = (alias: string) => aliases.claim(name, alias);
      const former = formerName(text);
      const names = former === undefined || isEntry(former) ? [name] : [name, former];
      const added = isStored && dataDir !== undefined ? await readAdded(dataDir, names, problems) : undefined;
      const parsed = parseSource(name, file, text, { isStored, claimAlias, added });
      if ('columns' in parsed) sources.push(parsed);
      else problems.push(...parsed);
    }
  }
  return { sources: sources.sort(byName), problems: problems.sort(compareProblems) };
}

function byName(a: Source, b: Source): number {
  return a.name < b.name ? -1 : 1;
}

function nameOf(entry: string): string {
  return entry.slice(0, -extension.length);
}

async function listSchemas(dir: string, files: FolderFiles, problems: Problem[]): Promise<string[]> {
  try {
    const entries = await files.list(dir);
    return entries.filter((entry) => entry.endsWith(extension) && !entry.startsWith('.')).sort();
  } catch (error) {
    problems.push({
      file: shownFile(dir),
      line: 1,
      column: 1,
      text: `cannot be read (${fileFailure(error)}); SOURCES_DIR names this folder`,
    });
    return [];
  }
}

async function readText(
  file: string,
  files: FolderFiles,
  problem: (text: string) => void,
): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await files.read(file));
  } catch (error) {
    problem(error instanceof TypeError ? 'not UTF-8' : `cannot be read (${fileFailure(error)})`);
    return undefined;
  }
}

/** What a source's file says that the source was called. Whether the file is right is looked at later. */
function formerName(text: string): string | undefined {
  const json = parsedJson(text);
  const was = typeof json === 'object' && json !== null && 'was' in json ? json.was : undefined;
  return typeof was === 'string' && sourceName.test(was) ? was : undefined;
}

/** @param names of the source: the present one, and perhaps a former one, under which fields were added */
async function readAdded(dataDir: string, names: readonly string[], problems: Problem[]) {
  try {
    for (const name of names) {
      const added = await readAddedFields(dataDir, name);
      if (added !== undefined) return { ...added, file: shownFile(added.file) };
    }
    return undefined;
  } catch (error) {
    const text = `the fields of ${names[0]} can't be read (${fileFailure(error)})`;
    problems.push({ file: shownFile(join(dataDir, 'fields')), line: 1, column: 1, text });
    return undefined;
  }
}
