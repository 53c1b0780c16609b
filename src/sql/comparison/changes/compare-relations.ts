import type { Block, JoinKind, Relation } from '../blocks/block.ts';
import { type TextStyle, termText } from '../terms/term-text.ts';
import { allExtents, bothExtents, type Extent, type QueryChange } from './query-change.ts';

/** Compares blocks within blocks. */
export type CompareBlocks = (before: Block, after: Block) => { readonly extent: Extent };

interface Compared {
  readonly changes: readonly QueryChange[];
  readonly extent: Extent;
}

const joins: Readonly<Record<JoinKind, string>> = {
  INNER: 'INNER JOIN',
  LEFT: 'LEFT JOIN',
  RIGHT: 'RIGHT JOIN',
  FULL: 'FULL JOIN',
};

/** The joins whose rows contain those of each, if all else is equal. */
const wider: Readonly<Record<JoinKind, readonly JoinKind[]>> = {
  INNER: ['LEFT', 'RIGHT', 'FULL'],
  LEFT: ['FULL'],
  RIGHT: ['FULL'],
  FULL: [],
};

/** Compares what two blocks read, and how it is joined. Conditions of inner joins are compared with those of WHERE. */
export function compareRelations(
  before: Block,
  after: Block,
  style: TextStyle,
  compareBlocks: CompareBlocks,
): Compared {
  const where = after.label;
  const changes: QueryChange[] = [];
  const extents: Extent[] = [];
  const old = new Map(before.relations.map((relation) => [relation.label, relation]));
  const labels = new Set(after.relations.map(({ label }) => label));
  const isFirst = ({ label }: Relation) => after.relations[0]?.label === label;
  for (const relation of before.relations.filter(({ label }) => !labels.has(label))) {
    changes.push({
      ...sourceAspect(relation, isSame(before.relations[0], relation)),
      kind: 'removed',
      where,
      text: `no longer reads ${described(relation, style)}`,
    });
    extents.push('unknown');
  }
  for (const [index, relation] of after.relations.entries()) {
    const was = old.get(relation.label);
    if (was === undefined) {
      const how = isFirst(relation) ? 'now reads' : `${joins[relation.join]} added:`;
      const on =
        relation.on.length === 0
          ? ''
          : ` on \`${relation.on.map((each) => termText(each, style)).join(' AND ')}\``;
      changes.push({
        ...sourceAspect(relation, isFirst(relation)),
        kind: 'added',
        where,
        text: `${how} ${described(relation, style)}${on}`,
      });
      extents.push('unknown');
      continue;
    }
    const inner = compareContent(was, relation, where, style, compareBlocks);
    changes.push(...inner.changes);
    const later = after.relations.slice(index + 1);
    const isMonotone =
      relation.join === 'INNER' && later.every(({ join }) => join === 'INNER' || join === 'LEFT');
    extents.push(inner.extent === 'same' || isMonotone ? inner.extent : 'unknown');
    const join = compareJoin(was, relation, {
      before,
      after,
      style,
      isMonotone: later.every(({ join: kind }) => kind === 'INNER' || kind === 'LEFT'),
    });
    changes.push(...join.changes);
    extents.push(join.extent);
  }
  if (isReordered(before, after)) {
    changes.push({ aspect: 'join', kind: 'moved', where, text: 'joins come in another order' });
    extents.push('unknown');
  }
  return { changes, extent: allExtents(extents) };
}

/** Whether relations that both blocks read are joined in another order, which makes a difference to outer joins. */
function isReordered(before: Block, after: Block): boolean {
  const shared = (block: Block, other: Block) => {
    const labels = new Set(other.relations.map(({ label }) => label));
    return block.relations.filter(({ label }) => labels.has(label)).map(({ label }) => label);
  };
  const hasOuter = [before, after].some(({ relations }) => relations.some(({ join }) => join !== 'INNER'));
  return hasOuter && shared(before, after).join('\n') !== shared(after, before).join('\n');
}

function isSame(one: Relation | undefined, other: Relation): boolean {
  return one?.label === other.label;
}

function sourceAspect({ content }: Relation, isFirst: boolean): Pick<QueryChange, 'aspect'> {
  return { aspect: isFirst || content.kind === 'row' ? 'source' : 'join' };
}

/** What a relation is, for people. */
function described({ label, content }: Relation, style: TextStyle): string {
  switch (content.kind) {
    case 'table':
      return `\`${content.name}\``;
    case 'array':
      return `\`UNNEST(${termText(content.array, style)})\``;
    case 'row':
      return 'a single row';
    default:
      return `\`${label}\``;
  }
}

function compareContent(
  before: Relation,
  after: Relation,
  where: string,
  style: TextStyle,
  compareBlocks: CompareBlocks,
): Compared {
  const [old, now] = [before.content, after.content];
  const changed = (aspect: QueryChange['aspect'], text: string): Compared => ({
    changes: [{ aspect, kind: 'changed', where, text }],
    extent: 'unknown',
  });
  if (old.kind === 'query' && now.kind === 'query')
    return { changes: [], ...compareBlocks(old.block, now.block) };
  if (old.kind === 'set' && now.kind === 'set') return compareSets(old, now, where, compareBlocks);
  if (old.kind === 'table' && now.kind === 'table')
    return old.name === now.name
      ? compareTypes(old, now, where)
      : changed('source', `reads \`${now.name}\` instead of \`${old.name}\``);
  if (old.kind === 'array' && now.kind === 'array')
    return old.array.key === now.array.key
      ? { changes: [], extent: 'same' }
      : changed('source', `reads ${described(after, style)} instead of ${described(before, style)}`);
  if (old.kind === 'row' && now.kind === 'row') return { changes: [], extent: 'same' };
  if (old.kind === 'other' && now.kind === 'other')
    return old.key === now.key
      ? { changes: [], extent: 'same' }
      : changed('query', `what the ${now.name} query returns is computed differently`);
  return changed('source', `reads ${described(after, style)} instead of ${described(before, style)}`);
}

/** Compares the types of the columns that both queries read of a table. */
function compareTypes(
  before: Extract<Relation['content'], { kind: 'table' }>,
  after: Extract<Relation['content'], { kind: 'table' }>,
  where: string,
): Compared {
  const changes = [...after.columns].flatMap(([name, type]): QueryChange[] => {
    const was = before.columns.get(name);
    if (was === undefined || was === type) return [];
    const text = `column \`${name}\` of \`${after.name}\` has another type: ${was} → ${type}`;
    return [{ aspect: 'source', kind: 'retyped', where, text }];
  });
  return { changes, extent: changes.length === 0 ? 'same' : 'unknown' };
}

interface Joined {
  readonly before: Block;
  readonly after: Block;
  readonly style: TextStyle;
  /** Whether more rows of this join are more rows of all of them. */
  readonly isMonotone: boolean;
}

function compareJoin(was: Relation, is: Relation, { before, after, style, isMonotone }: Joined): Compared {
  const where = after.label;
  const name = described(is, style);
  const text = (terms: Relation['on']) => `\`${terms.map((each) => termText(each, style)).join(' AND ')}\``;
  if (was.join === is.join) {
    const keys = (terms: Relation['on']) =>
      terms
        .map(({ key }) => key)
        .sort()
        .join();
    // Conditions of inner joins are compared with those of WHERE.
    if (is.join === 'INNER' || keys(was.on) === keys(is.on)) return { changes: [], extent: 'same' };
    return {
      changes: [
        {
          aspect: 'join',
          kind: 'changed',
          where,
          text: `condition of the ${joins[is.join]} of ${name} changed: ${text(was.on)} → ${text(is.on)}`,
        },
      ],
      extent: 'unknown',
    };
  }
  // What was a condition of an outer join is one of the block if the join is an inner one, and the other way round.
  const had = (terms: Relation['on'], block: Block) => {
    const all = new Set(
      [...block.conditions, ...block.relations.flatMap(({ on }) => on)].map(({ key }) => key),
    );
    return terms.every(({ key }) => all.has(key));
  };
  const isSameOn =
    is.join === 'INNER'
      ? had(was.on, after)
      : was.join === 'INNER'
        ? had(is.on, before)
        : sameKeys(was.on, is.on);
  const kind = wider[was.join].includes(is.join)
    ? 'wider'
    : wider[is.join].includes(was.join)
      ? 'narrower'
      : 'changed';
  const note = joinNotes[`${was.join} ${is.join}`] ?? '';
  return {
    changes: [
      { aspect: 'join', kind, where, text: `${joins[was.join]} of ${name} is now ${joins[is.join]}${note}` },
    ],
    extent: isSameOn && isMonotone && kind !== 'changed' ? kind : 'unknown',
  };
}

const joinNotes: Readonly<Record<string, string>> = {
  'LEFT INNER': ': rows without a match are left out',
  'INNER LEFT': ': rows without a match are kept, with NULL in its columns',
};

function sameKeys(one: Relation['on'], other: Relation['on']): boolean {
  return (
    one
      .map(({ key }) => key)
      .sort()
      .join() ===
    other
      .map(({ key }) => key)
      .sort()
      .join()
  );
}

type SetContent = Extract<Relation['content'], { kind: 'set' }>;

function compareSets(
  before: SetContent,
  after: SetContent,
  where: string,
  compareBlocks: CompareBlocks,
): Compared {
  const changes: QueryChange[] = [];
  const add = (kind: QueryChange['kind'], text: string) =>
    changes.push({ aspect: 'set operation', kind, where, text });
  let extent: Extent = 'same';
  const [name, isDistinct] = after.operator.split(' ');
  if (before.operator !== after.operator) {
    const isSameOperation = before.operator.split(' ')[0] === name;
    const kind =
      !isSameOperation || name === 'EXCEPT' ? 'changed' : isDistinct === 'DISTINCT' ? 'narrower' : 'wider';
    const note = !isSameOperation
      ? ''
      : isDistinct === 'DISTINCT'
        ? ': equal rows occur once'
        : ': equal rows occur each time';
    add(kind, `${before.operator} is now ${after.operator}${note}`);
    extent = kind === 'changed' ? 'unknown' : kind;
  }
  const length = Math.max(before.inputs.length, after.inputs.length);
  for (let index = 0; index < length; index++) {
    const [old, now] = [before.inputs[index], after.inputs[index]];
    if (old !== undefined && now !== undefined) {
      const inner = compareBlocks(old, now).extent;
      const isMonotone = name === 'UNION' || name === 'INTERSECT' || index === 0;
      extent = bothExtents(extent, inner === 'same' || isMonotone ? inner : 'unknown');
    } else {
      const kind = now === undefined ? 'removed' : 'added';
      add(kind, `${(now ?? old)?.label ?? ''} ${kind}`);
      const added = now === undefined ? 'narrower' : 'wider';
      extent = bothExtents(extent, name === 'UNION' ? added : 'unknown');
    }
  }
  return { changes, extent };
}
