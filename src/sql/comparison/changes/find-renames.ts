import type { Block, Relation } from '../blocks/block.ts';
import type { Blocks, Renames } from '../blocks/read-blocks.ts';
import { pairColumns } from './compare-columns.ts';

/**
 * Finds what has another name now: tables, WITH entries and arrays that stand in the place of others, and columns of queries within the
 * query. Returns the given renames if it finds no more.
 */
export function findRenames(before: Blocks, after: Blocks, known: Renames): Renames {
  const labels = new Map(known.labels);
  const columns = new Map(known.columns);
  const seen = new Set<Block>();
  const ofBlocks = (old: Block, now: Block): void => {
    if (seen.has(now)) return;
    seen.add(now);
    const [removed, added] = [missing(old.relations, now.relations), missing(now.relations, old.relations)];
    for (const relation of removed) {
      const partner = partnerOf(relation, removed, added);
      if (partner !== undefined && !labels.has(relation.label)) labels.set(relation.label, partner.label);
    }
    for (const relation of now.relations) {
      const was = old.relations.find(({ label }) => label === relation.label);
      if (was !== undefined) ofContents(was, relation);
    }
    for (const subquery of now.subqueries) {
      const was = old.subqueries.find(({ label }) => label === subquery.label);
      if (was !== undefined) ofBlocks(was, subquery);
    }
    if (old.subqueries.length === 1 && now.subqueries.length === 1) {
      const [one, other] = [old.subqueries[0], now.subqueries[0]];
      if (one !== undefined && other !== undefined && one.label !== other.label) ofBlocks(one, other);
    }
  };
  const ofContents = (old: Relation, now: Relation): void => {
    if (old.content.kind === 'query' && now.content.kind === 'query') {
      const [one, other] = [old.content.block, now.content.block];
      const renamed = pairColumns(one.columns, other.columns)
        .filter((pair) => pair.before.name !== pair.after.name)
        .map((pair) => [pair.before.name, pair.after.name] as const);
      if (renamed.length > 0)
        columns.set(now.label, new Map([...(columns.get(now.label) ?? []), ...renamed]));
      ofBlocks(one, other);
    } else if (old.content.kind === 'set' && now.content.kind === 'set') {
      for (const [index, input] of now.content.inputs.entries()) {
        const was = old.content.inputs[index];
        if (was !== undefined) ofBlocks(was, input);
      }
    }
  };
  ofBlocks(before.main, after.main);
  const isMore = labels.size > known.labels.size || sizeOf(columns) > sizeOf(known.columns);
  return isMore ? { labels, columns } : known;
}

function sizeOf(columns: Renames['columns']): number {
  return [...columns.values()].reduce((sum, names) => sum + names.size, 0);
}

function missing(relations: readonly Relation[], others: readonly Relation[]): Relation[] {
  const labels = new Set(others.map(({ label }) => label));
  return relations.filter(({ label }) => !labels.has(label));
}

/** The only relation of the same kind that was added, or the one at the same place among as many. */
function partnerOf(
  relation: Relation,
  removed: readonly Relation[],
  added: readonly Relation[],
): Relation | undefined {
  const isAlike = ({ content }: Relation) => content.kind === relation.content.kind;
  const [olds, news] = [removed.filter(isAlike), added.filter(isAlike)];
  return olds.length === news.length ? news[olds.indexOf(relation)] : undefined;
}
