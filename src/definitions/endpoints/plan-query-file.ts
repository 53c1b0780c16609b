import { hash } from 'node:crypto';
import type { Catalog } from '../../sql/analyzer/catalog.ts';
import { sourceOfTable, tableOfPath } from '../sources/source.ts';
import type { ReadableQuery } from './composition/readable-query.ts';
import { declaredParameters } from './declared-parameters.ts';
import type { Endpoint } from './endpoint.ts';
import type { PiiClass } from './pii-class.ts';
import { type PlannedQuery, planQuery, type QueryPlanning, queryText } from './plan-query.ts';
import type { QueryFile } from './query-file.ts';
import { readWarmSets, type WarmSets } from './warm-sets.ts';

/** Keeps what is known of each file of an endpoint or a view, by its path. */
export interface CheckedFiles {
  get(location: string): CheckedFile | undefined;
  set(location: string, file: CheckedFile): void;
}

/** The result for a file, and what it depends on. */
export interface CheckedFile {
  readonly file: PlannedFile;
  /** The id of the catalog with which it was planned. */
  readonly catalogId: string;
  /** A digest of the file, of those that it reads, and of after how many days rows are deleted. */
  readonly digest: string;
}

/** A file of an endpoint or a view with all that can be said of it alone. */
export interface PlannedFile {
  readonly source: QueryFile;
  readonly version: string;
  /** Whether old rows are deleted from a source that it may read. */
  readonly hasRetention: boolean;
  readonly warm: WarmSets;
  readonly query: PlannedQuery;
  readonly queryPlace: { readonly line: number; readonly column: number };
  /** What protects its rows: also what protects those of the files that it may read. */
  readonly protection: Protection;
}

type Protection = Pick<Endpoint, 'redactPii' | 'operatorsOnly'> & { readonly redact: readonly PiiClass[] };

/** What planning the queries of files requires. */
export interface FilePlanning {
  readonly planning: QueryPlanning;
  /** The unpacked catalog of the planning. */
  readonly catalog: Catalog;
  readonly retentionDays: ReadonlyMap<string, number>;
  readonly checked: CheckedFiles | undefined;
}

/** What a file may read, by the paths in it: another file, or why it can't be read. */
export type ReadFiles = ReadonlyMap<string, PlannedFile | { readonly problem: string }>;

/** Plans the query of a file, unless nothing that it depends on has changed. */
export async function planQueryFile(
  source: QueryFile,
  reads: ReadFiles,
  { planning, catalog, retentionDays, checked }: FilePlanning,
): Promise<PlannedFile> {
  const { location, file, text, comment, endpoint } = source;
  const known = checked?.get(location);
  const files = [...reads.values()].filter((each) => 'version' in each);
  const readable = new Map(
    [...reads].map(([path, each]) => [path, 'version' in each ? readableQuery(path, each) : each]),
  );
  const ofReads = [...reads].map(([path, each]) => [path, 'version' in each ? each.version : each.problem]);
  const digest = JSON.stringify([source.digest, [...retentionDays], ofReads]);
  if (known?.digest === digest && known.catalogId === planning.catalog.id) return known.file;
  const named = namedIn(text, catalog);
  const days = named.tables.flatMap((table) => retentionDays.get(sourceOf(table)) ?? []);
  const hasRetention = days.length > 0 || files.some((each) => each.hasRetention);
  const parts = [days.length > 0 ? [named, days] : named, ...ofReads].map((part) => JSON.stringify(part));
  const version = hash('sha256', `${parts.join('\n')}\n${text}`, 'base64url');
  if (known !== undefined && isStillValid(known, version, planning.catalog.id)) return known.file;
  const sql = queryText(text, comment.queryStart);
  const query = await planQuery(file, sql, comment, readable, planning);
  const warm = endpoint === undefined ? { sets: [], problems: [] } : readWarmSets(file, endpoint);
  const protection = protectionOf([
    { redactPii: false, redact: [], operatorsOnly: false, ...endpoint?.settings },
    ...files.map((each) => each.protection),
  ]);
  const planned = { source, version, hasRetention, warm, query, queryPlace: sql.start, protection };
  if (query.mayPass !== true)
    checked?.set(location, { file: planned, catalogId: planning.catalog.id, digest });
  return planned;
}

function protectionOf(all: readonly Protection[]): Protection {
  return {
    redactPii: all.some(({ redactPii }) => redactPii),
    operatorsOnly: all.some(({ operatorsOnly }) => operatorsOnly),
    redact: [...new Set(all.flatMap(({ redact }) => redact))],
  };
}

/** A file as others read it. */
function readableQuery(
  path: string,
  { source, query: { plan, functions = [], composition } }: PlannedFile,
): ReadableQuery | { readonly problem: string } {
  const { settings } = source.comment;
  if (plan === undefined || settings === undefined)
    return { problem: `${path} has errors: see ${source.file}` };
  return {
    sql: plan.sql,
    ...(plan.functionsEnd !== undefined && { functionsEnd: plan.functionsEnd }),
    functions,
    parameters: declaredParameters(settings.parameters),
    unreached: composition?.unreached ?? [],
  };
}

/** The message of an error may name any table of the catalog. */
function isStillValid({ file, catalogId }: CheckedFile, version: string, currentCatalogId: string): boolean {
  return file.version === version && (file.query.plan !== undefined || catalogId === currentCatalogId);
}

/** The catalog without the tables that a query doesn't read. It may read those whose name occurs in its text. */
function namedIn(text: string, catalog: Catalog): Catalog {
  const folded = text.toLowerCase();
  const isNamed = (name: string) => folded.includes(name.toLowerCase());
  return { ...catalog, tables: catalog.tables.filter((table) => isNamed(sourceOf(table))) };
}

/** The name of a table's source. */
function sourceOf({ path }: Catalog['tables'][number]): string {
  return sourceOfTable(tableOfPath(path.join('.'))).name;
}
