import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { checkEndpoints } from '../../src/app/schema/load-schema.ts';
import { formatProblem } from '../../src/base/errors/problem.ts';
import { shownFile } from '../../src/base/system/shown-file.ts';
import { LocalPlanner } from '../../src/calls/planner/local-planner.ts';
import { checkLock, type LockOptions, lockChangeText } from '../../src/cli/check/lock.ts';
import { loadSources } from '../../src/definitions/sources/load-sources.ts';
import { Analyzer } from '../../src/sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../src/sql/analyzer/settings.ts';
import { Workspace } from '../acceptance/support/workspace.ts';
import { inProcess } from './support/in-process.ts';

let workspace: Workspace;
let analyzer: Analyzer;

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const orders = (sql: string, settings = '') => `/*\nid: ${id(1)}\nname: orders\n${settings}*/\n${sql}\n`;
const other = `/*\nid: ${id(2)}\nname: other\n*/\nSELECT 1 AS n\n`;
const before = orders('SELECT id, timestamp FROM logs.good');

beforeAll(async () => {
  workspace = await Workspace.create();
  analyzer = await Analyzer.start(analyzerSettings(readConfig(workspace.environment)));
  const columns = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
  ];
  await workspace.write('sources/good.json', JSON.stringify(columns));
});
afterAll(async () => {
  await analyzer?.close();
  await workspace?.remove();
});
beforeEach(async () => {
  await rm(workspace.path('endpoints'), { recursive: true });
  await rm(workspace.path('endpoints.lock'), { force: true });
  await mkdir(workspace.path('endpoints', 'orders'), { recursive: true });
  await write('orders.sql', before);
  await write('other.sql', other);
});

const write = (file: string, text: string) => workspace.write(`endpoints/${file}`, text);
const readLock = () => readFile(workspace.path('endpoints.lock'), 'utf8');
const shown = (text: string) => text.replaceAll(`${shownFile(workspace.path('.'))}/`, '');

/** What `check` does with the lock file, by the words of its options. */
async function check(options: LockOptions = {}) {
  const config = readConfig(workspace.environment);
  const planner = new LocalPlanner(analyzer);
  const load = async () => {
    const { sources } = await loadSources(config.sourcesDir);
    return checkEndpoints(config, planner, sources, async () => {});
  };
  const report = await checkLock(config, load, options);
  return (
    report && {
      outcome: report.outcome,
      changes: report.changes.map(lockChangeText),
      problems: report.problems.map((problem) => shown(formatProblem(problem))),
    }
  );
}

async function locked(): Promise<string> {
  expect(await check({ writeLock: true })).toMatchObject({ outcome: 'written' });
  return readLock();
}

/** Every way to check. */
const ways: readonly LockOptions[] = [{}, { locked: true }, { writeLock: true }, { acceptBreaking: true }];

test('without a lock file, nothing is required and nothing is written', async () => {
  expect(await check()).toBeUndefined();
  await expect(readLock()).rejects.toThrow('ENOENT');
  expect(await check({ locked: true })).toMatchObject({
    outcome: 'blocked',
    problems: ['endpoints.lock:1:1: There is no such file: `endpoint-gateway check --write-lock` makes it'],
  });
});

test('a check makes the file, and keeps it as it is while nothing changes', async () => {
  expect(await check({ writeLock: true })).toEqual({
    outcome: 'written',
    changes: ['added orders, version 1', 'added other, version 1'],
    problems: [],
  });
  const text = await readLock();
  const lines = text.split('\n').slice(1, 3);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      name: 'orders',
      version: 1,
      columns: [
        ['id', 'STRING'],
        ['timestamp', 'TIMESTAMP'],
      ],
    },
    { name: 'other', version: 1, columns: [['n', 'INT64']] },
  ]);
  await write('orders.sql', orders('-- A comment.\nselect g.id,\n  g.timestamp\nfrom logs.good as g'));
  expect(await check({ locked: true })).toEqual({ outcome: 'current', changes: [], problems: [] });
  expect(await readLock()).toBe(text);
});

describe('a change that breaks nobody', () => {
  test('in the body of a function is one of its version', async () => {
    const twice = (body: string) =>
      orders(
        `CREATE TEMP FUNCTION twice(x INT64) RETURNS FLOAT64 LANGUAGE js AS "return ${body}";\nSELECT twice(1) AS n`,
      );
    await write('orders.sql', twice('x * 2'));
    await locked();
    await write('orders.sql', twice('x + x'));
    expect(await check()).toMatchObject({ outcome: 'written', changes: ['changed orders, version 1'] });
  });

  test('is written, and not with --locked', async () => {
    const text = await locked();
    await write('orders.sql', orders("SELECT id, timestamp, 1 AS n FROM logs.good WHERE id > 'a'"));
    expect(await check({ locked: true })).toEqual({
      outcome: 'outdated',
      changes: ['changed orders, version 1'],
      problems: ['endpoints.lock:1:1: It is not up to date: run `endpoint-gateway check`, and commit it'],
    });
    expect(await readLock()).toBe(text);
    expect(await check()).toMatchObject({ outcome: 'written', changes: ['changed orders, version 1'] });
    expect(await check({ locked: true })).toMatchObject({ outcome: 'current' });
  });

  test('a merge that left lines in another order is sorted', async () => {
    const text = await locked();
    const [heading = '', ...lines] = text.trimEnd().split('\n');
    await workspace.write('endpoints.lock', `${[heading, ...lines.toReversed()].join('\n')}\n`);
    expect(await check({ locked: true })).toMatchObject({ outcome: 'outdated', changes: [] });
    expect(await check()).toMatchObject({ outcome: 'written', changes: [] });
    expect(await readLock()).toBe(text);
  });
});

describe('a change that breaks clients', () => {
  test('is an error at the place of the version, until the number is higher or it is accepted', async () => {
    const text = await locked();
    await write('orders.sql', orders('SELECT timestamp FROM logs.good', 'version: 1\n'));
    for (const options of ways.slice(0, 3)) {
      expect(await check(options)).toMatchObject({
        outcome: 'blocked',
        problems: ['endpoints/orders.sql:4:1: Breaking change of version 1: the column id STRING is gone'],
      });
      expect(await readLock()).toBe(text);
    }
    await write('orders.sql', orders('SELECT timestamp FROM logs.good', 'version: 2\n'));
    expect(await check()).toMatchObject({
      outcome: 'written',
      changes: ['added orders, version 2', 'removed orders, version 1'],
    });
    await write('orders.sql', orders('SELECT id FROM logs.good', 'version: 2\n'));
    expect(await check({ acceptBreaking: true })).toMatchObject({ outcome: 'written' });
    expect(await check({ locked: true })).toMatchObject({ outcome: 'current' });
  });

  test('an older version that is kept must be what it was', async () => {
    await locked();
    await write('orders.sql', orders('SELECT timestamp FROM logs.good', 'version: 2\nkeep: 1\n'));
    const old = (sql: string) => write('orders/v1.sql', orders(sql, 'deprecated: 2026-12-01\n'));
    await old('SELECT timestamp FROM logs.good');
    expect((await check())?.problems).toEqual([
      'endpoints/orders/v1.sql:2:1: Breaking change of version 1: the column id STRING is gone',
    ]);
    await old('SELECT timestamp, id FROM logs.good');
    expect(await check()).toMatchObject({
      outcome: 'written',
      changes: ['added orders, version 2', 'changed orders, version 1'],
    });
  });

  test('an endpoint that is gone, and a lower number, are such changes', async () => {
    await write('orders.sql', orders('SELECT id FROM logs.good', 'version: 3\n'));
    await locked();
    await rm(workspace.path('endpoints/other.sql'));
    await write('orders.sql', before);
    expect(await check()).toEqual({
      outcome: 'blocked',
      changes: ['added orders, version 1', 'removed orders, version 3', 'removed other, version 1'],
      problems: [
        'endpoints/orders.sql:2:1: Breaking change: this is version 1, and was 3',
        'endpoints.lock:3:1: Breaking change: there is no endpoint "other" any more',
      ],
    });
    expect(await check({ acceptBreaking: true })).toMatchObject({ outcome: 'written' });
  });
});

describe('a lock file that can’t be used', () => {
  test.each([
    ['<<<<<<< HEAD\n', 'endpoints.lock:1:1: A merge left a conflict here'],
    ['{"name":\n', 'endpoints.lock:1:9: This line is not JSON'],
    [Buffer.of(0xff), 'endpoints.lock:1:1: It is not valid UTF-8'],
  ])('is an error, and stays as it is (%#)', async (content, error) => {
    await workspace.write('endpoints.lock', content);
    for (const options of ways) {
      expect(await check(options)).toMatchObject({
        outcome: 'blocked',
        problems: [expect.stringContaining(error)],
      });
    }
    expect(await readFile(workspace.path('endpoints.lock'))).toEqual(Buffer.from(content));
  });

  test('a link to a file elsewhere is not written to', async () => {
    await workspace.write('elsewhere', '');
    await symlink(workspace.path('elsewhere'), workspace.path('endpoints.lock'));
    expect((await check())?.problems).toEqual([
      "endpoints.lock:1:1: It can't be written (it is a symbolic link)",
    ]);
    expect(await readFile(workspace.path('elsewhere'), 'utf8')).toBe('');
  });
});

describe('the command', () => {
  const run = async (...options: string[]) => {
    const { code, stdout, stderr } = await inProcess(['check', ...options], workspace.environment);
    return { code, last: shown(stdout).trimEnd().split('\n').at(-1), err: shown(stderr) };
  };

  test('prints what it wrote, or would have written', async () => {
    const bounded = "SELECT id, timestamp FROM logs.good WHERE timestamp > '2026-01-01'";
    await write('orders.sql', orders(bounded));
    expect(await run('--write-lock')).toEqual({
      code: 0,
      last: 'endpoints.lock: wrote added orders, version 1; added other, version 1',
      err: '',
    });
    await write('orders.sql', orders(`${bounded} LIMIT 1`));
    expect(await run('--quiet', '--locked')).toEqual({
      code: 1,
      last: '',
      err: 'endpoints.lock:1:1: It is not up to date: run `endpoint-gateway check`, and commit it\n1 error\nendpoints.lock: not written: changed orders, version 1\n',
    });
    expect(await run('--locked', '--write-lock')).toMatchObject({ code: 2 });
  });

  test('finds the lock file of the shipped endpoints up to date', async () => {
    expect(await inProcess(['check', '--quiet', '--locked'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('does not compare endpoints that have errors', async () => {
    const text = await locked();
    await write('orders.sql', orders('SELECT nothing FROM logs.good'));
    expect((await run()).err).toMatch(/^endpoints\/orders\.sql:5:8: .*nothing.*\n1 error\n$/);
    expect(await readLock()).toBe(text);
  });
});
