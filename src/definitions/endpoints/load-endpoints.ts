import path from 'node:path';
import pLimit from 'p-limit';
import { compareProblems, type Problem } from '../../base/errors/problem.ts';
import { type FolderFiles, filesOnDisk } from '../../base/system/folder-files.ts';
import { isCode } from '../../base/system/is-code.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { type Catalog, withFunctions } from '../../sql/analyzer/catalog.ts';
import { type Packed, packed } from '../../sql/values/packed.ts';
import { loadFunctions } from './bigquery-functions.ts';
import { QueryGraph } from './composition/query-graph.ts';
import { type QueryFolder, viewsFolder } from './composition/readable-query.ts';
import type { Endpoint, EndpointPlaces } from './endpoint.ts';
import type { QueryPlanning } from './plan-query.ts';
import { type CheckedFiles, type FilePlanning, type PlannedFile, planQueryFile } from './plan-query-file.ts';
import { type QueryFile, readQueryFile, unreadable } from './query-file.ts';
import { cachedWithinRetention } from './settings.ts';
import { endpointFileNames } from './settings-comment.ts';
import { toEndpoint } from './to-endpoint.ts';
import { keptVersions, olderVersionProblems, versionFiles } from './version-files.ts';

export interface LoadedEndpoints {
  /** The valid endpoints, in the order of their file names. */
  readonly endpoints: readonly Endpoint[];
  /** All errors in all files. */
  readonly problems: readonly Problem[];
  /** The constructs that the engine does not support. Their endpoints are valid. */
  readonly refusals: readonly Problem[];
  /** What works, but may not be meant. */
  readonly warnings: readonly Problem[];
  readonly places: EndpointPlaces;
  /** What all files declare whose settings can be read, with errors elsewhere or not. */
  readonly declared: readonly DeclaredEndpoint[];
  /** Whether the folder can't be read. */
  readonly isUnreadable?: true;
}

/** The endpoint that a file declares. */
export interface DeclaredEndpoint extends Pick<Endpoint, 'id' | 'name' | 'file'> {}

/** What planning the queries of endpoints requires, with the tables that they may read. */
interface EndpointPlanning extends Omit<QueryPlanning, 'catalog'> {
  readonly catalog: Catalog;
  /** After how many days rows are deleted, by the names of sources. Those that are absent keep their rows. */
  readonly retentionDays?: ReadonlyMap<string, number>;
  /** How the files are read. By default, from the disk. */
  readonly files?: FolderFiles;
  /** What is served now. Of two files with the same id or name, the one that had it before keeps it. */
  readonly served?: readonly DeclaredEndpoint[] | undefined;
  /** The results for files that may not have changed since the last time. By default, there are none. */
  readonly checked?: CheckedFiles | undefined;
}

/** Files that are planned at the same time: as many as the analyzer answers calls. */
const filesAtOnce = 4;

/** Reads every `*.sql` of a folder as an endpoint, types its query and checks it completely, without any data. */
export async function loadEndpoints(
  folder: string,
  {
    catalog: tables,
    retentionDays = new Map(),
    files = filesOnDisk,
    served = [],
    checked,
    ...rest
  }: EndpointPlanning,
): Promise<LoadedEndpoints> {
  const names = await listEndpointFiles(folder, files);
  if (!Array.isArray(names))
    return {
      endpoints: [],
      problems: [names],
      refusals: [],
      warnings: [],
      places: placesIn([]),
      declared: [],
      isUnreadable: true,
    };
  const known = packed(tables);
  const declared = await loadFunctions(folder, (path) => isKnownFunction(path, known, rest.planText), files);
  const { functions } = declared;
  const catalog = withFunctions(tables, functions);
  const planning = { ...rest, catalog: packed(catalog) };
  const { sources, problems: unread } = await readFiles(folder, names, { files, checked });
  const older = await readOlderVersions(folder, names, sources, { files, checked });
  const all = await planFiles([...sources, ...older.sources], { planning, catalog, retentionDays, checked });
  const ofSource = new Map(all.map((each) => [each.source, each]));
  const plannedOf = (some: readonly QueryFile[]) => some.flatMap((source) => ofSource.get(source) ?? []);
  const endpointFiles = plannedOf(sources.filter((source) => source.folder === 'endpoints'));
  const problems = [
    ...declared.problems,
    ...unread,
    ...older.problems,
    ...all.flatMap(({ source: { comment }, warm, query }) => [
      ...comment.problems,
      ...warm.problems,
      ...query.problems,
    ]),
    ...duplicates(endpointFiles, served),
  ];
  if (names.length === 0) {
    problems.push({
      file: shownFile(folder),
      line: 1,
      column: 1,
      text: 'No endpoints: this folder, which ENDPOINTS_DIR names, has no *.sql file',
    });
  }
  problems.sort(compareProblems);
  const refusals = all.flatMap(({ query }) => query.refusals).sort(compareProblems);
  const warnings = all.flatMap(({ query }) => query.warnings ?? []).sort(compareProblems);
  const wrong = new Set(problems.map((problem) => problem.file));
  const rightIn = (each: PlannedFile): Endpoint[] => {
    const settings = each.source.endpoint?.settings;
    const { plan } = each.query;
    return settings === undefined || plan === undefined || wrong.has(each.source.file)
      ? []
      : [toEndpoint(each, each.hasRetention ? cachedWithinRetention(settings) : settings, plan)];
  };
  const endpoints = endpointFiles.flatMap((each) => {
    const versions = plannedOf(older.byNewest.get(each.source) ?? []).flatMap(rightIn);
    return rightIn(each).map((newest) => (versions.length > 0 ? { ...newest, older: versions } : newest));
  });
  const described = endpointFiles.flatMap(({ source: { file, endpoint } }) =>
    endpoint?.settings === undefined
      ? []
      : [{ file, id: endpoint.settings.id, name: endpoint.settings.name }],
  );
  return { endpoints, problems, refusals, warnings, places: placesIn(all), declared: described };
}

interface FileReading {
  readonly files: FolderFiles;
  readonly checked: CheckedFiles | undefined;
}

/** Reads the older versions that endpoints keep, by the files of the newest ones. */
async function readOlderVersions(
  folder: string,
  names: readonly string[],
  sources: readonly QueryFile[],
  { files, checked }: FileReading,
) {
  const found = await versionFiles(folder, names, files);
  const problems = [...found.problems];
  const byNewest = new Map<QueryFile, readonly QueryFile[]>();
  await Promise.all(
    sources.map(async (newest) => {
      const { file, location, endpoint } = newest;
      if (endpoint?.settings === undefined) return;
      const { settings } = endpoint;
      const all = found.byEndpoint.get(path.basename(location)) ?? [];
      const kept = keptVersions({ file, comment: endpoint }, all, (problem) => problems.push(problem));
      const older: QueryFile[] = [];
      for (const { location: ofOlder, number } of kept) {
        const read = await readQueryFile(ofOlder, 'older', files, checked?.get(ofOlder)?.file.source);
        if (!('location' in read)) problems.push(read);
        else {
          older.push(read);
          if (read.endpoint !== undefined)
            problems.push(
              ...olderVersionProblems({ file: read.file, comment: read.endpoint }, number, settings),
            );
        }
      }
      if (older.length > 0) byNewest.set(newest, older);
    }),
  );
  return { byNewest, problems, sources: [...byNewest.values()].flat() };
}

/** The files of endpoints, and of the views in the folder `views`. */
async function readFiles(
  folder: string,
  names: readonly string[],
  { files, checked }: FileReading,
): Promise<{ readonly sources: readonly QueryFile[]; readonly problems: readonly Problem[] }> {
  const views = path.join(folder, viewsFolder);
  const viewNames = await endpointFileNames(views, files).catch((error: unknown) => {
    if (isMissing(error)) return [];
    return { file: shownFile(views), line: 1, column: 1, text: unreadable(error) };
  });
  const read = (location: string, of: QueryFolder) =>
    readQueryFile(location, of, files, checked?.get(location)?.file.source);
  const ofViews = Array.isArray(viewNames)
    ? viewNames.map((name) => read(path.join(views, name), 'views'))
    : [viewNames];
  const all = await Promise.all([
    ...names.map((name) => read(path.join(folder, name), 'endpoints')),
    ...ofViews,
  ]);
  return {
    sources: all.flatMap((each) => ('location' in each ? [each] : [])),
    problems: all.flatMap((each) => ('location' in each ? [] : [each])),
  };
}

function isMissing(error: unknown): boolean {
  return isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR');
}

/** Plans the queries of files, each after those that it reads. */
async function planFiles(
  sources: readonly QueryFile[],
  planning: FilePlanning,
): Promise<readonly PlannedFile[]> {
  const graph = new QueryGraph(sources);
  // A few at a time: finished plans are kept if the rest is cancelled.
  const limit = pLimit(filesAtOnce);
  const planned = new Map<QueryFile, Promise<PlannedFile>>();
  const plan = (source: QueryFile): Promise<PlannedFile> => {
    const known = planned.get(source) ?? planAfterReads(source);
    planned.set(source, known);
    return known;
  };
  const planAfterReads = async (source: QueryFile) => {
    const reads = [...graph.readBy(source)].map(
      async ([path, other]) => [path, 'problem' in other ? other : await plan(other)] as const,
    );
    const read = new Map(await Promise.all(reads));
    return limit(() => planQueryFile(source, read, planning));
  };
  return Promise.all(sources.map(plan));
}

function placesIn(files: readonly PlannedFile[]): EndpointPlaces {
  const byFile = new Map(files.map((file) => [file.source.file, file]));
  return {
    locate({ file }, path) {
      const found = byFile.get(file);
      if (found === undefined) return { line: 1, column: 1 };
      return path.length === 0 ? found.queryPlace : found.source.comment.locate(path);
    },
  };
}

async function listEndpointFiles(folder: string, files: FolderFiles): Promise<string[] | Problem> {
  try {
    return await endpointFileNames(folder, files);
  } catch (error) {
    const text = `${unreadable(error)}; ENDPOINTS_DIR names this folder`;
    return { file: shownFile(folder), line: 1, column: 1, text };
  }
}

/** Whether the analyzer has a function with this path, which a declaration would hide. */
async function isKnownFunction(
  path: readonly string[],
  catalog: Packed<Catalog>,
  planText: QueryPlanning['planText'],
): Promise<boolean> {
  const sql = `SELECT ${path.map((part) => `\`${part}\``).join('.')}()`;
  const { mistake } = await planText({ sql, declared: new Map(), hasTables: false, catalog });
  return mistake?.message.startsWith('Function not found') !== true;
}

/** Reports ids and names that occur more than once: both identify an endpoint. */
function duplicates(planned: readonly PlannedFile[], served: readonly DeclaredEndpoint[]): Problem[] {
  const problems: Problem[] = [];
  const files = planned.map(({ source: { file, comment, endpoint } }) => ({
    file,
    comment,
    settings: endpoint?.settings,
  }));
  for (const key of ['id', 'name'] as const) {
    const first = new Map<string, string>();
    for (const { file, settings } of files) {
      const value = settings?.[key];
      if (value !== undefined && served.some((each) => each.file === file && each[key] === value))
        first.set(value, file);
    }
    for (const { file, comment, settings } of files) {
      const value = settings?.[key];
      if (value === undefined) continue;
      const other = first.get(value) ?? file;
      first.set(value, other);
      if (other !== file)
        problems.push({
          file,
          ...comment.locate([key]),
          text: `Duplicate ${key}: ${other} also has "${value}"`,
        });
    }
  }
  return problems;
}
