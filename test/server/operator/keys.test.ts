import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeyPlace } from '../../../src/app/gateway/key-place.ts';
import { putKey, readKeys, readUses } from '../../../src/app/gateway/stored-keys.ts';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import type { Caller } from '../../../src/calls/access/caller/caller.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import { keysFolder } from '../../calls/access/support/keys.ts';
import { describeWithRedis, TestRedis } from '../../support/redis.ts';
import { type Call, type RunningGateway, runGateway } from '../listener/running-gateway.ts';

const fixed = [{ name: 'API_KEY', scopes: everyScope }];
/** How it is listed. */
const listedFixed = [{ name: 'API_KEY', scopes: ['query', 'write', 'admin', 'tables'] }];

/** A gateway whose keys are in a file. */
function gatewayWithKeys(caller: Partial<Caller> = {}, file = join(keysFolder(), 'keys.json')) {
  const place = { dataDir: '', redisUrl: undefined, cacheNamespace: 'x' };
  return gatewayOver({ ...place, keysStore: 'file', keysFile: file }, caller);
}

/** The holder of `key` has all rights but for those given. */
async function gatewayOver(place: KeyPlace, caller: Partial<Caller> = {}) {
  const holder = { name: 'owner', secret: 'key', redact: false, scopes: everyScope, ...caller };
  const gateway = await runGateway({
    access: keyAccess([holder]),
    keys: {
      fixed,
      read: () => readKeys(place),
      put: (change) => putKey(place, change),
      uses: () => readUses(place),
    },
  });
  return { gateway };
}

async function json(gateway: RunningGateway, target: string, call: Call = {}) {
  const { status, headers, body } = await gateway.call(target, call);
  return { status, headers, body: body === '' ? undefined : JSON.parse(body) };
}

const make = (gateway: RunningGateway, wish: unknown) =>
  json(gateway, '/api/keys', { method: 'POST', body: JSON.stringify(wish) });

test('a key is made, shown once, listed and revoked', async () => {
  const { gateway } = await gatewayWithKeys();
  expect((await json(gateway, '/api/keys')).body).toEqual({ keys: [], fixed: listedFixed });
  const wish = {
    ...{ name: 'acme', scopes: ['query', 'write'], endpoints: ['logs.all'], projects: ['a', 'b'] },
    ...{ pins: { level: 'error=1' }, expires: '90d', redact: true, rate: '10/s', bytesPerDay: '1GB' },
    maxScanBytes: '5MB',
    class: 'background',
    ...{ allow: ['calls=10/day', 'bytes=1TB/month'], whenSpent: 'slow' },
  };
  const made = await make(gateway, wish);
  expect(made.status).toBe(201);
  expect(made.headers['cache-control']).toBe('no-store');
  const { key, ...shown } = made.body;
  expect(key).toMatch(/^egw_/);
  expect(shown).toMatchObject({
    ...{ name: 'acme', scopes: ['query', 'write'], endpoints: ['logs.all'], projects: ['a', 'b'] },
    ...{ pins: [{ parameter: 'level', value: 'error=1' }], redact: true, rate: '10/s' },
    ...{ bytesPerDay: 1_000_000_000, maxScanBytes: 5_000_000, class: 'background', state: 'active' },
    ...{ allow: ['calls=10/day', 'bytes=1TB/month'], whenSpent: 'slow' },
  });
  const listed = await json(gateway, '/api/keys');
  expect(listed.body).toEqual({ keys: [shown], fixed: listedFixed });
  expect(JSON.stringify(listed.body)).not.toMatch(/digest|egw_/);

  const revoked = await json(gateway, `/api/keys/${shown.id}`, { method: 'DELETE' });
  expect(revoked).toMatchObject({ status: 200, body: { id: shown.id, state: 'revoked' } });
  expect((await json(gateway, '/api/keys')).body.keys).toMatchObject([{ state: 'revoked' }]);
  expect(JSON.stringify([gateway.log.lines, gateway.log.fields])).not.toContain(key);
  expect(gateway.log.lines).toEqual(['info: a key was created', 'info: a key was revoked']);
});

test.each([
  ['nothing', undefined, 'The body is not valid JSON in UTF-8.'],
  ['a list', [], 'body: '],
  ['no name', {}, 'name: '],
  ['an empty name', { name: '' }, 'name: expected 1 to 64'],
  ['a property that there is not', { name: 'a', role: 'admin' }, 'role'],
  ['an unknown scope', { name: 'a', scopes: ['all'] }, 'scopes: expected one or more of'],
  ['no scope', { name: 'a', scopes: [] }, 'scopes: '],
  ['a project with a blank', { name: 'a', projects: ['a b'] }, 'projects: expected project references'],
  ['an empty list', { name: 'a', endpoints: [] }, 'endpoints: '],
  ['a time in the past', { name: 'a', expires: '2020-01-01' }, 'expires: expected a time in the future'],
  ['a rate without a unit', { name: 'a', rate: '10' }, 'rate: expected'],
  ['a size without a unit', { name: 'a', bytesPerDay: 'much' }, 'bytesPerDay: expected'],
  ['a limit of nothing', { name: 'a', maxScanBytes: 0 }, 'maxScanBytes: expected'],
  ['sources without write', { name: 'a', sources: ['app'] }, 'sources: restricts where a key writes'],
  ['no sources', { name: 'a', scopes: ['write'], sources: [] }, 'sources: '],
  ['sources with tables', { name: 'a', scopes: ['write', 'tables'], sources: ['a'] }, 'scopes: tables'],
  ['an unknown class', { name: 'a', class: 'batch' }, 'class: expected interactive, default, background'],
  ['an allowance by week', { name: 'a', allow: ['calls=1/week'] }, 'allow: expected what may be used'],
  ['no allowance', { name: 'a', allow: [] }, 'allow: '],
  ['an unknown end', { name: 'a', allow: ['calls=1/day'], whenSpent: 'stop' }, 'whenSpent: expected'],
  ['no pin', { name: 'a', pins: {} }, 'pins: '],
  ['a pin that is no text', { name: 'a', pins: { level: 1 } }, 'pins.0.1: '],
  ['a list of pins', { name: 'a', pins: ['level=error'] }, 'pins: expected an object'],
  ['a pin that is no name', { name: 'a', pins: { 'a b': '1' } }, 'pins: expected'],
  ['a reserved name', { name: 'API_KEY' }, 'The name "API_KEY" is reserved'],
])('%s is refused, and the error names what is wrong', async (_what, wish, message) => {
  const { gateway } = await gatewayWithKeys();
  const { status, body } = await make(gateway, wish);
  expect({ status, ...body }).toMatchObject({ status: 400, code: 'BAD_USER_INPUT' });
  expect(body.error).toContain(message);
  expect((await json(gateway, '/api/keys')).body).toEqual({ keys: [], fixed: listedFixed });
});

test('a key is rotated, and its new text shown once', async () => {
  const { gateway } = await gatewayWithKeys();
  const { key, ...made } = (await make(gateway, { name: 'acme', endpoints: ['logs.all'] })).body;
  const rotate = (named: string, body?: object) =>
    json(gateway, `/api/keys/${named}/rotate`, {
      method: 'POST',
      ...(body && { body: JSON.stringify(body) }),
    });
  const rotated = await rotate('acme');
  expect(rotated).toMatchObject({
    status: 200,
    body: { id: made.id, name: 'acme', endpoints: ['logs.all'] },
  });
  expect(rotated.body.key).not.toBe(key);
  expect(rotated.body.former).toHaveLength(1);
  const last = await rotate(made.id, { overlap: '0', expires: '7d' });
  expect(last.body).toMatchObject({ expiresSoon: true, expires: expect.any(String) });
  expect(last.body.former).toBeUndefined();
  const listed = JSON.stringify((await json(gateway, '/api/keys')).body);
  expect(listed).not.toMatch(/digest|egw_/);
  expect(gateway.log.lines.at(-1)).toBe('info: a key was rotated');
  expect(await rotate('acme', { overlap: 'tomorrow' })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('overlap: expected 0 or a duration') },
  });
  expect((await rotate('nobody')).status).toBe(404);
  expect((await rotate('API_KEY')).body.error).toContain('in the settings');
});

test('a key with a scope that the caller lacks is not rotated for it', async () => {
  const file = join(keysFolder(), 'keys.json');
  const { gateway } = await gatewayWithKeys({}, file);
  await make(gateway, { name: 'writer', scopes: ['write'] });
  const { gateway: other } = await gatewayWithKeys({ scopes: new Set(['admin']) }, file);
  const refused = await json(other, '/api/keys/writer/rotate', { method: 'POST' });
  expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});

test('a key that is restricted to sources manages none', async () => {
  const { gateway } = await gatewayWithKeys({ sources: new Set(['app']) });
  expect((await make(gateway, { name: 'a' })).status).toBe(403);
});

test('a pin is kept whatever the name of its parameter', async () => {
  const { gateway } = await gatewayWithKeys();
  const wish = '{"name": "a", "pins": {"__proto__": "1", "level": "2"}}';
  const made = await json(gateway, '/api/keys', { method: 'POST', body: wish });
  const pins = [
    { parameter: '__proto__', value: '1' },
    { parameter: 'level', value: '2' },
  ];
  expect(made).toMatchObject({ status: 201, body: { pins } });
  expect((await json(gateway, '/api/keys')).body.keys).toMatchObject([{ pins }]);
});

test('a key that was revoked while its request was read makes and revokes none', async () => {
  const file = join(keysFolder(), 'keys.json');
  const { gateway } = await gatewayWithKeys({}, file);
  const { body: lost } = await make(gateway, { name: 'lost', scopes: ['admin', 'query'] });
  const { body: kept } = await make(gateway, { name: 'kept', scopes: ['admin', 'query'] });
  await json(gateway, `/api/keys/${lost.id}`, { method: 'DELETE' });
  // Both were admitted before that.
  const { gateway: admitted } = await gatewayWithKeys({ id: lost.id }, file);
  expect(await make(admitted, { name: 'heir' })).toMatchObject({ status: 401 });
  expect(await json(admitted, `/api/keys/${kept.id}`, { method: 'DELETE' })).toMatchObject({ status: 401 });
  expect((await json(gateway, '/api/keys')).body.keys).toMatchObject([
    { name: 'lost', state: 'revoked' },
    { name: 'kept', state: 'active' },
  ]);
});

test('a name is taken while its key is valid', async () => {
  const { gateway } = await gatewayWithKeys();
  await make(gateway, { name: 'acme' });
  expect(await make(gateway, { name: 'acme' })).toMatchObject({ status: 400 });
  await json(gateway, '/api/keys/acme', { method: 'DELETE' });
  expect(await make(gateway, { name: 'acme' })).toMatchObject({ status: 201 });
  expect(await json(gateway, '/api/keys/nobody', { method: 'DELETE' })).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND', error: 'Unknown key "nobody".' },
  });
});

test.each<[string, Partial<Caller>]>([
  ['without the scope admin', { scopes: new Set(['query', 'write']) }],
  ['for some projects', { projects: new Set(['a']) }],
  ['for some endpoints', { endpoints: new Set(['logs.all']) }],
])('a key %s may not look at keys', async (_what, caller) => {
  const { gateway } = await gatewayWithKeys(caller);
  expect(await json(gateway, '/api/keys')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  expect(await make(gateway, { name: 'a' })).toMatchObject({ status: 403 });
});

test.each<[string, Partial<Caller>, string]>([
  ['is redacted', { redact: true }, 'is redacted'],
  ['expires', { expires: Date.now() + 1e9 }, 'expires'],
  ['is a token', { isToken: true }, 'is a token'],
  ['has a rate limit', { rate: { requests: 1000, seconds: 1 } }, 'has a rate limit'],
  ['has a budget', { allowances: [{ of: 'calls', amount: 9, per: 'day' }] }, 'has an allowance'],
  ['has a scan limit', { maxScanBytes: 1e9 }, 'has a limit of bytes that a query may read'],
  ['has a class', { class: 'background' }, 'has a class'],
])('a key that %s may look at keys, and neither make nor revoke one', async (_what, caller, message) => {
  const { gateway } = await gatewayWithKeys(caller);
  expect((await json(gateway, '/api/keys')).status).toBe(200);
  const made = await make(gateway, { name: 'a' });
  expect(made).toMatchObject({ status: 403 });
  expect(made.body.error).toContain(message);
  expect(await json(gateway, '/api/keys/a', { method: 'DELETE' })).toMatchObject({ status: 403 });
});

test('a key makes no key with scopes that it has not, and does not revoke itself', async () => {
  const file = join(keysFolder(), 'keys.json');
  const { gateway } = await gatewayWithKeys({ scopes: new Set(['admin']) }, file);
  expect(await make(gateway, { name: 'a', scopes: ['query'] })).toMatchObject({ status: 403 });
  const { body } = await make(gateway, { name: 'a', scopes: ['admin'] });
  const { gateway: another } = await gatewayWithKeys({ id: body.id }, file);
  const itself = await json(another, `/api/keys/${body.id}`, { method: 'DELETE' });
  expect(itself).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining("can't revoke itself") },
  });
});

test('the key in the settings can not be revoked, and the error says how to change it', async () => {
  const { gateway } = await gatewayWithKeys();
  const { status, body } = await json(gateway, '/api/keys/API_KEY', { method: 'DELETE' });
  expect({ status, ...body }).toMatchObject({ status: 400, code: 'BAD_USER_INPUT' });
  expect(body.error).toContain('is in the settings');
});

test('without a file there are no keys, and where none can be written, none is made', async () => {
  const folder = keysFolder();
  // Not even root can make a folder of this name.
  await symlink(join(folder, 'nowhere', 'deep'), join(folder, 'link'));
  const { gateway } = await gatewayWithKeys({}, join(folder, 'link', 'keys.json'));
  expect(await json(gateway, '/api/keys')).toMatchObject({ status: 200, body: { keys: [] } });
  const made = await make(gateway, { name: 'a' });
  expect(made).toMatchObject({ status: 503, body: { code: 'BACKEND_UNAVAILABLE' } });
  expect(JSON.stringify(made.body)).not.toMatch(/egw_|link/);
  expect(JSON.stringify([gateway.log.lines, gateway.log.fields])).not.toMatch(/egw_/);
});

test('a key that is sent by mistake in a wish or a path is not in the log or the error', async () => {
  const { gateway } = await gatewayWithKeys();
  const { body } = await make(gateway, { name: 'acme' });
  const key: string = body.key;
  const replies = [
    await make(gateway, { name: key }),
    await make(gateway, { name: 'b', endpoints: [key] }),
    await make(gateway, { name: 'b', expires: key }),
    await make(gateway, { name: 'b', pins: { [key]: '1' } }),
    await json(gateway, `/api/keys/${key}`, { method: 'DELETE' }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404]);
  expect(JSON.stringify([replies, gateway.log.lines, gateway.log.fields])).not.toContain(key);
});

describeWithRedis('with keys in Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.remove());
  const place = (url: string): KeyPlace => ({
    ...{ keysStore: 'redis', keysFile: undefined, dataDir: '', redisUrl: url, cacheNamespace: 'operations' },
  });

  test('a key that one gateway makes is listed and revoked by another', async () => {
    const { gateway } = await gatewayOver(place(redis.url));
    const { gateway: other } = await gatewayOver(place(redis.url));
    const { key, ...shown } = (await make(gateway, { name: 'acme' })).body;
    expect((await json(other, '/api/keys')).body.keys).toEqual([shown]);
    expect((await json(other, '/api/keys/acme', { method: 'DELETE' })).status).toBe(200);
    expect((await json(gateway, '/api/keys')).body.keys).toMatchObject([{ id: shown.id, state: 'revoked' }]);
    expect(JSON.stringify([gateway.log.fields, other.log.fields])).not.toContain(key);
  });

  test('without Redis, keys are not available, and none is made', async () => {
    const absent = await TestRedis.absent();
    const { gateway } = await gatewayOver(place(absent.url));
    expect(await json(gateway, '/api/keys')).toMatchObject({ status: 503 });
    const made = await make(gateway, { name: 'a' });
    expect(made).toMatchObject({ status: 503, body: { code: 'BACKEND_UNAVAILABLE' } });
    expect(made.body.error).not.toContain('127.0.0.1');
  });
});

test('a store that can not be read is an outage, whose details only the log has', async () => {
  const file = join(keysFolder(), 'keys.json');
  await writeFile(file, 'no keys');
  await chmod(file, 0o600);
  const { gateway } = await gatewayWithKeys({}, file);
  const listed = await json(gateway, '/api/keys');
  expect(listed).toMatchObject({ status: 503, body: { code: 'BACKEND_UNAVAILABLE' } });
  expect(listed.body.error).not.toContain(file);
  expect(await make(gateway, { name: 'a' })).toMatchObject({ status: 503 });
});

test('other methods are refused with those that there are', async () => {
  const { gateway } = await gatewayWithKeys();
  const put = await json(gateway, '/api/keys', { method: 'PUT' });
  expect(put).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST, OPTIONS' } });
  expect(await json(gateway, '/api/keys/a')).toMatchObject({ status: 405 });
  expect((await gateway.call('/api/keys', { anonymous: true })).status).toBe(401);
});
