import { expect, test } from 'vitest';
import type { GatewayError } from '../../../src/base/errors/errors.ts';
import { type Holding, MemoryBudget } from '../../../src/base/memory/memory-budget.ts';
import { SharedMemory } from '../../../src/base/memory/shared-memory.ts';

const a = { key: 'a', subject: '' };
const b = { key: 'b', subject: '' };
const c = { key: 'c', subject: '' };

/** A budget, and holdings whose ends it keeps. */
function budgetOf(maxBytes: number, maxKeyBytes = Math.ceil(maxBytes / 2)) {
  const budget = new MemoryBudget({ name: 'tests', content: 'tests', maxBytes, maxKeyBytes });
  const ended: string[] = [];
  const hold = (name: string, account = a) => {
    const holding: Holding = budget.hold(account, (reason: GatewayError) => {
      ended.push(`${name} ${reason.code}`);
      holding[Symbol.dispose]();
    });
    return holding;
  };
  return { budget, ended, hold };
}

test('memory is counted until it is released', () => {
  const { budget, hold } = budgetOf(100);
  const one = hold('one');
  one.add(30);
  one.resize(10);
  expect(budget.state).toMatchObject({ name: 'tests', usedBytes: 10, maxBytes: 100 });
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  expect(budget.state.usedBytes).toBe(0);
});

test('a key can have a maximum: its largest holding is ended, or refused if it is the one that grows', () => {
  const { budget, ended, hold } = budgetOf(100);
  const [large, small] = [hold('large'), hold('small')];
  large.add(40);
  small.add(20);
  expect(ended).toEqual(['large RATE_LIMITED']);
  hold('third').add(10);
  expect(() => small.add(25)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  expect(small.bytes).toBe(20);
  expect(budget.state).toMatchObject({ usedBytes: 30, ended: 1, refused: 1 });
});

test('when all of it is in use, the key that holds most gives way, and no other one', () => {
  const { ended, hold } = budgetOf(100, 60);
  hold('of a', a).add(50);
  hold('of b', b).add(40);
  hold('of c', c).add(20);
  expect(ended).toEqual(['of a OVERLOADED']);
  expect(() => hold('more of b', b).add(45)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  expect(ended).toEqual(['of a OVERLOADED']);
});

test('within a key, the subject that holds most gives way', () => {
  const { ended, hold } = budgetOf(100);
  hold('one of x', { key: 'a', subject: 'x' }).add(20);
  hold('another of x', { key: 'a', subject: 'x' }).add(15);
  hold('of y', { key: 'a', subject: 'y' }).add(25);
  expect(ended).toEqual(['one of x RATE_LIMITED']);
});

test('what can not be ended is kept, and the one that asks is refused', () => {
  const { ended, hold } = budgetOf(100);
  const kept = hold('kept');
  kept.add(45);
  kept.keep();
  expect(() => hold('other').add(10)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  expect(ended).toEqual([]);
});

test('an ended holding counts until it is released, and can not grow', () => {
  const budget = new MemoryBudget({ name: 'tests', content: 'tests', maxBytes: 100, maxKeyBytes: 50 });
  const slow = budget.hold(a, () => {});
  slow.add(45);
  budget.hold(a).add(20);
  expect(budget.state.usedBytes).toBe(65);
  expect(() => slow.add(1)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  slow[Symbol.dispose]();
  expect(budget.state.usedBytes).toBe(20);
});

test('random use never exceeds the maximum, of a key and in all, and ends at nothing', () => {
  const { budget, hold } = budgetOf(1000);
  const held = new Map<Holding, string>();
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let step = 0; step < 5000; step++) {
    const account = { key: `key ${random(4)}`, subject: `${random(3)}` };
    const holding = hold(`${step}`, account);
    held.set(holding, account.key);
    try {
      holding.add(random(200));
    } catch {}
    if (random(3) === 0) [...held.keys()][random(held.size)]?.[Symbol.dispose]();
    expect(budget.state.usedBytes).toBeLessThanOrEqual(1000);
    for (const key of held.values()) expect(budget.bytesOf(key)).toBeLessThanOrEqual(500);
    if (held.size > 50) held.clear();
  }
});

test('shared memory counts once, in equal parts of the accounts that use it', () => {
  const budget = new MemoryBudget({ name: 'tests', content: 'tests', maxBytes: 100, maxKeyBytes: 50 });
  const shared = new SharedMemory(budget);
  const memory = {};
  const uses = Array.from({ length: 60 }, () => shared.use(a, memory, 40, () => {}));
  expect(budget.bytesOf('a')).toBe(40);
  const other = shared.use(b, memory, 40, () => {});
  expect([budget.bytesOf('a'), budget.bytesOf('b'), budget.state.usedBytes]).toEqual([20, 20, 40]);
  for (const use of uses) use[Symbol.dispose]();
  expect([budget.bytesOf('a'), budget.bytesOf('b')]).toEqual([0, 40]);
  other[Symbol.dispose]();
  expect(budget.state.usedBytes).toBe(0);
});

test('shared memory is freed by ending all uses of the account', () => {
  const budget = new MemoryBudget({ name: 'tests', content: 'tests', maxBytes: 100, maxKeyBytes: 50 });
  const shared = new SharedMemory(budget);
  const ended: string[] = [];
  const use = (name: string, memory: object, bytes: number) => {
    const used = shared.use(a, memory, bytes, () => {
      ended.push(name);
      used[Symbol.dispose]();
    });
    return used;
  };
  const [large, small] = [{}, {}];
  use('first', large, 40);
  use('second', large, 40);
  use('third', small, 20);
  expect(ended).toEqual(['first', 'second']);
  expect(budget.state.usedBytes).toBe(20);
  shared.resize(small, 60);
  expect(ended).toEqual(['first', 'second', 'third']);
  expect(budget.state.usedBytes).toBe(0);
});

test('what can be had again is released before anything is ended', () => {
  const budget = new MemoryBudget({ name: 'tests', content: 'tests', maxBytes: 100 });
  const shared = new SharedMemory(budget);
  const ended: string[] = [];
  const sizes = new Map<object, number>();
  const use = (name: string, bytes: number) => {
    const memory = { name };
    const shrink = () => {
      sizes.set(memory, 5);
      shared.resize(memory, 5);
    };
    const used = shared.use(
      a,
      memory,
      bytes,
      () => {
        ended.push(name);
        used[Symbol.dispose]();
      },
      shrink,
    );
    return memory;
  };
  const first = use('first', 60);
  use('second', 60);
  expect(ended).toEqual([]);
  expect(sizes.get(first)).toBe(5);
  // One that grows is made smaller, too.
  shared.resize(first, 90);
  expect(budget.state.usedBytes).toBeLessThanOrEqual(100);
  expect(ended).toEqual([]);
});

test('one that would not fit alone is refused for good', () => {
  const { budget } = budgetOf(100, 100);
  const failure = expect.objectContaining({ code: 'QUERY_FAILED' });
  expect(() => budget.hold(a, () => {}).add(101)).toThrow(failure);
});
