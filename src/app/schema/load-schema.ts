import { basename, dirname, resolve } from 'node:path';
import { compareProblems, type Problem } from '../../base/errors/problem.ts';
import { type FolderFiles, filesOnDisk } from '../../base/system/folder-files.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { hasTail } from '../../calls/live/tail-query.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { type EndpointChanges, endpointChanges } from '../../definitions/endpoints/endpoint-catalog.ts';
import { loadEndpoints } from '../../definitions/endpoints/load-endpoints.ts';
import { tablesEndpoint, tablesEndpointFile } from '../../definitions/endpoints/tables-endpoint.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { columnPlace } from '../../definitions/sources/column-place.ts';
import { type LoadedSources, loadSources } from '../../definitions/sources/load-sources.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { EndpointShape, SchemaShape } from '../../server/graphql/shape/shape.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import type { EngineDefinition } from '../engines/engine/engine-definition.ts';
import { engineOf, isStored } from '../engines/registry.ts';
import { type RecordSettings, recordedSources, withOwnEndpoints } from './own-schema.ts';
import { type ServedFiles, servedEndpoints } from './served-endpoints.ts';
import { sourceCatalog } from './source-catalog.ts';

/** Thrown with all errors in the files of endpoints or sources. */
export class ProblemsError extends Error {
  override readonly name = 'ProblemsError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(`${problems.length} errors in endpoint and source files`);
    this.problems = problems;
  }
}

type SourceSettings = Pick<Config, 'sourcesDir' | 'dataDir'> & RecordSettings;

/** Loads the sources, with the gateway's own, and reports all errors in them. A column that the store can't contain is an error if there is a store. */
export async function checkSources(
  config: SourceSettings,
  files: FolderFiles = filesOnDisk,
  served: ReadonlySet<string> = new Set(),
): Promise<LoadedSources> {
  const { sourcesDir, dataDir } = config;
  const loading = { isStored: isStored(config), dataDir, files, served };
  const { sources, problems } = await loadSources(sourcesDir, loading);
  const unstorable = await Promise.all(
    sources.map((source) => unstorableIn(source, engineOf(config), files)),
  );
  const own = await recordedSources(config);
  return { sources: [...sources, ...own], problems: [...problems, ...unstorable.flat()] };
}

async function unstorableIn(
  source: Source,
  engine: EngineDefinition,
  files: FolderFiles,
): Promise<Problem[]> {
  const found = await engine.unstorable(source);
  if (found.length === 0) return [];
  // The file may have gone since it was loaded.
  const content = await files.read(resolve(source.file)).catch(() => Buffer.of());
  const file = content.toString();
  return found.map(({ path, text }) => ({ file: source.file, ...columnPlace(file, path), text }));
}

/**
 * The sources to serve: those whose files are right and, of the others, what was served before.
 *
 * @throws ProblemsError if nothing was served, and the folder can't be read, or what is wrong isn't in a source's own file
 */
export async function loadServedSources(
  config: SourceSettings,
  before: readonly Source[] = [],
): Promise<LoadedSources> {
  const served = new Set(before.map(({ name }) => name));
  const { sources, problems } = await checkSources(config, filesOnDisk, served);
  const folder = shownFile(config.sourcesDir);
  if (problems.some(({ file }) => dirname(file) !== folder)) {
    if (before.length === 0) throw new ProblemsError(problems);
    return { sources: before, problems };
  }
  const isWrong = ({ file }: Source) => problems.some((problem) => problem.file === file);
  const right = sources.filter((source) => !isWrong(source));
  const names = new Set(right.map(({ name }) => name.toLowerCase()));
  const stale = before.filter((source) => isWrong(source) && !names.has(source.name.toLowerCase()));
  return { sources: [...right, ...stale], problems };
}

/** @throws ProblemsError */
export async function loadSourceSchemas(config: SourceSettings): Promise<readonly Source[]> {
  const { sources, problems } = await checkSources(config);
  if (problems.length > 0) throw new ProblemsError(problems);
  return sources;
}

/** How endpoints are checked, as `loadEndpoints` has it. By default, their files are on the disk, and nothing is known of them. */
type EndpointReading = Partial<Pick<Parameters<typeof loadEndpoints>[1], 'files' | 'checked' | 'served'>>;

/**
 * Loads the endpoints over these sources, and reports all errors in their files.
 *
 * @param checkPlan whether the engine can run a plan: see `EngineDefinition.checkPlan`
 */
export function checkEndpoints(
  config: Pick<Config, 'endpointsDir' | 'engine' | 'dataRetentionDays'>,
  planner: Pick<Planner, 'planText'>,
  sources: readonly Source[],
  checkPlan: (plan: Plan) => Promise<void>,
  reading: EndpointReading = {},
): ReturnType<typeof loadEndpoints> {
  return loadEndpoints(config.endpointsDir, {
    ...reading,
    planText: (text) => planner.planText(text),
    catalog: sourceCatalog(sources),
    retentionDays: retentionDays(config, sources),
    checkPlan,
  });
}

/** The endpoints, with their GraphQL types and fields. */
export interface LoadedSchema {
  /** The sources that the endpoints read. */
  readonly sources: readonly Source[];
  readonly endpoints: readonly Endpoint[];
  /** The changes from the previous endpoints. */
  readonly changes: EndpointChanges;
  readonly shape: SchemaShape;
  /** Why the engine can't run some of the endpoints. They are served, and calls of them get the reason. */
  readonly refusals: readonly Problem[];
  /** All errors in the endpoints' files. Their endpoints are served as they were before, or not at all: `shape` tells. */
  readonly problems: readonly Problem[];
}

/**
 * Loads the endpoints.
 *
 * @param before what was served. Unchanged endpoints stay the same objects, and those whose files have errors stay as they were
 * @param own whether the gateway's own endpoints are served, too. They are none of the schema that people declare
 * @throws ProblemsError if there is neither a file of an endpoint nor a source, or if the folder can't be read and nothing was served
 */
export async function loadSchema(
  config: Pick<Config, 'endpointsDir' | 'engine' | 'dataRetentionDays'>,
  planner: Pick<Planner, 'planText'>,
  sources: readonly Source[],
  checkPlan: (plan: Plan) => Promise<void>,
  before: ServedFiles = { endpoints: [], sources: [] },
  own: 'with-own' | 'without-own' = 'without-own',
): Promise<LoadedSchema> {
  const [loaded, ofSources] = await Promise.all([
    checkEndpoints(config, planner, sources, checkPlan, { served: before.endpoints }),
    loadTablesEndpoint(config, planner, sources, checkPlan),
  ]);
  const folder = shownFile(config.endpointsDir);
  const hasNone = loaded.problems.some(({ file }) => file === folder);
  // Sources can be queried and filled without endpoints.
  if (hasNone && before.endpoints.length === 0 && (loaded.isUnreadable || sources.length === 0))
    throw new ProblemsError(loaded.problems);
  const refusals = engineRefusals(config, loaded.refusals);
  const fatal = engineOf(config).unsupported.isServed ? [] : refusals;
  const found = own === 'with-own' ? await withOwnEndpoints(loaded, sources, planner, checkPlan) : loaded;
  const all = { ...found, problems: [...found.problems, ...fatal] };
  const served = servedEndpoints(all, sources, before, folder);
  const changes = endpointChanges(before.endpoints, served.endpoints);
  const problems = [...served.problems].sort(compareProblems);
  const shape = { ...served.shape, ofSources: ofSources && shapeOfTables(ofSources) };
  return { sources, endpoints: changes.endpoints, changes, shape, refusals, problems };
}

/** The endpoint over all sources. Undefined if there are none. */
export async function loadTablesEndpoint(
  config: Pick<Config, 'engine' | 'dataRetentionDays'>,
  planner: Pick<Planner, 'planText'>,
  sources: readonly Source[],
  checkPlan: (plan: Plan) => Promise<void>,
): Promise<Endpoint | undefined> {
  if (sources.length === 0) return undefined;
  const name = `${tablesEndpoint}.sql`;
  const file = Buffer.from(tablesEndpointFile(sources));
  const files = {
    list: async () => [name],
    read: async (path: string) => (basename(path) === name ? file : missing()),
  };
  const loaded = await checkEndpoints({ ...config, endpointsDir: '.' }, planner, sources, checkPlan, {
    files,
  });
  const [endpoint] = loaded.endpoints;
  if (endpoint === undefined) throw new ProblemsError([...loaded.problems, ...loaded.refusals]);
  const described = new Map(sources.map(({ name, columns }) => [name, descriptionsOf(columns)]));
  const tables = endpoint.tables.map((table) => ({
    ...table,
    descriptions: described.get(table.name) ?? new Map(),
  }));
  return { ...endpoint, tables, isOfSources: true };
}

/** Fails as the file system does. */
function missing(): never {
  const [code, message] = ['ENOENT', 'no such file or directory'];
  throw Object.assign(new Error(message), { code });
}

function descriptionsOf(columns: Source['columns']): ReadonlyMap<string, string> {
  return new Map(columns.flatMap(({ name, description }) => (description ? [[name, description]] : [])));
}

/** What describes the endpoint over all sources where GraphQL's names are not used. */
function shapeOfTables(endpoint: Endpoint): EndpointShape {
  const field = 'gatewayTables';
  const row = { name: '', description: '', fields: [] };
  const filter = { where: { name: '', fields: [] }, order: undefined, fields: [] };
  const tables = endpoint.tables.map((table) => ({
    field: table.name,
    table,
    row,
    filter,
    live: { field: '', ...(hasTail(table) && { tail: { field: '', typeName: '' } }) },
  }));
  return {
    endpoint,
    field,
    arguments: [],
    row,
    tables: { field, queryField: `${field}Query`, typeName: '', tables },
  };
}

/**
 * Loads the endpoints if there are no errors in their files.
 *
 * @throws ProblemsError
 */
export async function loadFaultlessSchema(...loading: Parameters<typeof loadSchema>): Promise<LoadedSchema> {
  const loaded = await loadSchema(...loading);
  if (loaded.problems.length > 0) throw new ProblemsError(loaded.problems);
  return loaded;
}

/** After how many days the store's rows are deleted, by the names of sources. Other sources keep theirs. */
function retentionDays(
  config: Pick<Config, 'engine' | 'dataRetentionDays'>,
  sources: readonly Source[],
): ReadonlyMap<string, number> {
  if (!isStored(config)) return new Map();
  const { dataRetentionDays } = config;
  return new Map(
    sources.flatMap(({ name, retentionDays: days = dataRetentionDays }) =>
      days === undefined ? [] : [[name, days]],
    ),
  );
}

/** The constructs that the engine does not support, with what follows from that. */
export function engineRefusals(
  config: Pick<Config, 'engine'>,
  refusals: readonly Problem[],
): readonly Problem[] {
  const { unsupported } = engineOf(config);
  return refusals.map((refusal) => ({ ...refusal, text: unsupported.describe(refusal.text) }));
}
