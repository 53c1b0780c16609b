import { expect, test } from 'vitest';
import { CacheBudget } from '../../../../src/base/memory/cache-budget.ts';
import { SharedEvents } from '../../../../src/server/graphql/http/shared-events.ts';

/** Counts what is made. */
function counting() {
  const budget = new CacheBudget({ name: 'subscriptions', maxBytes: 16_000_000 });
  const events = new SharedEvents(budget);
  const made: string[] = [];
  const get = (about: object, form: string, { size = 1, key = 'one' } = {}) =>
    events.get(about, form, { key, subject: '' }, async () => {
      made.push(form);
      return Buffer.alloc(size, form);
    });
  return { events, budget, made, get };
}

test('an event is made once for all who get the same bytes, at once or later', async () => {
  const { made, get } = counting();
  const [one, other] = [{}, {}];
  const [first, second] = await Promise.all([get(one, 'a'), get(one, 'a', { key: 'other' })]);
  expect(await get(one, 'a', { key: 'third' })).toBe(first);
  expect(second).toBe(first);
  expect(made).toEqual(['a']);
  await get(one, 'b');
  await get(other, 'a');
  expect(made).toEqual(['a', 'b', 'a']);
});

test('what is kept of many forms is bounded, and a failure is not kept', async () => {
  const { made, get, events, budget } = counting();
  const about = {};
  for (let form = 0; form < 20; form++) await get(about, `${form}`, { size: 1_000_000 });
  await get(about, '19');
  await get(about, '0');
  expect(made.slice(20)).toEqual(['0']);
  expect(budget.state.usedBytes).toBeLessThanOrEqual(16_000_000);
  const account = { key: 'one', subject: '' };
  await expect(events.get(about, 'x', account, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(String(await events.get(about, 'x', account, async () => Buffer.from('yes')))).toBe('yes');
});

test('a key with many events evicts its own, not those of others', async () => {
  const { made, get } = counting();
  const about = {};
  await get(about, 'light', { size: 1_000_000, key: 'light' });
  for (let form = 0; form < 40; form++) await get(about, `${form}`, { size: 1_000_000, key: 'flooding' });
  await get(about, 'light', { key: 'light' });
  await get(about, '0', { key: 'flooding' });
  expect(made.slice(41)).toEqual(['0']);
});
