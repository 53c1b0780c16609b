import type { BlockColumn } from '../blocks/block.ts';
import { type TextStyle, termText } from '../terms/term-text.ts';
import type { ChangeKind, Extent, QueryChange } from './query-change.ts';
import { differenceText } from './term-difference.ts';

/** Columns before and after that are the same ones. */
export interface ColumnPair {
  readonly before: BlockColumn;
  readonly after: BlockColumn;
}

/** Columns with the same name, and columns that have another name now. */
export function pairColumns(
  before: readonly BlockColumn[],
  after: readonly BlockColumn[],
): readonly ColumnPair[] {
  const byName = new Map(after.map((column) => [column.name, column]));
  const named = before.flatMap((column) => {
    const same = byName.get(column.name);
    return same === undefined ? [] : [{ before: column, after: same }];
  });
  const taken = new Set(named.map((pair) => pair.after));
  const names = new Set(named.map((pair) => pair.before.name));
  const left = after.filter((column) => !taken.has(column));
  const renamed = before
    .filter(({ name }) => !names.has(name))
    .flatMap((column) => {
      const at = left.findIndex(({ term }) => term.key === column.term.key);
      const [same] = at < 0 ? [] : left.splice(at, 1);
      return same === undefined ? [] : [{ before: column, after: same }];
    });
  return [...named, ...renamed];
}

/**
 * Compares the columns of a result.
 *
 * @param where what the columns belong to: empty for the result of the endpoint
 */
export function compareColumns(
  before: readonly BlockColumn[],
  after: readonly BlockColumn[],
  where: string,
  style: TextStyle,
): { readonly changes: readonly QueryChange[]; readonly extent: Extent } {
  const changes: QueryChange[] = [];
  const add = (kind: ChangeKind, text: string) =>
    changes.push({ aspect: 'column', kind, where, text: `column ${text}` });
  const pairs = pairColumns(before, after);
  const [kept, current] = [
    new Set(pairs.map((pair) => pair.before)),
    new Set(pairs.map((pair) => pair.after)),
  ];
  for (const { name } of before.filter((column) => !kept.has(column)))
    add('removed', `\`${shown(name)}\` removed`);
  for (const { name, type, term } of after.filter((column) => !current.has(column)))
    add('added', `\`${shown(name)}\`${ofType(type)} added: \`${termText(term, style)}\``);
  for (const { before: old, after: now } of pairs) {
    if (old.name !== now.name) add('renamed', `\`${shown(old.name)}\` renamed to \`${shown(now.name)}\``);
    if (old.type !== now.type && old.type !== '' && now.type !== '')
      add('retyped', `\`${shown(now.name)}\` has another type: ${old.type} → ${now.type}`);
    if (old.term.key !== now.term.key)
      add(
        'changed',
        `\`${shown(now.name)}\` computed differently: ${differenceText(old.term, now.term, style)}`,
      );
  }
  const order = (columns: readonly BlockColumn[], among: ReadonlySet<BlockColumn>) =>
    columns.filter((column) => among.has(column));
  const afterOf = new Map(pairs.map((pair) => [pair.before, pair.after]));
  const [was, is] = [order(before, kept).map((column) => afterOf.get(column)), order(after, current)];
  if (was.some((column, index) => column !== is[index]))
    changes.push({
      ...{ aspect: 'column', kind: 'moved', where },
      text: `columns in another order: ${after.map(({ name }) => `\`${shown(name)}\``).join(', ')}`,
    });
  // What reads a query within the query finds its columns under their new names, at their new places.
  const noticed =
    where === '' ? changes : changes.filter(({ kind }) => kind !== 'renamed' && kind !== 'moved');
  return { changes: noticed, extent: noticed.length === 0 ? 'same' : 'unknown' };
}

function shown(name: string): string {
  return name === '' ? '(unnamed)' : name;
}

function ofType(type: string): string {
  return type === '' ? '' : ` (${type})`;
}
