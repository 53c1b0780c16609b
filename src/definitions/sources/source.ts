import { GatewayError } from '../../base/errors/errors.ts';
import { identifier } from '../../sql/text/identifier.ts';
import type { SqlType } from '../../sql/values/type.ts';

/** A column of a source, or a field of a record in it. */
export interface SourceColumn {
  /** As spelt in the schema. Unique at its level, ignoring letter case. */
  readonly name: string;
  /** The type of a value: an array if the column is repeated, a struct if it is a record. */
  readonly type: SqlType;
  readonly mode: ColumnMode;
  /** The fields of a record, in schema order. Empty for every other type. */
  readonly fields: readonly SourceColumn[];
  readonly description?: string;
  /** Whether events have added it, and the source's own file doesn't have it. */
  readonly isAdded?: boolean;
  /** What it was called before, at its place: stored values under that name are its own. */
  readonly was?: string;
}

export const columnModes = ['NULLABLE', 'REQUIRED', 'REPEATED'] as const;

/** Whether a value may be NULL, is required, or is a list (never NULL, but possibly empty). */
export type ColumnMode = (typeof columnModes)[number];

/** A log source: a table that stored queries read as `logs.<name>`. The names of the gateway's own begin with `gateway.`. */
export interface Source extends SourceSettings {
  readonly name: string;
  /** The schema file, as messages name it: relative to the current folder. */
  readonly file: string;
  readonly columns: readonly SourceColumn[];
}

/** What a source's file says besides its columns. */
export interface SourceSettings {
  /** Its rows are in a table per day, `<name>_20260131`, which queries read together as `logs.<name>_*`. */
  readonly wildcard?: 'DAY';
  /** Its table is partitioned by the day of ingestion. */
  readonly partitioned?: 'DAY';
  /** What the source was called before: rows stored under that name are its own. */
  readonly was?: string;
  /** Other names by which rows can be sent to it. Unique among the names and aliases of all sources. */
  readonly aliases: readonly string[];
  /** Rows older than this many days are deleted. If undefined, the setting for all sources applies. */
  readonly retentionDays?: number;
  /**
   * Columns by which most queries filter. Compaction puts the rows of about the same time in their order. Like BigQuery's
   * `clustering_fields`.
   */
  readonly clustering?: readonly string[];
  readonly unknownFields: UnknownFields;
  /** What happens to the values of an arriving event that contradict the type of a field; see `conflictsOf`. */
  readonly conflicts?: Conflicts;
  /**
   * The column by which rows are ordered, or paths in an arriving event, such as `metadata.time`: the first that it has contains
   * its time. Null for a reference table. See `timeColumn`.
   */
  readonly timestamp?: readonly string[] | null;
  /** The column that identifies rows. Null if there is none. See `idColumn`. */
  readonly id?: string | null;
  /** Other columns of which each identifies a row. Nothing checks that when rows arrive. See `uniqueColumns`. */
  readonly unique?: readonly string[];
  /** Seconds after which the rows of a day are complete. By default, `defaultLateSeconds`. The embedded engine knows it by itself. */
  readonly lateSeconds?: number;
  /** Seconds for which slices of its rows are kept at most. By default, `defaultSliceSeconds`. Not used by the embedded engine. */
  readonly sliceSeconds?: number;
  /** Whether queries without a lower bound of its time are refused. Not used by the embedded engine. */
  readonly requireTimeBound?: true;
  /** What happens to an arriving event whose time isn't accepted; it is rejected by default. */
  readonly timesOutOfRange?: TimesOutOfRange;
  /** Applied to arriving events, in this order. */
  readonly rename: readonly Renaming[];
}

/** A day: rows are rarely later. */
export const defaultLateSeconds = 86_400;
/** Thirty days. */
export const defaultSliceSeconds = 30 * 86_400;

export const unknownFieldPolicies = ['reject', 'ignore', 'add', 'json'] as const;

/**
 * Whether an arriving event with a field that the source lacks is refused, stored without it, or extends the source, or the
 * field goes into the column `otherFields`.
 */
export type UnknownFields = (typeof unknownFieldPolicies)[number];

/** The column, of type JSON, of what has no other one. */
export const otherFields = 'other_fields';

export const conflictPolicies = ['reject', 'json'] as const;

/** Whether an arriving event with a value that contradicts its field is refused, or the value goes into `otherFields`. */
export type Conflicts = (typeof conflictPolicies)[number];

/** By default, a source that takes all fields takes all of their values. */
export function conflictsOf({ conflicts, unknownFields }: SourceSettings): Conflicts {
  return conflicts ?? (unknownFields === 'add' ? 'json' : 'reject');
}

export const timesOutOfRangePolicies = ['reject', 'arrival'] as const;

/** Whether an arriving event whose time isn't accepted is refused, or stored with the time of arrival. */
export type TimesOutOfRange = (typeof timesOutOfRangePolicies)[number];

/** Renames a field of an arriving event, and moves it into another record if their paths differ in that. */
export interface Renaming {
  /** A path with dots. A name with dots goes before the path through records: both are called `a.b`. */
  readonly from: string;
  /** A path of names in the source's schema. */
  readonly to: string;
}

/** The settings of a source whose file is an array of fields. */
export const plainSettings: SourceSettings = { aliases: [], unknownFields: 'reject', rename: [] };

/** The source with this name, or else with this alias, in the same letter case. */
export function sourceByName<S extends Pick<Source, 'name' | 'aliases'>>(
  sources: readonly S[],
  nameOrAlias: string,
): S | undefined {
  return (
    sources.find(({ name }) => name === nameOrAlias) ??
    sources.find(({ aliases }) => aliases.includes(nameOrAlias))
  );
}

/** Columns of a source, or fields of a table schema. */
interface Fields extends ReadonlyArray<{ readonly fields?: Fields | undefined }> {}

/** How many fields there are, with those in records. */
export function countFields(fields: Fields): number {
  return fields.reduce((sum, field) => sum + 1 + countFields(field.fields ?? []), 0);
}

/** The error for callers who name a source that does not exist. */
export function unknownSource(name: string): GatewayError {
  const message = `There is no source named ${JSON.stringify(name)}.`;
  return new GatewayError('NOT_FOUND', message, { unknownSource: name });
}

const wildcardEnd = '_*';

/** The name of a source's table: with a star for a wildcard table. */
export function tableOfSource({ name, wildcard }: Pick<Source, 'name' | 'wildcard'>): string {
  return wildcard === undefined ? name : `${name}${wildcardEnd}`;
}

/** The folder of sources in SQL. */
const sourcesFolder = 'logs';
/** The folder of the gateway's own sources, with which their names begin: `gateway.calls`. */
const ownFolder = 'gateway';

/** The name of one of the gateway's own sources. */
export function ownSourceName(name: string): string {
  return `${ownFolder}.${name}`;
}

/** Whether the gateway itself writes the source's rows. */
export function isOwnSource({ name }: Pick<Source, 'name'>): boolean {
  return name.startsWith(`${ownFolder}.`);
}

/** Whether a path in SQL is that of a source's table. */
export function isTablePath(path: string): boolean {
  return [sourcesFolder, ownFolder].some((folder) => path.toLowerCase().startsWith(`${folder}.`));
}

/** The folder in SQL of a table that `tableOfSource` names, and its name there. */
export function placeOfTable(table: string): readonly [folder: string, name: string] {
  const own = `${ownFolder}.`;
  return table.startsWith(own) ? [ownFolder, table.slice(own.length)] : [sourcesFolder, table];
}

/** The path in SQL of such a table: `logs.events_*`, `gateway.calls`. */
export function pathOfTable(table: string): string {
  return placeOfTable(table).join('.');
}

/** The table at a path: the inverse of {@link pathOfTable}. */
export function tableOfPath(path: string): string {
  const folder = path.slice(0, path.indexOf('.') + 1).toLowerCase();
  return folder === `${sourcesFolder}.` ? path.slice(folder.length) : path;
}

/** A source's table in SQL, each name quoted if it has to be. */
export function sqlOfSource(source: Pick<Source, 'name' | 'wildcard'>): string {
  const [folder, name] = placeOfTable(tableOfSource(source));
  return `${folder}.${identifier(name)}`;
}

/** The source with this table. Only wildcard tables have a star in their names. */
export function sourceOfTable(table: string): { readonly name: string; readonly isWildcard: boolean } {
  const isWildcard = table.endsWith(wildcardEnd);
  return { name: isWildcard ? table.slice(0, -wildcardEnd.length) : table, isWildcard };
}
