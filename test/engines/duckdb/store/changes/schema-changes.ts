import { cp } from 'node:fs/promises';
import { expect } from 'vitest';
import { isReference } from '../../../../../src/definitions/sources/row-key.ts';
import type { Source } from '../../../../../src/definitions/sources/source.ts';
import type { Store } from '../../../../../src/engines/duckdb/store/store.ts';
import { batchOf, openTestStoreWith, readRows, sourceOf, temporaryFolder } from '../support.ts';
import {
  Chance,
  follow,
  leafTypes,
  type ModelRow,
  type Node,
  newNode,
  randomValue,
  rowValue,
  shownValue,
} from './schema-model.ts';

const time = '2024-01-01T00:00:00Z';

/** Rows with times, or those of a reference table, of which some replace others. */
export type Kind = 'events' | 'reference';

/**
 * Changes a source's file at random, with rows in between, and compares the store with the model after each step. The store is
 * closed and opened, given the source while it is open, or killed; earlier files come back.
 */
export async function changeAtRandom(kind: Kind, seed: number, steps: number): Promise<void> {
  const chance = new Chance(seed);
  let dataDir = await temporaryFolder();
  let columns: readonly Node[] = [newNode(chance, 'c0'), newNode(chance, 'c1')];
  let source = sourceWith(kind, columns, new Map());
  let rows: ModelRow[] = [];
  const releases: (readonly Node[])[] = [columns];
  /** The columns that were removed, at their places. */
  const removed: Removed[] = [];
  let names = 2;
  // Even few rows are converted in steps while the store is used.
  const open = (folder: string, opened: Source) =>
    openTestStoreWith({ conversionStepRows: 3 }, folder, opened);
  let store = await open(dataDir, source);

  for (let step = 0; step < steps; step++) {
    const idOf = (i: number) =>
      kind === 'reference' && rows.length > 0 && chance.below(2) === 0
        ? chance.pick(rows).id
        : `${String(step).padStart(3, '0')}-${i}`;
    const added = Array.from(
      { length: chance.below(4) },
      (_, i): ModelRow => ({
        id: idOf(i),
        values: Object.fromEntries(columns.map((node) => [node.uid, randomValue(chance, node)])),
      }),
    );
    if (added.length > 0) {
      const lines = added.map(({ id, values }) => ({
        id,
        ...(kind === 'events' && { timestamp: time }),
        ...Object.fromEntries(columns.map((node) => [node.name, rowValue(node, values[node.uid])])),
      }));
      await store.append(source, batchOf(...lines), { origin: 'imported' });
      rows = [...new Map([...rows, ...added].map((row) => [row.id, row])).values()];
    }
    const was = new Map<number, string>();
    const isRollback = chance.below(5) === 0;
    const next = isRollback
      ? chance.pick(releases)
      : changed(columns, chance, removed, was, () => `c${names++}`);
    const followed = followAll(columns, next, rows);
    // Hidden values that don't fit stay hidden, beside a new column: the model has no such columns.
    if (followed === undefined && !fitsHidden(columns, next, rows)) continue;
    const nextSource = sourceWith(kind, next, was);
    const what = `${kind}, seed ${seed}, step ${step}: ${JSON.stringify(source.columns.map(shown))} to ${JSON.stringify(nextSource.columns.map(shown))}`;
    const way = chance.below(3);
    if (way === 0 && followed !== undefined) await store.useSources([nextSource]);
    else {
      if (way === 1) {
        const copy = await temporaryFolder();
        await cp(dataDir, copy, { recursive: true });
        await store.close();
        dataDir = copy;
      } else await store.close();
      store = await open(dataDir, nextSource);
    }
    expect(store.unavailable.length, `${what} ${JSON.stringify(store.unavailable)}`).toBe(
      followed === undefined ? 1 : 0,
    );
    if (followed === undefined) {
      // The former file fits again.
      await store.close();
      store = await open(dataDir, source);
      await compare(store, source, columns, rows, `${what}, refused`);
      continue;
    }
    rows = followed;
    columns = next;
    source = nextSource;
    releases.push(columns);
    await compare(store, source, columns, rows, what);
  }
  await store.close();
}

async function compare(
  store: Store,
  source: Source,
  columns: readonly Node[],
  rows: readonly ModelRow[],
  what: string,
) {
  const found = await readRows(store, source, 'ORDER BY id');
  const inOrder = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const wanted = inOrder.map(({ id, values }) => [
    id,
    ...(isReference(source) ? [] : [1704067200000000n]),
    ...columns.map((node) => shownValue(node, values[node.uid])),
  ]);
  expect(found, what).toEqual(wanted);
}

function shown({ name, type, mode, fields }: Source['columns'][number]): unknown {
  return fields.length > 0
    ? [name, mode, fields.map(shown)]
    : `${name} ${mode} ${type.kind === 'ARRAY' ? type.element.kind : type.kind}`;
}

function sourceWith(kind: Kind, columns: readonly Node[], was: ReadonlyMap<number, string>): Source {
  const field = ({ uid, name, type, mode, fields }: Node): object => ({
    ...{ name, type, mode },
    ...(was.has(uid) && { was: was.get(uid) }),
    ...(fields.length > 0 && { fields: fields.map(field) }),
  });
  const key = [
    { name: 'id', type: 'STRING', mode: 'REQUIRED' },
    ...(kind === 'events' ? [{ name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' }] : []),
  ];
  return sourceOf('s', [...key, ...columns.map(field)]);
}

/** The rows in their new form. Undefined if a row doesn't fit. */
function followAll(
  before: readonly Node[],
  after: readonly Node[],
  rows: readonly ModelRow[],
): ModelRow[] | undefined {
  const followed: ModelRow[] = [];
  for (const { id, values } of rows) {
    const next = { ...values };
    for (const node of after) {
      const value = follow(
        before.find(({ uid }) => uid === node.uid),
        node,
        values[node.uid],
      );
      if (value === undefined) return undefined;
      next[node.uid] = value;
    }
    followed.push({ id, values: next });
  }
  return followed;
}

/** Whether hidden columns that come back fit, as far as they do. */
function fitsHidden(before: readonly Node[], after: readonly Node[], rows: readonly ModelRow[]): boolean {
  const shown = visibleUids(before);
  const hidden = (nodes: readonly Node[]): Node[] =>
    nodes.flatMap((node) => (shown.has(node.uid) ? hidden(node.fields) : [node]));
  return hidden(after).length === 0 || followAll(before, withFormsOf(before, after), rows) !== undefined;
}

/** The columns with the forms that visible ones have at present. */
function withFormsOf(before: readonly Node[], after: readonly Node[]): readonly Node[] {
  return after.map((node) => {
    const old = before.find(({ uid }) => uid === node.uid);
    return old === undefined
      ? node
      : { ...node, mode: old.mode, fields: withFormsOf(old.fields, node.fields) };
  });
}

function visibleUids(columns: readonly Node[]): Set<number> {
  return new Set(columns.flatMap((node) => [node.uid, ...visibleUids(node.fields)]));
}

interface Removed {
  /** The uid of the record around it; 0 for a column. */
  readonly parent: number;
  readonly node: Node;
}

/** The columns with one change at a random place. */
function changed(
  columns: readonly Node[],
  chance: Chance,
  removed: Removed[],
  was: Map<number, string>,
  newName: () => string,
  parent = 0,
): readonly Node[] {
  const records = columns.filter(({ type }) => type === 'RECORD');
  if (records.length > 0 && chance.below(2) === 0) {
    const record = chance.pick(records);
    const fields = changed(record.fields, chance, removed, was, newName, record.uid);
    return columns.map((node) => (node === record ? { ...node, fields } : node));
  }
  const node = chance.pick(columns);
  const replace = (by: Node) => columns.map((each) => (each === node ? by : each));
  switch (chance.below(6)) {
    case 0:
      return insert(columns, newNode(chance, newName(), parent === 0 ? 0 : 1), chance);
    case 1:
      if (columns.length === 1) return columns;
      removed.push({ parent, node });
      return columns.filter((each) => each !== node);
    case 2: {
      const gone = removed.filter(
        (each) =>
          each.parent === parent &&
          !columns.some(({ uid, name }) => uid === each.node.uid || name === each.node.name),
      );
      if (gone.length === 0) return columns;
      return insert(columns, chance.pick(gone).node, chance);
    }
    case 3: {
      const name = newName();
      was.set(node.uid, node.name);
      return replace({ ...node, name });
    }
    case 4:
      if (node.type === 'RECORD') return columns;
      return replace({ ...node, type: chance.pick(leafTypes) });
    default:
      return replace({ ...node, mode: node.mode === 'REPEATED' ? 'NULLABLE' : 'REPEATED' });
  }
}

function insert(columns: readonly Node[], node: Node, chance: Chance): readonly Node[] {
  return columns.toSpliced(chance.below(columns.length + 1), 0, node);
}
