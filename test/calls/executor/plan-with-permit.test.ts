import { expect, test } from 'vitest';
import { never } from '../../../src/base/async/race-with-abort.ts';
import { Permits } from '../../../src/calls/executor/flights/permits.ts';
import { onlySeeker } from '../../../src/calls/executor/flights/seekers.ts';
import { planWithPermit } from '../../../src/calls/executor/plan-with-permit.ts';
import { ManualClock, settled } from './support/manual-clock.ts';

function world() {
  const clock = new ManualClock();
  const planningPermits = new Permits({ permits: 1, maxWaiting: 9 }, clock);
  const permits = new Permits({ permits: 2, maxWaiting: 9 }, clock);
  const plans: PromiseWithResolvers<string>[] = [];
  const plan = () =>
    planWithPermit(onlySeeker(undefined, never), { planningPermits, permits, clock }, async () => {
      const next = Promise.withResolvers<string>();
      plans.push(next);
      return next.promise;
    });
  return { clock, plan, plans, permits, planningPermits };
}

test('a plan waits for the one before it, unless that takes long', async () => {
  const { clock, plan, plans, permits, planningPermits } = world();
  const long = plan();
  const next = plan();
  await clock.advance(299);
  expect(plans).toHaveLength(1);
  await clock.advance(1);
  expect(plans).toHaveLength(2);
  plans[0]?.resolve('long');
  plans[1]?.resolve('next');
  expect([(await long).plan, (await next).plan]).toEqual(['long', 'next']);
  expect([permits.taken, planningPermits.taken]).toEqual([2, 0]);
});

test('many long plans wait for the permits of all queries', async () => {
  const { clock, plan, plans, permits } = world();
  const calls = Array.from({ length: 4 }, plan);
  for (let i = 0; i < 9; i++) await clock.advance(300);
  expect([plans.length, permits.taken]).toEqual([2, 2]);
  for (const call of calls.slice(0, 2)) call.catch(() => {});
  plans[0]?.reject(new Error('failed'));
  await settled();
  expect(plans).toHaveLength(3);
});
