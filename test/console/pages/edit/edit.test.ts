import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { QueryLiterals } from '../../../../src/console/api/editing.ts';
import { changedFiles } from '../../../../src/console/pages/edit/changed-files.ts';
import {
  chosenQuery,
  newFile,
  proposedChoices,
  settingValue,
  withChoices,
} from '../../../../src/console/pages/edit/draft-file.ts';
import {
  queryOf,
  readHeader,
  withoutParameter,
  withQuery,
  withSetting,
} from '../../../../src/console/pages/edit/header.ts';
import { patchOf } from '../../../../src/console/pages/edit/patch.ts';
import { styleOf, withCase } from '../../../../src/console/pages/edit/test-case.ts';
import { readSettingsComment } from '../../../../src/definitions/endpoints/settings-comment.ts';
import { readTestFile } from '../../../../src/tools/endpoint-tests/read-test-file.ts';

const id = '8a8f8f0e-54ff-4a52-8e22-6e6b9b8f3d01';

const file = `-- orders
/*
id: ${id}
name: orders.by-day
# of a page
maxRows: 10
parameters:
  shop: { required: true, example: north } # of the shop
  days:
    type: INT64
*/
SELECT 1
`;

describe('the settings of a file', () => {
  test('are read as the form shows them', () => {
    expect(readHeader(file)).toMatchObject({ id, name: 'orders.by-day', maxRows: '10', cacheSeconds: '' });
    expect(readHeader(file)?.parameters).toMatchObject([
      { name: 'shop', type: 'STRING', required: true, example: 'north' },
      { name: 'days', type: 'INT64', required: false },
    ]);
    expect(readHeader('SELECT 1')).toBeUndefined();
    expect(readHeader('/*\na: [\n*/ SELECT 1')).toBeUndefined();
  });

  test('change one by one: comments, the query and all others stay', () => {
    // What is written in another way stays so.
    expect(withSetting(file, ['maxRows'], 500)).toBe(file.replace('maxRows: 10', 'maxRows: 500'));
    expect(withSetting(file, ['parameters', 'shop', 'example'], 'south')).toBe(
      file.replace('north', 'south'),
    );
    const changed = withSetting(file, ['cacheSeconds'], 60);
    expect(changed).toContain('# of a page\nmaxRows: 10');
    expect(changed).toContain('shop: { required: true, example: north } # of the shop');
    expect(changed.startsWith('-- orders\n/*\n')).toBe(true);
    expect(changed.endsWith('*/\nSELECT 1\n')).toBe(true);
    expect(readHeader(changed)?.cacheSeconds).toBe('60');
    expect(readHeader(withSetting(changed, ['maxRows'], undefined))?.maxRows).toBe('');
    const values = withSetting(file, ['parameters', 'shop', 'values'], ['north', 'south']);
    expect(readHeader(values)?.parameters[0]?.values).toEqual(['north', 'south']);
  });

  test('never end the comment, and no text of them is taken for YAML', () => {
    const hostile = 'a */ SELECT: {x';
    const changed = withSetting(file, ['description'], hostile);
    expect(queryOf(changed)).toBe('SELECT 1');
    expect(readHeader(changed)?.description).toContain('a * / SELECT: {x');
    expect(readSettingsComment('a.sql', changed).problems).toEqual([]);
  });

  test('lose a parameter, and the list with the last one', () => {
    const without = withoutParameter(withoutParameter(file, 'shop'), 'days');
    expect(without).not.toContain('parameters');
    expect(readHeader(without)?.name).toBe('orders.by-day');
  });

  test('stay when the query is replaced', () => {
    expect(withQuery(file, ' SELECT 2 ')).toBe(file.replace('SELECT 1', 'SELECT 2'));
  });
});

const sql = "SELECT * FROM logs.orders WHERE timestamp >= '2026-01-01' AND shop = 'north' AND total > 5";
const literal = (text: string, name: string, type: string, isLikely = true) => {
  const from = sql.indexOf(text);
  const value = text.replaceAll("'", '');
  return { from, to: from + text.length, type, value, name, isLikely };
};
const query: QueryLiterals = {
  sql,
  literals: [
    literal("'2026-01-01'", 'start', 'TIMESTAMP'),
    literal("'north'", 'shop', 'STRING'),
    literal('5', 'min_total', 'INT64', false),
  ],
};

describe('values of a query as parameters', () => {
  const choices = proposedChoices(query);
  const text = withChoices(newFile(id, sql), query, [], choices);

  test('are declared with their types and examples', () => {
    expect(queryOf(text)).toBe(
      'SELECT * FROM logs.orders WHERE timestamp >= @start AND shop = @shop AND total > 5',
    );
    const read = readSettingsComment('a.sql', text);
    expect(read.problems).toEqual([]);
    expect(read.settings?.parameters).toMatchObject({
      start: { type: 'TIMESTAMP', required: true, example: '2026-01-01' },
      shop: { required: true, example: 'north' },
    });
  });

  test('are chosen, left and renamed, and what else was set stays', () => {
    const described = withSetting(text, ['description'], 'Orders');
    const next = choices.map((choice) =>
      choice.name === 'shop'
        ? { ...choice, name: 'store' }
        : { ...choice, isChosen: choice.name !== 'start' },
    );
    const changed = withChoices(described, query, choices, next);
    expect(queryOf(changed)).toBe(
      "SELECT * FROM logs.orders WHERE timestamp >= '2026-01-01' AND shop = @store AND total > @min_total",
    );
    expect(readHeader(changed)).toMatchObject({
      description: 'Orders',
      parameters: [{ name: 'store' }, { name: 'min_total', example: '5' }],
    });
    expect(chosenQuery(query, [])).toBe(sql);
  });

  test('are numbers only if no digit is lost', () => {
    expect(settingValue('INT64', '5')).toBe(5);
    expect(settingValue('INT64', '9007199254740993')).toBe('9007199254740993');
    expect(settingValue('STRING', '5')).toBe('5');
    expect(settingValue('BOOL', 'true')).toBe(true);
  });
});

test('a patch of a new file and of changed ones is applied by git', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'patch-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const git = (...args: readonly string[]) => promisify(execFile)('git', args, { cwd: folder });
  await git('init', '-q');
  const before = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join('');
  const after = before.replace('line 3\n', 'changed\n').replace('line 28\n', '').concat('no end of line');
  await mkdir(path.join(folder, 'endpoints'));
  await writeFile(path.join(folder, 'endpoints/a.sql'), before);
  const saved = { file: 'endpoints/a.sql', text: before };
  const changes = changedFiles('endpoints/a.sql', { text: after, test: 'cases: []\n' }, saved);
  await writeFile(path.join(folder, 'a.patch'), patchOf(changes));
  await git('apply', 'a.patch');
  expect(await readFile(path.join(folder, 'endpoints/a.sql'), 'utf8')).toBe(after);
  expect(await readFile(path.join(folder, 'endpoints/a.test.yaml'), 'utf8')).toBe('cases: []\n');
  expect(patchOf(changedFiles('a.sql', { text: 'a', test: undefined }, { file: 'a.sql', text: 'a' }))).toBe(
    '',
  );
});

describe('a test of picked rows', () => {
  const picked = {
    name: 'answers the picked rows',
    values: new Map([['shop', 'north']]),
    now: '2026-11-20T12:00:00Z',
    rows: { orders: [{ id: 'a', shop: 'north', note: null, tags: [], total: '5' }] },
    expected: [{ id: 'a', big: 9007199254740993n }],
  };

  test('makes a test file without errors, and adds to one that is there', () => {
    const first = withCase(undefined, picked);
    const read = readTestFile('a.test.yaml', first);
    expect(read.problems).toEqual([]);
    expect(read.cases).toMatchObject([{ name: 'answers the picked rows' }]);
    expect(first).not.toContain('note');
    expect(first).toContain('9007199254740993');
    const kept = first.replace('timestamps: iso', '# times as people read them\ntimestamps: iso');
    const second = withCase(kept, picked);
    expect(second).toContain('# times as people read them');
    expect(readTestFile('a.test.yaml', second).cases).toHaveLength(2);
  });

  test('has times as the file has them, and refuses a file with errors', () => {
    expect(styleOf(undefined)).toEqual({ timestamps: 'iso', json: 'inline' });
    expect(styleOf('cases: []')).toEqual({ timestamps: 'micros', json: 'text' });
    expect(() => withCase('cases: [', picked)).toThrow('has errors');
  });
});
