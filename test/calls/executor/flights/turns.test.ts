import { expect, test, vi } from 'vitest';
import { Permit } from '../../../../src/calls/executor/flights/permit.ts';
import { Turns } from '../../../../src/calls/executor/flights/turns.ts';
import { ManualClock } from '../support/manual-clock.ts';

function world() {
  const clock = new ManualClock();
  const held = { open: 1, permits: 1 };
  const wanted: PromiseWithResolvers<void>[] = [];
  const permit = () =>
    new Permit(() => {
      held.permits -= 1;
    });
  const turns = new Turns({
    clock,
    open: new Permit(() => {
      held.open -= 1;
    }),
    first: permit(),
    next: async () => {
      const turn = Promise.withResolvers<void>();
      wanted.push(turn);
      await turn.promise;
      held.permits += 1;
      return permit();
    },
  });
  return { clock, held, wanted, turns };
}

test('a quick receiver leaves the permit where it is, for some seconds', async () => {
  const { clock, held, wanted, turns } = world();
  for (let batch = 0; batch < 19; batch++) await turns.during(() => clock.advance(99));
  expect([held.permits, wanted.length]).toEqual([1, 0]);
  await clock.advance(150);
  const next = turns.during(() => {});
  await vi.waitUntil(() => wanted.length === 1);
  expect(held).toEqual({ open: 1, permits: 0 });
  wanted[0]?.resolve();
  await next;
  expect(held).toEqual({ open: 1, permits: 1 });
  turns[Symbol.dispose]();
  expect(held).toEqual({ open: 0, permits: 0 });
});

test('a permit that comes after the end is given back', async () => {
  const { clock, held, wanted, turns } = world();
  const during = turns.during(() => clock.advance(100));
  await vi.waitUntil(() => wanted.length === 1);
  expect(held).toEqual({ open: 1, permits: 0 });
  turns[Symbol.dispose]();
  wanted[0]?.resolve();
  await during;
  expect(held).toEqual({ open: 0, permits: 0 });
});
