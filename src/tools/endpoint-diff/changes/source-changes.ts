import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import { idColumn, timeColumn, uniqueColumns } from '../../../definitions/sources/row-key.ts';
import {
  defaultLateSeconds,
  defaultSliceSeconds,
  pathOfTable,
  type Source,
  type SourceColumn,
  tableOfSource,
} from '../../../definitions/sources/source.ts';
import type { EndpointChange } from './endpoint-change.ts';
import { type Effect, notes, settingText } from './setting-changes.ts';

/** A setting of sources that is compared. */
interface ComparedSetting {
  readonly effect: Effect;
  /** What is in effect. Undefined if nothing is. */
  value(source: Source): unknown;
}

/**
 * How a change of each setting of a source affects answers. Null if it affects only events that arrive later.
 */
const settings: Readonly<Record<Exclude<keyof Source, 'name' | 'file' | 'columns'>, ComparedSetting | null>> =
  {
    id: { effect: 'answers', value: (source) => idColumn(source)?.name },
    unique: { effect: 'answers', value: (source) => [...uniqueColumns(source)].sort() },
    timestamp: { effect: 'answers', value: (source) => timeColumn(source)?.name },
    retentionDays: { effect: 'answers', value: ({ retentionDays }) => retentionDays },
    wildcard: { effect: 'answers', value: ({ wildcard }) => wildcard },
    partitioned: { effect: 'answers', value: ({ partitioned }) => partitioned },
    was: { effect: 'answers', value: ({ was }) => was },
    requireTimeBound: { effect: 'failures', value: ({ requireTimeBound = false }) => requireTimeBound },
    lateSeconds: { effect: 'age', value: ({ lateSeconds = defaultLateSeconds }) => lateSeconds },
    sliceSeconds: { effect: 'age', value: ({ sliceSeconds = defaultSliceSeconds }) => sliceSeconds },
    clustering: { effect: 'none', value: ({ clustering }) => clustering },
    aliases: null,
    unknownFields: null,
    conflicts: null,
    timesOutOfRange: null,
    rename: null,
  };

/** The settings of the sources that both versions of an endpoint read, where they differ. Columns are compared with the query. */
export function sourceChanges(
  before: { readonly endpoint: Endpoint; readonly sources: readonly Source[] },
  after: { readonly endpoint: Endpoint; readonly sources: readonly Source[] },
): EndpointChange[] {
  const now = new Map(sourcesRead(after.endpoint, after.sources).map((source) => [source.name, source]));
  return sourcesRead(before.endpoint, before.sources).flatMap((old) => {
    const source = now.get(old.name);
    return source === undefined ? [] : differences(old, source);
  });
}

/** Those that any version of the endpoint reads, or that callers of ad-hoc queries read. */
function sourcesRead(endpoint: Endpoint, sources: readonly Source[]): readonly Source[] {
  const plans = [endpoint, ...(endpoint.older ?? [])].flatMap((version) => [
    version.plan,
    ...version.tables.map((table) => table.plan),
  ]);
  const read = new Set(plans.flatMap(({ tables }) => tables));
  return sources.filter((source) => read.has(pathOfTable(tableOfSource(source))));
}

function differences(old: Source, now: Source): EndpointChange[] {
  const change = (aspect: string, text: string, effect: Effect): EndpointChange => ({
    ...{ part: 'source', aspect, kind: 'changed', where: `source ${now.name}` },
    text: `${text}${notes[effect]}`,
    isOfAnswers: effect !== 'none',
  });
  const ofSettings = Object.entries(settings).flatMap(([name, setting]) => {
    if (setting === null) return [];
    const [was, is] = [settingText(setting.value(old)), settingText(setting.value(now))];
    return was === is ? [] : [change(name, `setting \`${name}\`: ${was} → ${is}`, setting.effect)];
  });
  const [was, is] = [formerNames(old.columns), formerNames(now.columns)].map((names) => settingText(names));
  if (was === is) return ofSettings;
  return [...ofSettings, change('was', `former names of columns: ${was} → ${is}`, 'answers')];
}

/** The former names of columns and fields, by their paths. */
function formerNames(columns: readonly SourceColumn[], within = ''): readonly (readonly [string, string])[] {
  return columns.flatMap(({ name, was, fields }) => [
    ...(was === undefined ? [] : [[`${within}${name}`, was] as const]),
    ...formerNames(fields, `${within}${name}.`),
  ]);
}
