import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { compareProblems, type Problem } from '../problem.ts';
import { sourceOfTable } from '../sources/table-of-source.ts';
import { type Catalog, withFunctions } from '../sql/analyzer/catalog.ts';
import { type Packed, packed } from '../sql/packed.ts';
import { loadFunctions } from './bigquery-functions.ts';
import { cachedWithinRetention } from './cached-within-retention.ts';
import { declaredParameters } from './declared-parameters.ts';
import type { Endpoint } from './endpoint.ts';
import { endpointFileNames } from './endpoint-file-names.ts';
import type { EndpointPlaces } from './endpoint-places.ts';
import { readLabelRules } from './label-rules.ts';
import { type PlannedQuery, planQuery, type QueryPlanning } from './plan-query.ts';
import { queryText } from './query-text.ts';
import type { EndpointSettings } from './settings.ts';
import { readSettingsComment, type SettingsComment } from './settings-comment.ts';
import { readWarmSets, type WarmSets } from './warm-sets.ts';
import { withoutUndefined } from './without-undefined.ts';

interface LoadedEndpoints {
  /** The valid endpoints, in the order of their file names. */
  readonly endpoints: readonly Endpoint[];
  /** All errors in all files. */
  readonly problems: readonly Problem[];
  /** The constructs that the engine does not support. Their endpoints are valid. */
  readonly refusals: readonly Problem[];
  readonly places: EndpointPlaces;
}

/** What planning the queries of endpoints requires, with the tables that they may read. */
interface EndpointPlanning extends Omit<QueryPlanning, 'catalog'> {
  readonly catalog: Catalog;
  /** After how many days rows are deleted, by the names of sources. Those that are absent keep their rows. */
  readonly retentionDays?: ReadonlyMap<string, number>;
}

interface EndpointFile {
  readonly file: string;
  readonly version: string;
  /** Whether old rows are deleted from a source that it may read. */
  readonly hasRetention: boolean;
  readonly comment: SettingsComment;
  readonly warm: WarmSets;
  readonly query: PlannedQuery;
  readonly queryPlace: { readonly line: number; readonly column: number };
}

/** Reads every `*.sql` of a folder as an endpoint, types its query and checks it completely, without any data. */
export async function loadEndpoints(
  folder: string,
  { catalog: tables, retentionDays = new Map(), ...rest }: EndpointPlanning,
): Promise<LoadedEndpoints> {
  const names = await listEndpointFiles(folder);
  if (!Array.isArray(names)) return { endpoints: [], problems: [names], refusals: [], places: placesIn([]) };
  const known = packed(tables);
  const declared = await loadFunctions(folder, (path) => isKnownFunction(path, known, rest.planText));
  const { functions } = declared;
  const catalog = withFunctions(tables, functions);
  const planning = { ...rest, catalog: packed(catalog) };
  const files = await Promise.all(
    names.map((name) => readEndpointFile(path.join(folder, name), planning, catalog, retentionDays)),
  );
  const problems = [
    ...declared.problems,
    ...files.flatMap(({ comment, warm, query }) => [
      ...comment.problems,
      ...warm.problems,
      ...query.problems,
    ]),
    ...duplicates(files),
  ];
  if (names.length === 0) {
    problems.push({
      file: folder,
      line: 1,
      column: 1,
      text: 'No endpoints: this folder, which ENDPOINTS_DIR names, has no *.sql file',
    });
  }
  problems.sort(compareProblems);
  const refusals = files.flatMap(({ query }) => query.refusals).sort(compareProblems);
  const wrong = new Set(problems.map((problem) => problem.file));
  const endpoints = files.flatMap((each) => {
    const { settings } = each.comment;
    const { plan } = each.query;
    return settings === undefined || plan === undefined || wrong.has(each.file)
      ? []
      : [toEndpoint(each, each.hasRetention ? cachedWithinRetention(settings) : settings, plan)];
  });
  return { endpoints, problems, refusals, places: placesIn(files) };
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

async function listEndpointFiles(folder: string): Promise<string[] | Problem> {
  try {
    return await endpointFileNames(folder);
  } catch (error) {
    const text = `${unreadable(error)}; ENDPOINTS_DIR names this folder`;
    return { file: folder, line: 1, column: 1, text };
  }
}

function unreadable(error: unknown): string {
  return `cannot be read (${error instanceof Error && 'code' in error ? error.code : error})`;
}

/** @param catalog the unpacked catalog of the planning */
async function readEndpointFile(
  location: string,
  planning: QueryPlanning,
  catalog: Catalog,
  retentionDays: ReadonlyMap<string, number>,
): Promise<EndpointFile> {
  const file = path.relative(process.cwd(), location) || location;
  let bytes: Buffer;
  try {
    bytes = await readFile(location);
  } catch (error) {
    return withoutText({ file, line: 1, column: 1, text: unreadable(error) });
  }
  if (!isUtf8(bytes)) {
    const line = lineOfBadByte(bytes);
    return withoutText({ file, line, column: 1, text: 'This line is not valid UTF-8' });
  }
  const text = bytes.toString();
  const comment = readSettingsComment(file, text);
  const sql = queryText(text, comment.queryStart);
  const query = await planQuery(file, sql, comment, planning);
  const named = namedIn(text, catalog);
  const days = named.tables.flatMap((table) => retentionDays.get(sourceOf(table)) ?? []);
  const hasRetention = days.length > 0;
  const sources = JSON.stringify(hasRetention ? [named, days] : named);
  const version = hash('sha256', `${sources}\n${text}`, 'base64url');
  const warm = readWarmSets(file, comment);
  return { file, version, hasRetention, comment, warm, query, queryPlace: sql.start };
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
function duplicates(files: readonly EndpointFile[]): Problem[] {
  const problems: Problem[] = [];
  for (const key of ['id', 'name'] as const) {
    const first = new Map<string, string>();
    for (const { file, comment } of files) {
      const value = comment.settings?.[key];
      if (value === undefined) continue;
      const other = first.get(value);
      if (other === undefined) first.set(value, file);
      else
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
  { file, version, warm: { sets }, query: { tables, functions = [], isSupported } }: EndpointFile,
  settings: EndpointSettings,
  plan: Endpoint['plan'],
): Endpoint {
  const { parameters, columns, graphql, labels, bigquery, timeoutSeconds, exportRows, ...rest } = settings;
  const { allowReservation, reservation, maxBytesPerDay, ...job } = bigquery;
  return {
    ...rest,
    ...withoutUndefined({ reservation, maxBytesPerDay, timeoutSeconds, exportRows }),
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
    plan,
    functions,
    file,
  };
}
