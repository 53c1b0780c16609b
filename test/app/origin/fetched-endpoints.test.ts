import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FetchedEndpoints } from '../../../src/app/origin/fetched-endpoints.ts';
import { OriginError } from '../../../src/app/origin/tree/origin-error.ts';
import type { FetchedVersion, Remote } from '../../../src/app/origin/tree/remote.ts';
import type { Problem } from '../../../src/base/errors/problem.ts';
import { systemClock } from '../../../src/base/system/clock.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** An origin whose state a test sets. */
class Origin implements Remote {
  version = 'v1';
  failure: OriginError | undefined;
  looks = 0;
  fetches = 0;

  async latest(known: string | undefined): Promise<FetchedVersion | undefined> {
    this.looks++;
    if (this.failure !== undefined) throw this.failure;
    if (known === this.version) return undefined;
    this.fetches++;
    const bytes = Buffer.from(this.version);
    const lock = { path: 'endpoints.lock', bytes: Buffer.from('') };
    return { version: this.version, files: [lock, { path: 'endpoints/one.sql', bytes }] };
  }
}

function opening(origin: Origin) {
  const logged: string[] = [];
  const bad = new Set<string>();
  const log = (text: string, fields = {}) => void logged.push([text, ...Object.values(fields)].join(' '));
  const check = async (added: string): Promise<Problem[]> => {
    const text = await readFile(join(added, 'endpoints/one.sql'), 'utf8');
    return bad.has(text) ? [{ file: 'endpoints/one.sql', line: 1, column: 2, text: `${text} is bad` }] : [];
  };
  const parts = { from: 'origin', remote: origin, folder, check, clock: systemClock };
  return {
    logged,
    bad,
    open: () => FetchedEndpoints.open({ ...parts, log: { info: log, warn: log, error: log } }),
  };
}

const served = () => readFile(join(folder, 'current/endpoints/one.sql'), 'utf8');

test('a version is used when it is swapped, not when it is found', async () => {
  const origin = new Origin();
  const { open, logged } = opening(origin);
  const fetched = await open();
  expect([await served(), fetched.state.version]).toEqual(['v1', 'v1']);
  origin.version = 'v2';
  expect(await fetched.look(false)).toBe(true);
  expect([await served(), fetched.state.version]).toEqual(['v1', 'v1']);
  const swap = await fetched.swap();
  expect([await served(), fetched.state.version]).toEqual(['v2', 'v1']);
  await swap?.confirm();
  expect(fetched.state).toMatchObject({ version: 'v2', failure: undefined });
  expect(await fetched.look(false)).toBe(false);
  expect(await fetched.swap()).toBeUndefined();
  expect(logged).toEqual(['Endpoints fetched origin v1', 'Endpoints fetched origin v2']);
});

test('a version that can not be loaded is taken back', async () => {
  const origin = new Origin();
  const { open } = opening(origin);
  const fetched = await open();
  origin.version = 'v2';
  await fetched.look(false);
  await (await fetched.swap())?.undo();
  expect(await served()).toBe('v1');
  expect(fetched.state).toMatchObject({
    version: 'v1',
    failure: { text: 'the version v2 could not be loaded' },
  });
  // It is tried again.
  expect(await fetched.look(false)).toBe(true);
  await (await fetched.swap())?.confirm();
  expect(fetched.state).toMatchObject({ version: 'v2', failure: undefined });
});

test('a version with errors is not used, told of once, and examined again only on request', async () => {
  const origin = new Origin();
  const { open, bad, logged } = opening(origin);
  const fetched = await open();
  bad.add('v2');
  origin.version = 'v2';
  for (let look = 0; look < 3; look++) expect(await fetched.look(false)).toBe(false);
  expect(origin.fetches).toBe(2);
  expect(logged.slice(1)).toEqual([
    'Endpoints could not be fetched origin v1 the version v2 has errors:\nendpoints/one.sql:1:2: v2 is bad',
  ]);
  expect(await served()).toBe('v1');
  expect(fetched.state.failure?.kind).toBe('unusable');
  bad.delete('v2');
  expect(await fetched.look(true)).toBe(true);
  await (await fetched.swap())?.confirm();
  expect(await served()).toBe('v2');
});

test('back at the served version, nothing is wrong any more', async () => {
  const origin = new Origin();
  const { open, bad } = opening(origin);
  const fetched = await open();
  bad.add('v2');
  origin.version = 'v2';
  await fetched.look(false);
  origin.version = 'v1';
  expect(await fetched.look(false)).toBe(false);
  expect(fetched.state).toMatchObject({ version: 'v1', failure: undefined });
});

test('a start without the origin serves what an earlier one has left, and says so', async () => {
  const origin = new Origin();
  await (await opening(origin).open()).close();
  origin.failure = new OriginError('unreachable', 'nobody is there');
  const { open, logged } = opening(origin);
  const fetched = await open();
  expect(await served()).toBe('v1');
  expect(fetched.state).toMatchObject({
    version: 'v1',
    confirmedAt: undefined,
    failure: { kind: 'unreachable' },
  });
  expect(logged).toEqual([
    'Endpoints could not be fetched origin v1 nobody is there',
    'Endpoints of an earlier start are served origin v1',
  ]);
  origin.failure = undefined;
  expect(await fetched.look(false)).toBe(false);
  expect(fetched.state.failure).toBeUndefined();
});

test('without any version, a start fails with the reason', async () => {
  const origin = new Origin();
  origin.failure = new OriginError('unreachable', 'nobody is there');
  await expect(opening(origin).open()).rejects.toThrow('ENDPOINTS_FROM: nobody is there');
  origin.failure = undefined;
  const { open, bad } = opening(origin);
  bad.add('v1');
  await expect(open()).rejects.toThrow('v1 is bad');
});

test('only the version in use and the one before it are kept, and what a killed process left goes', async () => {
  const origin = new Origin();
  const fetched = await opening(origin).open();
  await writeFile(join(folder, 'v2'), 'half of a version');
  for (const version of ['v2', 'v3', 'v4']) {
    origin.version = version;
    await fetched.look(false);
    await (await fetched.swap())?.confirm();
  }
  expect((await readdir(folder)).sort()).toEqual(['current', 'v3', 'v4']);
});

test('a closed one looks no more', async () => {
  const origin = new Origin();
  const fetched = await opening(origin).open();
  await fetched.close();
  expect(await fetched.look(false)).toBe(false);
  expect(origin.looks).toBe(1);
});
