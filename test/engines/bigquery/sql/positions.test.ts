import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryText } from '../../../../src/definitions/endpoints/plan-query.ts';
import { JobTexts } from '../../../../src/engines/bigquery/sql/job-text.ts';
import { prepareText } from '../../../../src/engines/bigquery/sql/prepare-text.ts';
import { AnalyzerUnavailableError } from '../../../../src/sql/analyzer/error.ts';
import { byteOffsetAt, positionAt } from '../../../../src/sql/text/text-position.ts';
import { logSetting, names, Workbench } from './support/workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open(logSetting);
});
afterAll(() => bench[Symbol.asyncDispose]());

test.each([
  ['select 1,\n\tfoo', { line: 2, column: 9 }, 'foo'],
  ['select 1,\r\n ü😀\tfoo', { line: 2, column: 9 }, 'foo'],
  ['select 1,\rfoo', { line: 2, column: 1 }, 'foo'],
  ['', { line: 1, column: 1 }, ''],
  ['select', { line: 7, column: 3 }, ''],
])('a position is a place in the text: %j', (text, position, rest) => {
  const offset = byteOffsetAt(text, position);
  expect(Buffer.from(text).subarray(offset).toString()).toBe(rest);
  if (rest !== '') expect(positionAt(text, offset)).toEqual(position);
});

test.each([
  ['in front', 'select'],
  ['between tables of one line', 'n > 1'],
  ['behind a table with an alias', 'tail_one'],
  ['in the next line', 'tail_two'],
])('a position in the sent text is mapped to the file: %s', async (_, word) => {
  const file = [
    '/* settings: é */',
    "\tselect 'é' as tail_zero from logs.edge_logs, logs.auth_logs b where edge_logs.n > 1",
    '  and b.id in (select id as tail_one from logs.billing)',
    '\torder by concat(b.id, "tail_two")',
  ].join('\n');
  const start = file.indexOf('\n');
  const query = queryText(file, start);
  const job = await bench.jobText({ ...(await bench.plan(query.sql)), origin: query.origin });
  const sent = positionAt(job.sql, Buffer.byteLength(job.sql.slice(0, job.sql.indexOf(word))));
  const before = file.slice(0, file.indexOf(word)).split('\n');
  const column = [...(before.at(-1) ?? '')].length + 1;
  expect(job.place(sent)).toEqual({ line: before.length, column });
});

test('a place in what was put in is that of what it was put for', async () => {
  const job = await bench.jobText(await bench.plan('select n from logs.edge_logs'));
  expect(job.place(positionAt(job.sql, job.sql.indexOf('logs_eu')))).toEqual({ line: 1, column: 15 });
  expect(job.place(positionAt(job.sql, job.sql.indexOf('101')))).toEqual({ line: 1, column: 29 });
});

test('a message about the sent text names sources instead of tables', async () => {
  const job = await bench.jobText(await bench.plan('select n from logs.edge_logs'));
  expect(job.withSources('Not found: Table my-project-1:logs_eu.edge_logs')).toBe(
    'Not found: Table logs.edge_logs',
  );
});

test('a text that nobody wrote has no places', async () => {
  const { origin: _, ...plan } = await bench.plan('select n from logs.edge_logs');
  expect((await bench.jobText(plan)).place({ line: 1, column: 1 })).toBeUndefined();
});

test('a plan is looked through once, and again after a failure', async () => {
  const calls: string[] = [];
  let isDown = true;
  const parse = async (sql: string) => {
    calls.push(sql);
    if (isDown) throw new AnalyzerUnavailableError('The SQL analyzer was stopped');
    return bench.analyzer.parse(sql);
  };
  const texts = new JobTexts((each) => prepareText(each, { parse }, names));
  const plan = await bench.plan('select n from logs.edge_logs');
  await expect(texts.of(plan, new Map(), 1)).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  isDown = false;
  await texts.of(plan, new Map(), 1);
  await texts.of(plan, new Map(), 2);
  expect(calls).toHaveLength(2);
});
