import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import path from 'node:path';
import pLimit from 'p-limit';
import { compareProblems, type Problem } from '../../base/errors/problem.ts';
import { type FolderFiles, filesOnDisk } from '../../base/system/folder-files.ts';
import { fileFailure } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { type Catalog, withFunctions } from '../../sql/analyzer/catalog.ts';
import { type Packed, packed } from '../../sql/values/packed.ts';
import { readLabelRules } from '../jobs/labels.ts';
import { sourceOfTable } from '../sources/source.ts';
import { loadFunctions } from './bigquery-functions.ts';
import { declaredParameters } from './declared-parameters.ts';
import type { Endpoint, EndpointPlaces } from './endpoint.ts';
import { type PlannedQuery, planQuery, type QueryPlanning, queryText } from './plan-query.ts';
import type { EndpointSettings } from './settings.ts';
import { cachedWithinRetention } from './settings.ts';
import { endpointFileNames, readSettingsComment, type SettingsComment } from './settings-comment.ts';
import { readWarmSets, type WarmSets } from './warm-sets.ts';
import { withoutUndefined } from './without-undefined.ts';

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

/** Keeps what is known of each endpoint file, by its path. */
export interface CheckedFiles {
  get(location: string): CheckedFile | undefined;
  set(location: string, file: CheckedFile): void;
}

/** The result for an endpoint file, and what it depends on. */
export interface CheckedFile {
  readonly file: EndpointFile;
  /** The id of the catalog with which it was planned. */
  readonly catalogId: string;
  /** A digest of its bytes, and of after how many days rows are deleted. */
  readonly digest: string;
}

/** An endpoint file with all that can be said of it alone. */
export interface EndpointFile {
  readonly file: string;
  readonly version: string;
  /** Whether old rows are deleted from a source that it may read. */
  readonly hasRetention: boolean;
  readonly comment: SettingsComment;
  readonly warm: WarmSets;
  readonly query: PlannedQuery;
  readonly queryPlace: { readonly line: number; readonly column: number };
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
  const reading = { planning, catalog, retentionDays, files, checked };
  // A few at a time: finished plans are kept if the rest is cancelled.
  const limit = pLimit(filesAtOnce);
  const endpointFiles = await Promise.all(
    names.map((name) => limit(() => readEndpointFile(path.join(folder, name), reading))),
  );
  const problems = [
    ...declared.problems,
    ...endpointFiles.flatMap(({ comment, warm, query }) => [
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
  const refusals = endpointFiles.flatMap(({ query }) => query.refusals).sort(compareProblems);
  const warnings = endpointFiles.flatMap(({ query }) => query.warnings ?? []).sort(compareProblems);
  const wrong = new Set(problems.map((problem) => problem.file));
  const endpoints = endpointFiles.flatMap((each) => {
    const { settings } = each.comment;
    const { plan } = each.query;
    return settings === undefined || plan === undefined || wrong.has(each.file)
      ? []
      : [toEndpoint(each, each.hasRetention ? cachedWithinRetention(settings) : settings, plan)];
  });
  const described = endpointFiles.flatMap(({ file, comment: { settings } }) =>
    settings === undefined ? [] : [{ file, id: settings.id, name: settings.name }],
  );
  return { endpoints, problems, refusals, warnings, places: placesIn(endpointFiles), declared: described };
}

function placesIn(files: readonly EndpointFile[]): EndpointPlaces {
  const byFile = new Map(files.map((file) => [file.file, file]));
  return {
    locate({ file }, path) {
      const found = byFile.get(file);
      if (found === undefined) return { line: 1, column: 1 };
      return path.length === 0 ? found.queryPlace : found.comment.locate(path);
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

function unreadable(error: unknown): string {
  return `cannot be read (${fileFailure(error)})`;
}

interface Reading extends Pick<EndpointPlanning, 'checked'> {
  readonly planning: QueryPlanning;
  /** The unpacked catalog of the planning. */
  readonly catalog: Catalog;
  readonly retentionDays: ReadonlyMap<string, number>;
  readonly files: FolderFiles;
}

async function readEndpointFile(
  location: string,
  { planning, catalog, retentionDays, files, checked }: Reading,
): Promise<EndpointFile> {
  const file = shownFile(location);
  let bytes: Buffer;
  try {
    bytes = await files.read(location);
  } catch (error) {
    return withoutText({ file, line: 1, column: 1, text: unreadable(error) });
  }
  if (!isUtf8(bytes)) {
    const line = lineOfBadByte(bytes);
    return withoutText({ file, line, column: 1, text: 'This line is not valid UTF-8' });
  }
  const known = checked?.get(location);
  const digest = hash('sha256', bytes) + JSON.stringify([...retentionDays]);
  if (known?.digest === digest && known.catalogId === planning.catalog.id) return known.file;
  const text = bytes.toString();
  const named = namedIn(text, catalog);
  const days = named.tables.flatMap((table) => retentionDays.get(sourceOf(table)) ?? []);
  const hasRetention = days.length > 0;
  const sources = JSON.stringify(hasRetention ? [named, days] : named);
  const version = hash('sha256', `${sources}\n${text}`, 'base64url');
  if (known !== undefined && isStillValid(known, version, planning.catalog.id)) return known.file;
  const comment = readSettingsComment(file, text);
  const sql = queryText(text, comment.queryStart);
  const query = await planQuery(file, sql, comment, planning);
  const warm = readWarmSets(file, comment);
  const result = { file, version, hasRetention, comment, warm, query, queryPlace: sql.start };
  if (query.mayPass !== true)
    checked?.set(location, { file: result, catalogId: planning.catalog.id, digest });
  return result;
}

/** The message of an error may name any table of the catalog. */
function isStillValid({ file, catalogId }: CheckedFile, version: string, currentCatalogId: string): boolean {
  return file.version === version && (file.query.plan !== undefined || catalogId === currentCatalogId);
}

/** The catalog without the tables that an endpoint doesn't read. It may read those whose name occurs in its text. */
function namedIn(text: string, catalog: Catalog): Catalog {
  const folded = text.toLowerCase();
  const isNamed = (name: string) => folded.includes(name.toLowerCase());
  return { ...catalog, tables: catalog.tables.filter((table) => isNamed(sourceOf(table))) };
}

/** The name of a table's source. */
function sourceOf({ path }: Catalog['tables'][number]): string {
  return sourceOfTable(path.at(-1) ?? '').name;
}

/** The result for a file of which only the errors are known. */
function withoutText(problem: Problem): EndpointFile {
  const { file, line, column } = problem;
  return {
    file,
    version: '',
    hasRetention: false,
    comment: {
      settings: undefined,
      parameters: undefined,
      problems: [problem],
      queryStart: 0,
      locate: () => ({ line, column }),
      offsetOf: () => 0,
    },
    warm: { sets: [], problems: [] },
    query: { plan: undefined, tables: [], problems: [], refusals: [], isSupported: true },
    queryPlace: { line, column },
  };
}

function lineOfBadByte(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
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
function duplicates(files: readonly EndpointFile[], served: readonly DeclaredEndpoint[]): Problem[] {
  const problems: Problem[] = [];
  for (const key of ['id', 'name'] as const) {
    const first = new Map<string, string>();
    for (const { file, comment } of files) {
      const value = comment.settings?.[key];
      if (value !== undefined && served.some((each) => each.file === file && each[key] === value))
        first.set(value, file);
    }
    for (const { file, comment } of files) {
      const value = comment.settings?.[key];
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

function toEndpoint(
  { file, version, warm: { sets }, query: { tables, filterable, functions = [], isSupported } }: EndpointFile,
  settings: EndpointSettings,
  plan: Endpoint['plan'],
): Endpoint {
  const { parameters, columns, graphql, labels, bigquery, filterable: _, ...others } = settings;
  const { timeoutSeconds, exportRows, unknownParameters, ...rest } = others;
  const { allowReservation, reservation, maxBytesPerDay, ...job } = bigquery;
  return {
    ...rest,
    ...withoutUndefined({ reservation, maxBytesPerDay, timeoutSeconds, exportRows, unknownParameters }),
    allowReservation,
    job: withoutUndefined(job),
    labels: readLabelRules(labels).filter((rule) => rule !== undefined),
    version,
    warm: isSupported ? sets : [],
    parameters: declaredParameters(parameters),
    columns: new Map(
      Object.entries(columns).map(([name, { nullable, ...optional }]) => [
        name,
        { nullable, ...withoutUndefined(optional) },
      ]),
    ),
    graphql: withoutUndefined(graphql),
    tables,
    ...(filterable && { filterable }),
    plan,
    functions,
    file,
  };
}
