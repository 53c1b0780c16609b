import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileKeyStore } from '../../../src/calls/access/store/file-key-store.ts';
import { addKey, keysFolder, makeKey, revoke } from './support/keys.ts';

function fileStore() {
  const folder = keysFolder();
  const file = join(folder, 'below', 'keys.json');
  return { folder: join(folder, 'below'), file, store: new FileKeyStore(file) };
}

describe('keys in a file', () => {
  test('are empty without a file', async () => {
    expect(await fileStore().store.read()).toEqual([]);
  });

  test('come back as they were put, and the file is for its owner only', async () => {
    const { folder, file, store } = fileStore();
    const { text, key } = await addKey(store, {
      name: 'Zoë & co'.replace('& ', ''),
      scopes: ['query', 'write', 'admin'],
      endpoints: ['logs.all'],
      projects: ['abc'],
      pins: [{ parameter: '__proto__', value: 'x "y"\n' }],
      expires: Date.now() + 1000,
      redact: true,
      rate: '10/s',
      bytesPerDay: 5,
      allow: ['calls=10/day', 'bytes=1TB/month'],
      whenSpent: 'slow',
    });
    expect(await store.read()).toEqual([key]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(text);
    expect(readFileSync(file, 'utf8')).not.toContain(text.slice(4, 14));
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  test('are all there when many are made at once', async () => {
    const { folder, file, store } = fileStore();
    const others = [store, new FileKeyStore(file), new FileKeyStore(file)];
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => addKey(others[index % 3] ?? store, { name: `key ${index}` })),
    );
    const names = (await store.read()).map(({ name }) => name);
    expect(new Set(names).size).toBe(30);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  test('have one holder of a name, also when two ask for it at once', async () => {
    const { file, store } = fileStore();
    const outcomes = await Promise.allSettled([addKey(store), addKey(new FileKeyStore(file))]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [first] = await store.read();
    await revoke(store, first?.id ?? '');
    await addKey(store);
    expect(await store.read()).toHaveLength(2);
  });

  test.each([
    ['no JSON', '{"form": 1,\n "keys": [', ':2:'],
    ['an empty file', '', ':1:1'],
    ['another form', '{"form": 2, "keys": []}', ':1:10'],
    ['no list of keys', '{"form": 1}', ':1:1'],
    ['half of a file', undefined, ''],
  ])(
    'are refused with their place when the file is %s, and nothing is written over it',
    async (_, text, place) => {
      const { file, store } = fileStore();
      await addKey(store);
      const content = text ?? readFileSync(file, 'utf8').slice(0, 100);
      writeFileSync(file, content);
      await expect(store.read()).rejects.toThrow(`${file}${place}`);
      await expect(addKey(store, { name: 'other' })).rejects.toThrow(file);
      expect(readFileSync(file, 'utf8')).toBe(content);
    },
  );

  test.each([
    ['a bound that is not known', (key: object) => ({ ...key, countries: ['ch'] })],
    ['an empty list of projects', (key: object) => ({ ...key, projects: [] })],
    ['a project that is a pattern', (key: object) => ({ ...key, projects: ['.*'] })],
    ['a scope that is not known', (key: object) => ({ ...key, scopes: ['all'] })],
    ['an expiry that is no time', (key: object) => ({ ...key, expires: 'soon' })],
    ['a rate that is none', (key: object) => ({ ...key, rate: 'fast' })],
    ['no digest', (key: object) => ({ ...key, digest: '' })],
  ])('are refused for %s', async (_, change) => {
    const { file, store } = fileStore();
    await addKey(store);
    const { form, keys } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ form, keys: keys.map(change) }));
    await expect(store.read()).rejects.toThrow(file);
  });

  test('are refused when two have one digest', async () => {
    const { file, store } = fileStore();
    await addKey(store);
    const { form, keys } = JSON.parse(readFileSync(file, 'utf8'));
    const [key] = keys;
    writeFileSync(
      file,
      JSON.stringify({ form, keys: [key, { ...key, id: 'key_00000000', projects: ['a'] }] }),
    );
    await expect(store.read()).rejects.toThrow('the digest occurs twice');
  });

  test.skipIf(process.getuid?.() === 0)('are told of when the file may not be read', async () => {
    const { file, store } = fileStore();
    await addKey(store);
    chmodSync(file, 0);
    await expect(store.read()).rejects.toThrow(
      `KEYS_FILE: the keys in ${file} can't be read or written (permission denied)`,
    );
  });

  test('are not blocked by a lock whose holder has died', async () => {
    const { file, store } = fileStore();
    await addKey(store);
    const child = spawn('true');
    await once(child, 'exit');
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: child.pid, host: hostname(), token: 'x' }));
    await addKey(store, { name: 'two' });
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: 1, host: 'elsewhere', token: 'x' }));
    const longAgo = Date.now() / 1000 - 60;
    utimesSync(`${file}.lock`, longAgo, longAgo);
    await addKey(store, { name: 'three' });
    expect(await store.read()).toHaveLength(3);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test('leave no lock behind where there was no room to write it', async () => {
    const { folder } = fileStore();
    mkdirSync(folder);
    const lock = join(folder, 'keys.json.lock');
    const underLock = `import(${JSON.stringify(import.meta.resolve('../../../src/calls/access/store/file-lock.ts'))})`;
    const script = `${underLock}.then((its) => its.underLock(${JSON.stringify(lock)}, () => {})).catch(({ code }) => console.log(code))`;
    // No file may have a byte, as on a full disk.
    const run = ['-c', 'ulimit -f 0; exec "$0" --eval "$1"', process.execPath, script];
    expect(execFileSync('sh', run, { encoding: 'utf8' })).toBe('EFBIG\n');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('wait for a live holder of the lock', async () => {
    const { file, store } = fileStore();
    await addKey(store);
    const lock = JSON.stringify({ pid: process.pid, host: hostname(), token: 'x' });
    writeFileSync(`${file}.lock`, lock);
    let isDone = false;
    const adding = addKey(store, { name: 'two' }).then(() => {
      isDone = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isDone).toBe(false);
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe(lock);
    const { rmSync } = await import('node:fs');
    rmSync(`${file}.lock`);
    await adding;
    expect(await store.read()).toHaveLength(2);
  });
});

describe('a key that is made', () => {
  test('has none of the names that keys have which are not stored', () => {
    for (const name of ['API_KEY', 'import']) expect(() => makeKey({ name })).toThrow('is reserved');
  });
});
