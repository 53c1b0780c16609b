import type { Block } from '../blocks/block.ts';
import { type OrderTerm, orderKey, type Term } from '../terms/term.ts';
import { orderText, type TextStyle, termText } from '../terms/term-text.ts';
import { compareColumns } from './compare-columns.ts';
import { compareConditions } from './compare-conditions.ts';
import { compareRelations } from './compare-relations.ts';
import { bothExtents, type Extent, type QueryChange } from './query-change.ts';
import { differenceText } from './term-difference.ts';

/** What was found out about two blocks. */
export interface ComparedBlocks {
  readonly changes: readonly QueryChange[];
  readonly extent: Extent;
}

/** Compares blocks, and those within them. Each pair is compared once, however often it is read. */
export class BlockComparison {
  readonly changes: QueryChange[] = [];
  readonly #extents = new Map<Block, Map<Block, Extent>>();

  compare(before: Block, after: Block): Extent {
    const known = this.#extents.get(before)?.get(after);
    if (known !== undefined) return known;
    const extent = this.#compared(before, after);
    const ofBefore = this.#extents.get(before) ?? new Map<Block, Extent>();
    this.#extents.set(before, ofBefore.set(after, extent));
    return extent;
  }

  #compared(before: Block, after: Block): Extent {
    const where = after.label;
    const style = styleOf(before, after);
    const add = ({ changes, extent }: ComparedBlocks): Extent => {
      this.changes.push(...changes);
      return extent;
    };
    const within = (old: Block, now: Block) => ({ extent: this.compare(old, now) });
    // Rows of the relations that meet the conditions.
    const relations = add(compareRelations(before, after, style, within));
    const [old, now] = [rowConditions(before, after), rowConditions(after, before)];
    const filters = add(compareConditions(old, now, 'filter', where, style, conditionNoun(before, after)));
    let extent = bothExtents(relations, filters);
    for (const subquery of after.subqueries) {
      const was = before.subqueries.find(({ label }) => label === subquery.label);
      if (was !== undefined && this.compare(was, subquery) !== 'same') extent = 'unknown';
    }
    // Groups and windows have other values if their rows are others.
    const grouping = add(compareGrouping(before, after, style));
    if (
      after.grouping !== undefined ||
      before.grouping !== undefined ||
      after.hasWindows ||
      before.hasWindows
    )
      extent = extent === 'same' ? grouping : 'unknown';
    extent = bothExtents(extent, add(compareConditions(before.having, after.having, 'having', where, style)));
    const isBelowWindows = after.hasWindows && extent !== 'same';
    if (isBelowWindows) extent = 'unknown';
    extent = bothExtents(
      extent,
      add(compareConditions(before.qualify, after.qualify, 'qualify', where, style)),
    );
    extent = bothExtents(extent, add(compareColumns(before.columns, after.columns, where, style)));
    extent = bothExtents(extent, add(compareDistinct(before, after)));
    if (before.rest !== after.rest) extent = 'unknown';
    const isCut = before.limit !== undefined && after.limit !== undefined;
    const isOrdered = add(compareOrder(before, after, style));
    if (isCut && isOrdered !== 'same') extent = 'unknown';
    const limit = add(compareLimit(before, after, style));
    // Which rows a limit leaves depends on all others.
    if (isCut && extent !== 'same') return 'unknown';
    return bothExtents(extent, limit);
  }
}

/**
 * The conditions that rows meet: those of WHERE and of inner joins. With them those of outer joins that are inner ones in the other
 * block, which has them among all others.
 */
function rowConditions(block: Block, other: Block): readonly Term[] {
  const ofJoins = block.relations.flatMap(({ label, join, on }) => {
    const there = other.relations.find((relation) => relation.label === label);
    return join === 'INNER' || there?.join === 'INNER' ? on : [];
  });
  return [...block.conditions, ...ofJoins];
}

/** What a condition is called: `filter`, or `join condition`. Undefined for those of joins that only one block has. */
function conditionNoun(before: Block, after: Block): (condition: Term) => string | undefined {
  const nouns = new Map<string, string | undefined>();
  for (const [block, other] of [
    [before, after],
    [after, before],
  ] as const) {
    const labels = new Set(other.relations.map(({ label }) => label));
    for (const { label, on } of block.relations)
      for (const { key } of on) nouns.set(key, labels.has(label) ? 'join condition' : undefined);
  }
  for (const { key } of [...before.conditions, ...after.conditions]) nouns.set(key, 'filter');
  return ({ key }) => nouns.get(key);
}

/** Columns need no qualifier in a block that reads one relation. */
function styleOf(before: Block, after: Block): TextStyle {
  const labels = new Set([...before.relations, ...after.relations].map(({ label }) => label));
  const [only] = labels;
  return { plain: labels.size === 1 ? only : undefined };
}

function compareGrouping(before: Block, after: Block, style: TextStyle): ComparedBlocks {
  const where = after.label;
  const changes: QueryChange[] = [];
  const add = (kind: QueryChange['kind'], text: string) =>
    changes.push({ aspect: 'grouping', kind, where, text });
  const [old, now] = [before.grouping, after.grouping];
  const list = (terms: readonly Term[]) => terms.map((each) => `\`${termText(each, style)}\``).join(', ');
  if (old === undefined && now !== undefined)
    add('added', now.keys.length === 0 ? 'all rows are aggregated to one' : `grouped by ${list(now.keys)}`);
  else if (old !== undefined && now === undefined) add('removed', 'no longer grouped');
  else if (old !== undefined && now !== undefined) {
    const keysOf = (terms: readonly Term[]) => new Set(terms.map(({ key }) => key));
    const removed = old.keys.filter(({ key }) => !keysOf(now.keys).has(key));
    const added = now.keys.filter(({ key }) => !keysOf(old.keys).has(key));
    if (now.keys.length === 0 && removed.length > 0)
      add('removed', `no longer grouped by ${list(removed)}: all rows are aggregated to one`);
    else if (removed.length === 1 && added.length === 1 && removed[0] !== undefined && added[0] !== undefined)
      add('changed', `grouped by another value: ${differenceText(removed[0], added[0], style)}`);
    else if (removed.length > 0 && added.length > 0)
      add('changed', `grouped by ${list(added)} instead of ${list(removed)}`);
    else if (removed.length > 0) add('removed', `no longer grouped by ${list(removed)}`);
    else if (added.length > 0)
      add('added', `${old.keys.length === 0 ? 'grouped' : 'also grouped'} by ${list(added)}`);
    if (old.sets !== now.sets) add('changed', 'grouping sets changed');
  }
  return { changes, extent: changes.length === 0 ? 'same' : 'unknown' };
}

function compareDistinct(before: Block, after: Block): ComparedBlocks {
  const [old, now] = [before.distinct, after.distinct];
  const change = (kind: QueryChange['kind'], text: string, extent: Extent): ComparedBlocks => ({
    changes: [{ aspect: 'distinct', kind, where: after.label, text }],
    extent,
  });
  if (old === undefined && now !== undefined)
    return change('narrower', 'DISTINCT added: equal rows occur once', 'narrower');
  if (old !== undefined && now === undefined)
    return change('wider', 'DISTINCT dropped: equal rows occur each time', 'wider');
  const keys = (terms: readonly Term[] = []) =>
    terms
      .map(({ key }) => key)
      .sort()
      .join();
  return keys(old) === keys(now)
    ? { changes: [], extent: 'same' }
    : change('changed', 'DISTINCT compares other columns', 'unknown');
}

function compareOrder(before: Block, after: Block, style: TextStyle): ComparedBlocks {
  const [old, now] = [before.order, after.order];
  if (orderKey(old) === orderKey(now)) return { changes: [], extent: 'same' };
  // A column that is computed differently is a change of the column.
  if (columnOrder(before) === columnOrder(after)) return { changes: [], extent: 'unknown' };
  const list = (order: readonly OrderTerm[]) =>
    `\`${order.map((each) => orderText(each, style)).join(', ')}\``;
  const change = (kind: QueryChange['kind'], text: string): ComparedBlocks => ({
    changes: [{ aspect: 'order', kind, where: after.label, text }],
    extent: 'unknown',
  });
  if (old.length === 0) return change('added', `ordered by ${list(now)}`);
  if (now.length === 0) return change('removed', `no longer ordered by ${list(old)}: rows come in any order`);
  if (orderKey(now.slice(0, old.length)) === orderKey(old))
    return change(
      'changed',
      `rows that tied in the order by ${list(old)} are now ordered by ${list(now.slice(old.length))}`,
    );
  if (orderKey(old.slice(0, now.length)) === orderKey(now))
    return change(
      'changed',
      `rows with the same ${list(now)} are no longer ordered by ${list(old.slice(now.length))}`,
    );
  return change('changed', `ordered by ${list(now)} instead of ${list(old)}`);
}

/** An order by the names of the block's columns, where it is by these. */
function columnOrder({ order, columns }: Block): string {
  const names = new Map(columns.map(({ name, term }) => [term.key, name]));
  const named = order.map((each) => {
    const name = names.get(each.term.key);
    return name === undefined ? each : { ...each, term: { ...each.term, key: `column ${name}` } };
  });
  return orderKey(named);
}

function compareLimit(before: Block, after: Block, style: TextStyle): ComparedBlocks {
  const where = after.label;
  const changes: QueryChange[] = [];
  let extent: Extent = 'same';
  for (const part of ['limit', 'offset'] as const) {
    const [old, now] = [before[part], after[part]];
    if (old?.key === now?.key) continue;
    const noun = part.toUpperCase();
    const text = (term: Term) => `\`${termText(term, style)}\``;
    if (old === undefined && now !== undefined) {
      changes.push({ aspect: 'limit', kind: 'added', where, text: `${noun} ${text(now)} added` });
      extent = bothExtents(extent, part === 'limit' ? 'narrower' : 'unknown');
    } else if (old !== undefined && now === undefined) {
      changes.push({ aspect: 'limit', kind: 'removed', where, text: `${noun} ${text(old)} dropped` });
      extent = bothExtents(extent, part === 'limit' ? 'wider' : 'unknown');
    } else if (old !== undefined && now !== undefined) {
      changes.push({
        aspect: 'limit',
        kind: 'changed',
        where,
        text: `${noun} changed: ${text(old)} → ${text(now)}`,
      });
      extent = 'unknown';
    }
  }
  return { changes, extent };
}
