import { chmodSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { shortDigest } from '../../../src/calls/access/key/last-uses.ts';
import { shownKey } from '../../../src/calls/access/key/shown-key.ts';
import { ExpiryWarnings } from '../../../src/calls/access/key-cache/expiry-warnings.ts';
import { FileKeySource } from '../../../src/calls/access/key-cache/file-key-source.ts';
import { KeyCache } from '../../../src/calls/access/key-cache/key-cache.ts';
import { recordMs, UseRecorder } from '../../../src/calls/access/key-cache/use-recorder.ts';
import { FileKeyStore, fileLookMs } from '../../../src/calls/access/store/file-key-store.ts';
import { fakeLog } from '../../server/listener/running-gateway.ts';
import { ManualClock } from '../executor/support/manual-clock.ts';
import { addKey, keysFolder, rotate } from './support/keys.ts';

const minute = 60_000;
const day = 86_400_000;

/** The keys of a file, as a gateway knows and records them. */
function recording(file = join(keysFolder(), 'keys.json'), clock = new ManualClock()) {
  const log = fakeLog();
  const store = new FileKeyStore(file);
  const keys = new KeyCache({ source: new FileKeySource(file, clock, log), clock, log });
  let writes = 0;
  const recorder = new UseRecorder({
    uses: () => keys.uses(),
    add: async (uses) => {
      writes += 1;
      await store.addUses(uses);
    },
    clock,
    log,
  });
  return { file, clock, log, store, keys, recorder, writes: () => writes };
}

const toMinute = (time: number) => time - (time % minute);

test('a use is stored within a minute, beside the keys, and only if there was one', async () => {
  const { store, keys, clock, writes, file, recorder } = recording();
  const { text, key } = await addKey(store, {}, clock.now());
  const stored = readFileSync(file, 'utf8');
  await clock.advance(recordMs);
  expect(writes()).toBe(0);
  const used = clock.now();
  keys.find(text);
  await clock.advance(recordMs);
  await recorder.close();
  expect(writes()).toBe(1);
  const uses = await store.uses();
  expect(uses.get(key.id)?.get(shortDigest(key.digest))).toBe(toMinute(used));
  expect(readFileSync(file, 'utf8')).toBe(stored);
  expect(shownKey(key, clock.now(), uses)).toMatchObject({
    lastUsed: new Date(toMinute(used)).toISOString(),
  });
});

test('a use is stored at the end, and a refused key has none', async () => {
  const { store, keys, clock, recorder } = recording();
  const used = await addKey(store, { name: 'used' }, clock.now());
  const over = await addKey(store, { name: 'over', expires: clock.now() + 1 }, clock.now());
  await clock.advance(fileLookMs);
  keys.find(used.text);
  keys.find(over.text);
  await recorder.close();
  expect([...(await store.uses()).keys()]).toEqual([used.key.id]);
});

test('of several gateways, the latest use counts, and of several texts each has its own', async () => {
  const one = recording();
  const other = recording(one.file, one.clock);
  const { clock, store } = one;
  const { text, key } = await addKey(store, {}, clock.now());
  const first = clock.now();
  await clock.advance(fileLookMs);
  one.keys.find(text);
  await clock.advance(5 * minute);
  const later = clock.now();
  const rotated = await rotate(store, key.id, '24h', later);
  await clock.advance(fileLookMs);
  other.keys.find(rotated.text);
  await other.recorder.close();
  await one.recorder.close();
  const shown = shownKey(rotated.key, clock.now(), await store.uses());
  const text1 = (time: number) => new Date(toMinute(time)).toISOString();
  expect(shown).toMatchObject({ lastUsed: text1(later), former: [{ lastUsed: text1(first) }] });
});

test('a folder that cannot be written is warned of once, and nothing else fails', async () => {
  if (process.getuid?.() === 0) return;
  const { store, keys, clock, log, file, recorder } = recording();
  const { text } = await addKey(store, {}, clock.now());
  chmodSync(dirname(file), 0o500);
  onTestFinished(() => chmodSync(dirname(file), 0o700));
  for (let round = 0; round < 3; round++) {
    expect(keys.find(text)).toBeDefined();
    await clock.advance(recordMs);
  }
  await recorder.close();
  expect(log.lines).toEqual(['warn: the last uses of keys cannot be stored']);
});

test('keys that expire within 14 days are named at the start and each day', async () => {
  const file = join(keysFolder(), 'keys.json');
  const clock = new ManualClock();
  const log = fakeLog();
  const store = new FileKeyStore(file);
  const begin = clock.now();
  await addKey(store, { name: 'soon', expires: begin + 14 * day }, begin);
  await addKey(store, { name: 'later', expires: begin + 15 * day }, begin);
  await addKey(store, { name: 'never' }, begin);
  const source = new FileKeySource(file, clock, log);
  const warnings = new ExpiryWarnings({ source, clock, log });
  const named = () => log.fields.map((fields) => fields.key);
  expect(named()).toEqual(['soon']);
  expect(warnings.expiring().map(({ name }) => name)).toEqual(['soon']);
  await clock.advance(day);
  expect(named()).toEqual(['soon', 'soon', 'later']);
  await clock.advance(13 * day);
  expect(warnings.expiring().map(({ name }) => name)).toEqual(['later']);
  warnings.close();
});
