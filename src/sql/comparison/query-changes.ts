import type { ResolvedQuery } from '../plan/resolved-query.ts';
import { nodesOf } from '../plan/tree-nodes.ts';
import { type AnyNode, fieldsOf } from '../resolved/node.ts';
import { noRenames, readBlocks } from './blocks/read-blocks.ts';
import { BlockComparison } from './changes/compare-blocks.ts';
import { pairColumns } from './changes/compare-columns.ts';
import { findRenames } from './changes/find-renames.ts';
import type { Extent, QueryChange } from './changes/query-change.ts';
import { normalQuery } from './trees/normal-query.ts';
import { haveSameMeaning, isUnpredictable } from './trees/same-meaning.ts';

/** How two queries differ. */
export interface QueryComparison {
  /** Whether it is proved that their results over the same rows are equal. */
  readonly isSame: boolean;
  /** What is proved about the rows of the result, whatever their order. */
  readonly extent: Extent;
  /** Whether it is proved that only the order of rows can differ. */
  readonly isOrderOnly: boolean;
  /** The changes in words. Empty if the queries mean the same. */
  readonly changes: readonly QueryChange[];
  /** The names of columns of the result before, by those that they have now, where they differ. */
  readonly formerColumns: ReadonlyMap<string, string>;
}

const same: QueryComparison = {
  ...{ isSame: true, extent: 'same', isOrderOnly: false, changes: [] },
  formerColumns: new Map(),
};

/** Renamings of renamed things are followed this often. */
const maxRounds = 6;

/**
 * Compares two queries. Says that they have the same result only if it is proved: queries for which it says otherwise may
 * still mean the same.
 */
export function queryChanges(before: ResolvedQuery, after: ResolvedQuery): QueryComparison {
  if (haveSameMeaning(before, after)) return same;
  const [oldQuery, newQuery] = [normalQuery(before.statement, false), normalQuery(after.statement, false)];
  const now = readBlocks(newQuery);
  let renames = noRenames;
  let old = readBlocks(oldQuery);
  for (let round = 0; round < maxRounds; round++) {
    const more = findRenames(old, now, renames);
    if (more === renames) break;
    renames = more;
    old = readBlocks(oldQuery, renames);
  }
  const comparison = new BlockComparison();
  const found = comparison.compare(old.main, now.main);
  const changes = [...comparison.changes, ...definitionChanges(before, after)];
  if (changes.length === 0) {
    const text = 'the query is written in another way, and it is not proved that its answers are the same';
    return {
      ...same,
      isSame: false,
      extent: 'unknown',
      changes: [{ aspect: 'query', kind: 'changed', where: '', text }],
    };
  }
  // Random numbers differ in each run.
  const isUnknown =
    isUnpredictable(before) || isUnpredictable(after) || haveOtherTypes(before.statement, after.statement);
  const extent = isUnknown ? 'unknown' : found;
  const isOrderOnly =
    extent === 'same' && changes.every(({ aspect, where }) => aspect === 'order' && where === '');
  // What is computed in another way without words for it isn't proved to be the same.
  const renamed = pairColumns(old.main.columns, now.main.columns).filter(
    (pair) => pair.before.name !== pair.after.name,
  );
  return {
    isSame: false,
    extent: isOrderOnly || extent !== 'same' ? extent : 'unknown',
    isOrderOnly,
    changes,
    formerColumns: new Map(renamed.map((pair) => [pair.after.name, pair.before.name])),
  };
}

/** The functions that both call, and that are defined differently. Calls of others are changes where they are called. */
function definitionChanges(before: ResolvedQuery, after: ResolvedQuery): QueryChange[] {
  const old = new Map(before.definitions.map(({ name, text }) => [name, text]));
  return after.definitions
    .filter(({ name, text }) => (old.get(name) ?? text) !== text)
    .map(({ name }) => ({
      ...{ aspect: 'function', kind: 'changed', where: '' },
      text: `function \`${name}\` defined differently`,
    }));
}

/** Whether parameters of both statements have other types in one of them. */
function haveOtherTypes(before: AnyNode, after: AnyNode): boolean {
  const old = parameterTypes(before);
  return [...parameterTypes(after)].some(([name, type]) => (old.get(name) ?? type) !== type);
}

function parameterTypes(statement: AnyNode): ReadonlyMap<string, string> {
  const parameters = nodesOf('resolved_parameter_node', statement).map(fieldsOf);
  return new Map(parameters.map(({ name, type }) => [String(name), JSON.stringify(type)]));
}
