import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import type { Output } from '../../src/base/terminal/output.ts';
import type { KeyOptions } from '../../src/calls/access/key/key-options.ts';
import { newKeyText } from '../../src/calls/access/key/key-text.ts';
import type { RotationOptions } from '../../src/calls/access/key/rotation.ts';
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from '../../src/cli/keys/keys.ts';
import { rotateKeyCommand } from '../../src/cli/keys/rotate.ts';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { keysFolder } from '../calls/access/support/keys.ts';
import { CapturedOutput } from './support/captured-output.ts';
import { keysComeAndGo } from './support/keys-come-and-go.ts';

/** The commands over a file of the test's own. */
function commands(settings: Readonly<Record<string, string>> = {}) {
  const file = join(keysFolder(), 'keys.json');
  const config = readConfig({ ...(settings.DATA_DIR === undefined && { KEYS_FILE: file }), ...settings });
  const run = async (command: (output: Output) => Promise<number>) => {
    const output = new CapturedOutput();
    const code = await command(output);
    return { code, stdout: output.stdout, stderr: output.stderr };
  };
  return {
    file,
    create: (options: KeyOptions) => run((output) => createKeyCommand(config, output, options)),
    rotate: (named: string, options: RotationOptions = {}) =>
      run((output) => rotateKeyCommand(config, output, named, options)),
    revoke: (named: string) => run((output) => revokeKeyCommand(config, output, named)),
    list: (options: { json?: boolean } = {}) => run((output) => listKeysCommand(config, output, options)),
  };
}

describe('keys rotate', () => {
  test('prints the new key alone, says until when the other one is valid, and list shows both', async () => {
    const { create, rotate, list } = commands();
    const first = await create({ name: 'shop', scopes: ['write'], sources: ['shop_logs'], expires: '7d' });
    const { code, stdout, stderr } = await rotate('shop');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^egw_\w{38}\n$/);
    expect(stdout).not.toBe(first.stdout);
    expect(stderr).toContain('writes to shop_logs only');
    expect(stderr).toMatch(/Keys before it are valid until \d{4}-/);
    const line = (await list()).stdout.split('\n')[1];
    expect(line).toMatch(/never +active, expires soon; a key before, until \S+, used never$/);
  });

  test('refuses what it does not understand, and keys that there are not', async () => {
    const { create, rotate } = commands();
    await create({ name: 'shop' });
    expect(await rotate('shop', { overlap: '2030-01-01', expires: '0d' })).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringMatching(/^--overlap: .*\n--expires: /),
    });
    expect(await rotate('nobody')).toMatchObject({ code: 1, stdout: '' });
    expect(await rotate('shop', { overlap: '0' })).toMatchObject({
      stderr: expect.stringContaining('All keys before it have ended.'),
    });
  });
});

describe('keys create', () => {
  test('refuses what it does not understand, all at once, and makes nothing', async () => {
    const { create, file } = commands();
    const { code, stdout, stderr } = await create({
      name: '',
      projects: ['.*'],
      endpoints: ['a,,b'],
      scopes: ['all'],
      pin: ['x'],
      expires: '0d',
      rate: '1',
      bytesPerDay: 'much',
      allow: ['calls=10/week'],
      whenSpent: 'later',
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const named = stderr.split('\n').map((line) => line.split(':')[0] ?? '');
    expect(named.filter((option) => option !== '').sort()).toEqual([
      ...[
        '--allow',
        '--bytes-per-day',
        '--endpoints',
        '--expires',
        '--name',
        '--pin',
        '--projects',
        '--rate',
        '--scopes',
        '--when-spent',
      ],
    ]);
    expect(existsSync(file)).toBe(false);
  });

  test.each<[string, Partial<KeyOptions>]>([
    ['an empty list of projects', { projects: [''] }],
    ['an empty list of endpoints', { endpoints: [''] }],
    ['an empty list of scopes', { scopes: [''] }],
    ['an expiry that is over', { expires: '2020-01-01' }],
    ['sources without the scope write', { sources: ['app'], scopes: ['query'] }],
    ['two values for one parameter', { pin: ['a=1', 'a=2'] }],
    ['two allowances of one kind and period', { allow: ['calls=1/day', 'calls=2/day'] }],
    ['bytes by day beside those of the other option', { allow: ['bytes=1/day'], bytesPerDay: '2' }],
    ['slow calls of a key without allowances', { whenSpent: 'slow' }],
    ['an allowance that no header can tell', { allow: ['bytes=1000TB/month'] }],
    ['a part of a call', { allow: ['calls=1.5/day'] }],
    ['a pinned project beside others', { pin: ['project=a'], projects: ['a'] }],
    ['a name that looks like an id', { name: 'key_12345678' }],
    ['a name with a line break', { name: 'a\nb' }],
    ['a name that is a key', { name: newKeyText() }],
  ])('refuses %s', async (_, options) => {
    const { create, file } = commands();
    expect(await create({ name: 'who', ...options })).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(file)).toBe(false);
  });

  test('refuses the name of the key that always is', async () => {
    const { create, file } = commands();
    expect(await create({ name: 'API_KEY' })).toMatchObject({ code: 1, stdout: '' });
    expect(existsSync(file)).toBe(false);
  });

  test('warns users of Redis with a key file in the data folder that other replicas do not know the key', async () => {
    const note = /^Note: this affects only gateways that read .*keys\.json/m;
    const redis = { REDIS_URL: 'redis://127.0.0.1:1' };
    const alone = commands({ ...redis, DATA_DIR: keysFolder() });
    expect((await alone.create({ name: 'who' })).stderr).toMatch(note);
    expect((await alone.revoke('who')).stderr).toMatch(note);
    for (const settings of [{}, redis]) {
      const { create, revoke } = commands(settings);
      expect((await create({ name: 'who' })).stderr).not.toMatch(note);
      expect((await revoke('who')).stderr).toBe('');
    }
  });

  test('has one active key of a name', async () => {
    const { create, revoke } = commands();
    expect((await create({ name: 'carol' })).code).toBe(0);
    const again = await create({ name: 'carol' });
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toMatch(/^An active key named "carol" already exists \(key_\w+\)\. Revoke it first/);
    expect((await revoke('carol')).stdout).toMatch(/^The key "carol" \(key_\w+\) is revoked\n$/);
    expect((await revoke('carol')).stdout).toMatch(/was already revoked at \S+\n$/);
    expect((await create({ name: 'carol' })).code).toBe(0);
    expect((await revoke('carol')).stdout).toMatch(/is revoked\n$/);
    await create({ name: 'Ren\u00e9' });
    expect((await revoke('Rene\u0301')).stdout).toMatch(/is revoked\n$/);
    expect(await revoke('nobody')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Unknown key "nobody". Run npx endpoint-gateway keys list to see all keys.\n',
    });
  });

  test('says which endpoints are not there', async () => {
    const { create } = commands();
    const id = '6A7D6F0C-5A3E-4D4F-9D2B-0F6F3A1C8E21';
    const made = await create({ name: 'who', endpoints: [`logs.all,usage.api-count,${id}`] });
    expect(made.code).toBe(0);
    expect(made.stderr.match(/no endpoint "[^"]*"/g)).toEqual(['no endpoint "usage.api-count"']);
    const pinned = await create({ name: 'pinned', pin: ['interval=hourly', 'intervall=hourly'] });
    expect(pinned.stderr.match(/has the parameter "[^"]*"/g)).toEqual(['has the parameter "intervall"']);
  });

  test('says that rows can not be restricted to projects', async () => {
    const { create } = commands();
    const made = await create({ name: 'who', scopes: ['write'], projects: ['a'] });
    expect(made.code).toBe(0);
    expect(made.stderr).toContain('cannot add rows');
  });
});

describe('keys list', () => {
  test('shows keys without anything that lets anybody in', async () => {
    const { create, list } = commands();
    const { stdout: key } = await create({ name: 'dave', endpoints: ['logs.all'] });
    const { stdout: table } = await list();
    expect(table).toMatch(/^ID +NAME +SCOPES +ENDPOINTS +PROJECTS +LIMITS +EXPIRES +USED +STATE\n/);
    expect(table).toMatch(/^key_\w{8} +dave +query +logs\.all +any +- +never +never +active$/m);
    const { stdout: json } = await list({ json: true });
    expect(JSON.parse(json)).toEqual([
      {
        id: expect.stringMatching(/^key_\w{8}$/),
        name: 'dave',
        created: expect.stringMatching(/Z$/),
        scopes: ['query'],
        endpoints: ['logs.all'],
        state: 'active',
      },
    ]);
    for (const text of [table, json]) {
      expect(text).not.toContain(key.trim());
      expect(text).not.toContain('digest');
    }
  });
});

describe('the commands', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await Workspace.withShippedSchema();
  });
  afterAll(() => workspace?.remove());

  test('show a key alone on standard output, and what it is for beside it', async () => {
    const options =
      '--name alice --projects a,b --pin interval=daily --rate 10/s --bytes-per-day 1GB --expires 90d --redact --allow calls=10/day,rows=9/hour --allow engine-seconds=1/month --when-spent slow';
    const { code, stdout, stderr } = await workspace.run(['keys', 'create', ...options.split(' ')]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^egw_[0-9A-Za-z]{38}\n$/) });
    expect(stderr).toMatch(
      /^The key "alice" \(key_\w{8}\): for query; any endpoint; the projects a, b; interval="daily"; redacted; 10\/s; 1,000,000,000 bytes a day; calls=10\/day; rows=9\/hour; engine-seconds=1\/month; slow when spent; until \d{4}-\S+Z\. It is not shown again\.\n$/,
    );
    expect(readFileSync(workspace.path('data', 'keys.json'), 'utf8')).not.toContain(stdout.trim().slice(4));
  });

  test('leave a broken file alone, and say where it is broken; so does a gateway', async () => {
    await workspace.run(['keys', 'create', '--name', 'one']);
    const file = workspace.path('data', 'keys.json');
    const good = readFileSync(file, 'utf8');
    const broken = good.replace('"scopes"', '"scope"');
    writeFileSync(file, broken);
    for (const args of [['keys', 'create', '--name', 'two'], ['serve']]) {
      const { code, stderr } = await workspace.run(args);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`${file}:4:5: keys.0`) });
    }
    expect(readFileSync(file, 'utf8')).toBe(broken);
    writeFileSync(file, good);
  });

  test('keys in Redis need one', async () => {
    const { code, stderr } = await workspace.run(['keys', 'list'], { KEYS_STORE: 'redis' });
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'REDIS_URL: required with KEYS_STORE=redis\n' });
  });

  test('a mistyped setting is reported: it could select another store’s keys', async () => {
    const { code, stderr } = await workspace.run(['keys', 'list'], { KEYS_STOR: 'redis' });
    expect(code).toBe(0);
    expect(stderr).toBe('warning: Unknown setting KEYS_STOR, ignored. Did you mean KEYS_STORE?\n');
  });

  test('keep the keys that others make at the same time', async () => {
    const names = ['k1', 'k2', 'k3'];
    await Promise.all(names.map((name) => workspace.run(['keys', 'create', '--name', name])));
    const { stdout } = await workspace.run(['keys', 'list']);
    for (const name of names) expect(stdout).toMatch(new RegExp(`^key_\\w+ +${name} `, 'm'));
  });
});

describe('while a gateway runs', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await Workspace.withShippedSchema();
  });
  afterAll(() => workspace?.remove());

  test('keys in a file come and go at once, without a restart', async () => {
    const gateway = await Gateway.serve(workspace, { LOG_FORMAT: 'text' });
    await keysComeAndGo(workspace, [gateway], {});
  });
});
