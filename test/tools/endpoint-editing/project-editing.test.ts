import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { checkEndpoints } from '../../../src/app/schema/load-schema.ts';
import { ownAccount } from '../../../src/base/fairness/account.ts';
import { LocalPlanner } from '../../../src/calls/planner/local-planner.ts';
import { loadSources } from '../../../src/definitions/sources/load-sources.ts';
import type { EditingParts } from '../../../src/server/operator/endpoint-files/endpoint-editing.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../../src/sql/analyzer/settings.ts';
import { ProjectEditing } from '../../../src/tools/endpoint-editing/project-editing.ts';

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start(analyzerSettings(readConfig({})));
});
afterAll(() => analyzer.close());

const work = { account: ownAccount, signal: new AbortController().signal };

const source = JSON.stringify([
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  { name: 'shop', type: 'STRING' },
  { name: 'total', type: 'NUMERIC' },
  {
    name: 'metadata',
    type: 'RECORD',
    fields: [{ name: 'status', type: 'INT64' }],
  },
]);

const servedText = `/*
id: 8a8f8f0e-54ff-4a52-8e22-6e6b9b8f3d01
name: orders.of-shop
maxRows: 10
parameters:
  shop: { required: true, example: north }
*/
SELECT id, total FROM logs.orders WHERE shop = @shop
`;

/** The editing of a project with one endpoint. */
async function opened(files: Readonly<Record<string, string>> = { 'orders.sql': servedText }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'editing-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = readConfig({ ENDPOINTS_DIR: folder, SOURCES_DIR: folder, RECORD_CALLS: 'false' });
  await writeFile(path.join(folder, 'orders.json'), source);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const { sources } = await loadSources(folder, { isStored: true });
  const planner = new LocalPlanner(analyzer);
  const { endpoints } = await checkEndpoints(config, planner, sources, async () => {});
  const parts: EditingParts = {
    ...{ config, planner },
    endpoints: () => endpoints,
    unavailable: () => [],
    sources: () => sources,
    prepare: async () => {},
  };
  return { editing: new ProjectEditing(parts), folder };
}

test('the file of an endpoint is read by its name, with its tests', async () => {
  const test = 'cases: []\n';
  const { editing } = await opened({ 'orders.sql': servedText, 'orders.test.yaml': test });
  const read = await editing.read('orders.of-shop');
  expect(read.text).toBe(servedText);
  expect(read.file).toBe('endpoints/orders.sql');
  expect(read.test?.text).toBe(test);
  await expect(editing.read('../orders')).rejects.toThrow('No file of the project');
});

test('a text is checked as the file of its endpoint, with the places of what is wrong', async () => {
  const { editing } = await opened();
  const text = servedText.replace('total FROM', 'totl FROM');
  const { problems, shape } = await editing.check({ name: 'orders.of-shop', text }, work);
  expect(shape).toBeUndefined();
  const [problem] = problems;
  expect(problems).toHaveLength(1);
  expect(problem && text.slice(problem.from, problem.to)).toBe('totl');
  expect(problem?.message).toContain('totl');
  const right = await editing.check({ name: 'orders.of-shop', text: servedText }, work);
  expect(right.problems).toEqual([]);
  expect(right.shape?.endpoint.maxRows).toBe(10);
});

test('a new text can have neither the name nor the id of another file', async () => {
  const { editing } = await opened();
  const { problems } = await editing.check({ name: 'another', text: servedText }, work);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('also has "orders.of-shop"'),
    expect.stringContaining('also has "8a8f8f0e'),
  ]);
});

test('a text may read other endpoints of the project', async () => {
  const { editing } = await opened();
  const text = `/*
id: 8a8f8f0e-54ff-4a52-8e22-6e6b9b8f3d02
name: orders.count
parameters:
  shop: { required: true, example: north }
*/
SELECT COUNT(*) AS orders FROM endpoints.orders.\`of-shop\`(shop => @shop)
`;
  expect((await editing.check({ name: 'orders.count', text }, work)).problems).toEqual([]);
});

test('texts beyond the limits of ad-hoc queries are refused before they are analyzed', async () => {
  const { editing } = await opened();
  const long = `${servedText} AND shop != '${'x'.repeat(200_000)}'`;
  const { problems } = await editing.check({ name: 'orders.of-shop', text: long }, work);
  expect(problems[0]?.message).toContain('longer than');
  const deep = servedText.replace(
    '@shop',
    `@shop AND EXISTS(${'(SELECT EXISTS('.repeat(11)}SELECT 1${'))'.repeat(11)})`,
  );
  const refused = await editing.check({ name: 'orders.of-shop', text: deep }, work);
  expect(refused.problems[0]?.message).toMatch(/subqueries within subqueries/);
});

test('names are completed and described as in editors', async () => {
  const { editing } = await opened();
  const text = servedText.replace('SELECT id', 'SELECT sh');
  const at = text.indexOf('SELECT sh') + 'SELECT sh'.length;
  const completed = await editing.complete({ name: 'orders.of-shop', text }, at);
  expect(completed?.options.map(({ label }) => label)).toContain('shop');
  expect(completed?.from).toBe(at - 2);
  const setting = await editing.hover(
    { name: 'orders.of-shop', text: servedText },
    servedText.indexOf('maxRows') + 2,
  );
  expect(setting?.text).toContain('**maxRows**');
  await editing.check({ name: 'orders.of-shop', text: servedText }, work);
  const column = await editing.hover(
    { name: 'orders.of-shop', text: servedText },
    servedText.indexOf('total') + 1,
  );
  expect(column?.text).toContain('total NUMERIC');
});

test('a text is compared with what is served by what it means', async () => {
  const { editing } = await opened();
  const spaced = await editing.compare(
    { name: 'orders.of-shop', text: servedText.replace('WHERE', '\n  WHERE') },
    work,
  );
  expect(spaced).toMatchObject({ state: 'same', changes: [] });
  const narrower = servedText.replace('= @shop', '= @shop AND total > 5');
  const compared = await editing.compare({ name: 'orders.of-shop', text: narrower }, work);
  expect(compared.state).toBe('changed');
  expect(compared.verdict).toContain('rows can only be removed');
  expect(compared.changes).toHaveLength(1);
  const fresh = servedText.replace('d01', 'd09').replace('of-shop', 'new');
  expect((await editing.compare({ name: 'orders.new', text: fresh }, work)).state).toBe('new');
});

test('values that columns are compared with are proposed as parameters, and tables written as endpoints do', async () => {
  const { editing } = await opened();
  const sql = `SELECT o.id, 'ü' AS mark FROM orders AS o
WHERE o.timestamp BETWEEN '2026-11-01' AND TIMESTAMP '2026-11-02 12:00:00+00'
  AND shop = 'north' AND metadata.status >= 500 AND total < 9.5
LIMIT 20;`;
  const read = await editing.literals(sql, work);
  expect(read.sql).toContain('FROM logs.orders AS o');
  expect(read.sql.endsWith('LIMIT 20')).toBe(true);
  const shown = read.literals.map(({ from, to, name, type, value, isLikely }) => [
    read.sql.slice(from, to),
    name,
    type,
    value,
    isLikely,
  ]);
  expect(shown).toEqual([
    ["'ü'", 'value', 'STRING', 'ü', false],
    ["'2026-11-01'", 'start', 'TIMESTAMP', '2026-11-01T00:00:00Z', true],
    ["TIMESTAMP '2026-11-02 12:00:00+00'", 'end', 'TIMESTAMP', '2026-11-02T12:00:00Z', true],
    ["'north'", 'shop', 'STRING', 'north', true],
    ['500', 'min_status', 'INT64', '500', true],
    ['9.5', 'max_total', 'NUMERIC', '9.5', true],
    ['20', 'value_2', 'INT64', '20', false],
  ]);
});

test('a query with errors has no values, but their place', async () => {
  const { editing } = await opened();
  await expect(editing.literals('SELECT nothing FROM orders', work)).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    details: { location: { line: 1, column: 8 } },
  });
  await expect(editing.literals('SELECT 1 FROM logs.unknown', work)).rejects.toThrow('not found');
});
