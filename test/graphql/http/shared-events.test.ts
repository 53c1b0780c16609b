import { expect, test } from 'vitest';
import { SharedEvents } from '../../../src/graphql/http/shared-events.ts';

/** Counts what is made. */
function counting() {
  const events = new SharedEvents();
  const made: string[] = [];
  const get = (about: object, form: string, size = 1) =>
    events.get(about, form, async () => {
      made.push(form);
      return Buffer.alloc(size, form);
    });
  return { made, get };
}

test('an event is made once for all who get the same bytes, at once or later', async () => {
  const { made, get } = counting();
  const [one, other] = [{}, {}];
  const [first, second] = await Promise.all([get(one, 'a'), get(one, 'a')]);
  expect(await get(one, 'a')).toBe(first);
  expect(second).toBe(first);
  expect(made).toEqual(['a']);
  await get(one, 'b');
  await get(other, 'a');
  expect(made).toEqual(['a', 'b', 'a']);
});

test('what is kept of many forms is bounded, and a failure is not kept', async () => {
  const { made, get } = counting();
  const about = {};
  for (let form = 0; form < 20; form++) await get(about, `${form}`, 1_000_000);
  await get(about, '19');
  await get(about, '0');
  expect(made.slice(20)).toEqual(['0']);
  const events = new SharedEvents();
  await expect(events.get(about, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(String(await events.get(about, 'a', async () => Buffer.from('yes')))).toBe('yes');
});
