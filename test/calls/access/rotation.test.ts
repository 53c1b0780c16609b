import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountOf, type Caller } from '../../../src/calls/access/caller/caller.ts';
import { KeyRefusal, UnknownKey } from '../../../src/calls/access/key/new-key.ts';
import { FileKeySource } from '../../../src/calls/access/key-cache/file-key-source.ts';
import { KeyCache } from '../../../src/calls/access/key-cache/key-cache.ts';
import { FileKeyStore, fileLookMs } from '../../../src/calls/access/store/file-key-store.ts';
import { fakeLog } from '../../server/listener/running-gateway.ts';
import { ManualClock } from '../executor/support/manual-clock.ts';
import { addKey, keysFolder, revoke, rotate } from './support/keys.ts';

const hour = 3_600_000;

/** Keys in a file, as a gateway knows them, with a clock in the test's hand. */
async function rotating({ lasting, ...wish }: Parameters<typeof addKey>[1] & { lasting?: number } = {}) {
  const file = join(keysFolder(), 'keys.json');
  const clock = new ManualClock();
  const log = fakeLog();
  const store = new FileKeyStore(file);
  const keys = new KeyCache({ source: new FileKeySource(file, clock, log), clock, log });
  const begin = clock.now();
  const expiry = lasting === undefined ? {} : { expires: begin + lasting };
  const made = await addKey(store, { name: 'who', ...wish, ...expiry }, begin);
  await clock.advance(fileLookMs);
  return {
    ...{ clock, store, log, made, begin, id: made.key.id },
    find: (text: string) => keys.find(text),
    isValid: (caller: Caller | undefined) => caller !== undefined && keys.isValid(caller),
    named: (name: string) => keys.issuer(name),
    rotate: async (overlap?: string) => {
      const rotated = await rotate(store, made.key.id, overlap, clock.now());
      await clock.advance(fileLookMs);
      return rotated;
    },
  };
}

test('both keys are one, until the earlier one ends', async () => {
  const { made, find, rotate, clock, log, id } = await rotating({ endpoints: ['a'], rate: '5/s' });
  const { text, key } = await rotate();
  expect(key).toMatchObject({ id, name: 'who', endpoints: ['a'], rate: '5/s' });
  const [former, present] = [find(made.text), find(text)];
  const { expires, ...others } = former ?? {};
  expect(others).toEqual(present);
  expect(expires).toBe(key.former?.[0]?.expires);
  expect(former && accountOf(former)).toEqual(present && accountOf(present));
  await clock.advance(24 * hour);
  expect(find(made.text)).toBeUndefined();
  expect(find(text)).toBe(present);
  expect(log.fields.at(-1)).toMatchObject({ key: 'who', state: 'replaced' });
});

test('what the earlier key has begun goes on until it ends', async () => {
  const { made, find, rotate, clock, isValid } = await rotating();
  const begun = find(made.text);
  await rotate('1h');
  expect(isValid(begun)).toBe(true);
  await clock.advance(hour);
  expect(isValid(begun)).toBe(false);
});

test('an overlap of 0 ends all that was valid, and what it has begun', async () => {
  const { made, find, rotate, isValid } = await rotating();
  const { text } = await rotate();
  const begun = [find(made.text), find(text)];
  expect(begun.map(isValid)).toEqual([true, true]);
  const last = await rotate('0');
  expect([made.text, text].map(find)).toEqual([undefined, undefined]);
  expect(begun.map(isValid)).toEqual([false, false]);
  expect(find(last.text)).toBeDefined();
});

test('a second rotation keeps the end of the first one, or brings it forward', async () => {
  const { made, find, rotate, clock } = await rotating();
  const second = await rotate('3h');
  await clock.advance(hour);
  await rotate('24h');
  expect([made.text, second.text].every((text) => find(text) !== undefined)).toBe(true);
  await clock.advance(2 * hour);
  expect(find(made.text)).toBeUndefined();
  expect(find(second.text)).toBeDefined();
  await rotate('1h');
  await clock.advance(hour);
  expect(find(second.text)).toBeUndefined();
});

test('keys are not rotated without end within their overlap', async () => {
  const { rotate, find } = await rotating();
  for (let done = 0; done < 4; done++) await rotate();
  await expect(rotate()).rejects.toThrow(KeyRefusal);
  expect(find((await rotate('0')).text)).toBeDefined();
});

test('revoking a key ends all its texts, and neither such a key nor an expired one is rotated', async () => {
  const { made, find, rotate, store, clock, id } = await rotating();
  const { text } = await rotate();
  await revoke(store, id, clock.now());
  await clock.advance(fileLookMs);
  expect([made.text, text].map(find)).toEqual([undefined, undefined]);
  await expect(rotate()).rejects.toThrow('is revoked');
  const expiring = await rotating({ lasting: 2 * hour });
  await expiring.clock.advance(2 * hour);
  await expect(expiring.rotate()).rejects.toThrow('is expired');
  await expect(rotate0(store)).rejects.toThrow(UnknownKey);
});

const rotate0 = (store: FileKeyStore) => rotate(store, 'nobody');

test('the earlier key never outlives its own expiry', async () => {
  const { made, find, rotate, clock, begin } = await rotating({ lasting: 2 * hour });
  const { key } = await rotate('24h');
  expect(key.former?.[0]?.expires).toBe(begin + 2 * hour);
  await clock.advance(2 * hour);
  expect(find(made.text)).toBeUndefined();
});

test('the tokens of an issuer stay valid when its key is rotated', async () => {
  const { named, rotate } = await rotating();
  const before = named('who')?.caller;
  await rotate('0');
  expect(named('who')?.caller).toBe(before);
});
