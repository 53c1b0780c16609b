import type { Endpoint, EndpointTable } from '../../../definitions/endpoints/endpoint.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { bothExtents, type Extent } from '../../../sql/comparison/changes/query-change.ts';
import { type QueryComparison, queryChanges } from '../../../sql/comparison/query-changes.ts';
import type { Plan } from '../../../sql/plan/plan.ts';
import { resolvedQueryOf } from '../../../sql/plan/resolved-query.ts';
import type { EndpointChange, EndpointComparison } from './endpoint-change.ts';
import { parameterChanges } from './parameter-changes.ts';
import { settingChanges } from './setting-changes.ts';
import { sourceChanges } from './source-changes.ts';

/** Two versions of an endpoint. One of them is absent if it is new or removed. */
export interface EndpointPair {
  readonly before?: Endpoint;
  readonly after?: Endpoint;
}

/** Pairs endpoints that are the same one: by their ids, or by their names if an id is new. Sorted by name. */
export function pairEndpoints(before: readonly Endpoint[], after: readonly Endpoint[]): EndpointPair[] {
  const byId = new Map(before.map((endpoint) => [endpoint.id, endpoint]));
  const ids = new Set(after.map(({ id }) => id));
  const byName = new Map(
    before.filter(({ id }) => !ids.has(id)).map((endpoint) => [endpoint.name, endpoint]),
  );
  const pairs = after.map((endpoint): EndpointPair => {
    const old = byId.get(endpoint.id) ?? byName.get(endpoint.name);
    return old === undefined ? { after: endpoint } : { before: old, after: endpoint };
  });
  const kept = new Set(pairs.map((pair) => pair.before));
  const removed = before.filter((endpoint) => !kept.has(endpoint)).map((endpoint) => ({ before: endpoint }));
  return [...pairs, ...removed].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf({ before, after }: EndpointPair): string {
  return (after ?? before)?.name ?? '';
}

/**
 * Compares two versions of an endpoint: its query, its parameters, its settings, and those of the sources that it reads.
 *
 * @param sources all sources of either version
 */
export function compareEndpoints(
  { before, after }: EndpointPair,
  sources: { readonly before: readonly Source[]; readonly after: readonly Source[] },
): EndpointComparison {
  const one = after ?? before;
  if (one === undefined) throw new TypeError('A pair has no endpoint');
  const facts = { id: one.id, name: one.name, file: one.file };
  if (before === undefined || after === undefined) {
    const state = before === undefined ? 'new' : 'removed';
    return { ...facts, state, extent: 'unknown', isOrderOnly: false, changes: [], formerColumns: new Map() };
  }
  const query = comparePlans(before.plan, after.plan);
  const others = [
    ...identityChanges(before, after),
    ...versionChanges(before, after),
    ...parameterChanges(before.parameters, after.parameters),
    ...settingChanges(before, after),
    ...sourceChanges(
      { endpoint: before, sources: sources.before },
      { endpoint: after, sources: sources.after },
    ),
  ];
  const tables = before.sandbox && after.sandbox ? tableChanges(before.tables, after.tables) : [];
  const changes = [...query.changes.map(ofQuery), ...tables, ...others];
  const isSame = changes.every(({ isOfAnswers }) => !isOfAnswers);
  const isOfQueryOnly = others.every(({ isOfAnswers }) => !isOfAnswers);
  const formerName = before.name === after.name ? undefined : before.name;
  const extent: Extent = isOfQueryOnly ? query.extent : bothExtents(query.extent, 'unknown');
  return {
    ...facts,
    state: isSame ? 'same' : 'changed',
    ...(formerName !== undefined && { formerName }),
    // Nothing is proved about the rows of tables.
    extent: isSame ? 'same' : tables.length > 0 && extent === 'same' ? 'unknown' : extent,
    isOrderOnly: query.isOrderOnly && isOfQueryOnly && tables.length === 0,
    changes,
    formerColumns: query.formerColumns,
  };
}

function identityChanges(before: Endpoint, after: Endpoint): EndpointChange[] {
  return (['name', 'id'] as const).flatMap((key) =>
    before[key] === after[key]
      ? []
      : [
          {
            ...{ part: 'setting' as const, aspect: key, kind: 'renamed', where: '', isOfAnswers: true },
            text: `${key === 'id' ? 'another id' : 'renamed'}: \`${before[key]}\` → \`${after[key]}\``,
          },
        ],
  );
}

/** The changes of the versions that callers could pin, other than the newest one of now. */
function versionChanges(before: Endpoint, after: Endpoint): EndpointChange[] {
  const now = new Map((after.older ?? []).map((version) => [version.number, version]));
  const change = (number: number, kind: string, text: string): EndpointChange => ({
    ...{ part: 'version', aspect: 'version', kind, where: `version ${number}`, text, isOfAnswers: true },
  });
  return [before, ...(before.older ?? [])]
    .filter(({ number }) => number !== after.number)
    .flatMap((old) => {
      const same = now.get(old.number);
      if (same === undefined) return [change(old.number, 'removed', 'no longer served')];
      const query = comparePlans(old.plan, same.plan).changes.map(({ kind, where, text }) =>
        change(old.number, kind, where === '' ? text : `in ${where}: ${text}`),
      );
      const others = [...parameterChanges(old.parameters, same.parameters), ...settingChanges(old, same)];
      return [...query, ...others.map((each) => ({ ...each, where: `version ${old.number}` }))];
    });
}

const refused = 'ad-hoc queries that read it are refused';

/** The changes of the tables that ad-hoc queries read, each by itself. */
function tableChanges(before: readonly EndpointTable[], after: readonly EndpointTable[]): EndpointChange[] {
  const old = new Map(before.map((table) => [table.name, table]));
  const names = new Set(after.map(({ name }) => name));
  const change = (table: string, kind: string, text: string): EndpointChange => ({
    ...{ part: 'table', aspect: 'table', kind, where: `table ${table}`, text, isOfAnswers: true },
  });
  return [
    ...before
      .filter(({ name }) => !names.has(name))
      .map(({ name }) => change(name, 'removed', `no longer offered: ${refused}`)),
    ...after.flatMap((table) => {
      const was = old.get(table.name);
      if (was === undefined) return [change(table.name, 'added', 'offered to ad-hoc queries now')];
      return comparePlans(was.plan, table.plan).changes.map(
        ({ aspect, kind, where, text }): EndpointChange => ({
          ...{ part: 'table', aspect, kind, text, isOfAnswers: true },
          where: [`table ${table.name}`, where].filter((part) => part !== '').join(', '),
        }),
      );
    }),
  ];
}

function ofQuery({ aspect, kind, where, text }: QueryComparison['changes'][number]): EndpointChange {
  return { part: 'query', aspect, kind, where, text, isOfAnswers: true };
}

const same: QueryComparison = {
  ...{ isSame: true, extent: 'same', isOrderOnly: false, changes: [] },
  formerColumns: new Map(),
};

/** Compares the queries of two plans. Their trees are dropped afterwards. */
function comparePlans(before: Plan, after: Plan): QueryComparison {
  if (before.id === after.id) return same;
  try {
    return queryChanges(resolvedQueryOf(before), resolvedQueryOf(after));
  } catch (error) {
    // The stack of the process is finite, as some trees seem not to be.
    if (!(error instanceof RangeError)) throw error;
    const text = 'the query differs, and is nested too deeply to tell in what';
    return {
      ...{ isSame: false, extent: 'unknown', isOrderOnly: false },
      changes: [{ aspect: 'query', kind: 'changed', where: '', text }],
      formerColumns: new Map(),
    };
  }
}
