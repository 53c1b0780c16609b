import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../../src/base/fairness/account.ts';
import { FairQueue } from '../../../src/base/fairness/fair-queue.ts';

interface Item {
  readonly account: Account;
  readonly number: number;
  readonly cost: number;
}

const anAccount = fc.record({ key: fc.constantFrom('a', 'b', 'c'), subject: fc.constantFrom('', 'x', 'y') });
const someItems = (cost: fc.Arbitrary<number>) =>
  fc
    .array(fc.record({ account: anAccount, cost }), { minLength: 1, maxLength: 60 })
    .map((items) => items.map((item, number): Item => ({ ...item, number })));

function filled(items: readonly Item[], quantum = 1): FairQueue<Item> {
  const queue = new FairQueue<Item>({ quantum });
  for (const item of items) queue.add(item.account, item, item.cost);
  return queue;
}

function* served(queue: FairQueue<Item>): Generator<Item> {
  for (let next = queue.next(); next !== undefined; next = queue.next()) yield next.item;
}

const nameOf = ({ key, subject }: Account) => `${key} ${subject}`;

/** The cost of items by a name of theirs. */
function costs(items: Iterable<Item>, nameOf: (item: Item) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(nameOf(item), (sums.get(nameOf(item)) ?? 0) + item.cost);
  return sums;
}

describe('a fair queue', () => {
  test('serves each item once, and those of an account in order of arrival', () => {
    fc.assert(
      fc.property(someItems(fc.nat(20)), (items) => {
        const order = [...served(filled(items))];
        expect(order.toSorted((a, b) => a.number - b.number)).toEqual(items);
        for (const own of Map.groupBy(order, ({ account }) => nameOf(account)).values())
          expect(own).toEqual(own.toSorted((a, b) => a.number - b.number));
      }),
    );
  });

  test('serves keys that wait, and subjects of a key, equally, but for the largest item', () => {
    fc.assert(
      fc.property(
        someItems(fc.integer({ min: 1, max: 20 })),
        fc.integer({ min: 1, max: 30 }),
        (items, quantum) => {
          const queue = filled(items, quantum);
          const left = new Map(Map.groupBy(items, ({ account }) => account.key));
          const done: Item[] = [];
          for (const item of served(queue)) {
            done.push(item);
            const waiting = new Set([...queue.counts()].map(({ account }) => account.key));
            if (waiting.size < left.size) break;
            const sums = costs(done, ({ account }) => account.key);
            const shares = [...left.keys()].map((key) => sums.get(key) ?? 0);
            expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(20 + quantum);
          }
        },
      ),
    );
  });

  test('serves a key that comes before all further items of those that were served', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 5 }), (before, keys) => {
        const queue = new FairQueue<string>();
        for (let key = 0; key < keys; key++)
          for (let item = 0; item < 60; item++) queue.add({ key: `${key}`, subject: '' }, `${key} ${item}`);
        const each = Math.ceil(before / keys) * keys;
        for (let item = 0; item < each; item++) queue.next();
        queue.add({ key: 'new', subject: '' }, 'new');
        const next = Array.from({ length: keys + 1 }, () => queue.next()?.item);
        expect(next).toContain('new');
      }),
    );
  });

  test('gives no second turn to a key that comes again and again', () => {
    const queue = new FairQueue<string>();
    const [a, b] = ['a', 'b'].map((key) => ({ key, subject: '' })) as [Account, Account];
    for (let item = 0; item < 10; item++) queue.add(a, `a${item}`);
    const order: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      if (!order.at(-1)?.startsWith('b')) queue.add(b, `b${turn}`);
      order.push(queue.next()?.item ?? '');
    }
    expect(order.filter((item) => item.startsWith('a'))).toHaveLength(3);
  });

  test('lets an account pay afterwards: one whose items cost twice as much has half of the turns', () => {
    const queue = new FairQueue<string>();
    const [light, heavy] = ['light', 'heavy'].map((key) => ({ key, subject: '' })) as [Account, Account];
    for (let item = 0; item < 30; item++) {
      queue.add(light, `light ${item}`, 0);
      queue.add(heavy, `heavy ${item}`, 0);
    }
    const turns = { light: 0, heavy: 0 };
    for (let turn = 0; turn < 30; turn++) {
      const { account } = queue.next() ?? { account: light };
      turns[account.key as 'light' | 'heavy'] += 1;
      queue.charge(account, account.key === 'heavy' ? 20 : 10);
    }
    expect(turns).toEqual({ light: 20, heavy: 10 });
  });

  test('serves an item that waits under several accounts once, at the first turn', () => {
    const queue = new FairQueue<string>();
    const [a, b] = ['a', 'b'].map((key) => ({ key, subject: '' })) as [Account, Account];
    for (const item of ['a1', 'a2', 'shared']) queue.add(a, item);
    queue.add(b, 'shared');
    expect(queue.size).toBe(3);
    expect([queue.next()?.item, queue.next()?.item, queue.next()?.item, queue.next()]).toEqual([
      ...['a1', 'shared', 'a2'],
      undefined,
    ]);
    queue.add(a, 'shared');
    queue.add(b, 'shared');
    queue.delete('shared', a);
    expect(queue.next()).toEqual({ item: 'shared', account: b });
  });

  test('leaves out keys that can not be served now', () => {
    const queue = new FairQueue<string>();
    for (const key of ['a', 'b']) queue.add({ key, subject: '' }, key);
    expect(queue.next((key) => key === 'b')?.item).toBe('b');
    expect(queue.next((key) => key === 'b')).toBeUndefined();
    expect(queue.next()?.item).toBe('a');
  });
});
