import { expect, test } from 'vitest';
import { bigQuery } from '../../../../src/app/engines/bigquery/definition.ts';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { LocalPlanner } from '../../../../src/calls/planner/local-planner.ts';
import { plainSettings, type Source } from '../../../../src/definitions/sources/source.ts';
import { sliceSentences } from '../../../../src/engines/engine/slice-facts.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import { wholeText } from '../../../../src/sql/text/place.ts';

const events: Source = {
  ...plainSettings,
  name: 'events',
  file: 'events.json',
  columns: [
    { name: 'timestamp', type: { kind: 'TIMESTAMP' }, mode: 'REQUIRED', fields: [] },
    { name: 'seen', type: { kind: 'TIMESTAMP' }, mode: 'NULLABLE', fields: [] },
    { name: 'id', type: { kind: 'STRING' }, mode: 'NULLABLE', fields: [] },
    { name: 'n', type: { kind: 'INT64' }, mode: 'NULLABLE', fields: [] },
    { name: 'share', type: { kind: 'FLOAT64' }, mode: 'NULLABLE', fields: [] },
  ],
};

test('tells which aggregations are merged, and why others are not, at their places', async () => {
  await using stack = new AsyncDisposableStack();
  const analyzer = await Analyzer.start();
  stack.defer(() => analyzer.close());
  const planner = new LocalPlanner(analyzer);
  const sentences = async (sql: string, source: Source = events) => {
    const parameters = new Map();
    const statement = await analyzer.analyze(sql, { catalog: sourceCatalog([source]), parameters });
    const columns = resultColumns(statement);
    const plan = newPlan({ sql, statement, columns, parameters, origin: wholeText, isCallers: false });
    const facts = await bigQuery.slices?.(plan, [source], planner);
    return facts && sliceSentences(facts);
  };
  const where = "WHERE timestamp >= TIMESTAMP '2026-11-01 00:00:00Z'";
  expect(await sentences(`SELECT COUNT(*) FROM logs.events ${where}`)).toEqual([
    'merged from slices of logs.events',
  ]);
  expect(await sentences(`SELECT n FROM logs.events ${where}`)).toEqual([]);
  expect(await sentences(`SELECT n, SUM(share) FROM logs.events ${where} GROUP BY n`)).toEqual([
    'not merged from slices: SUM of FLOAT64 at 1:11',
  ]);
  expect(await sentences(`SELECT COUNT(*) FROM logs.events ${where} AND RAND() > 0`)).toEqual([
    'not merged from slices: RAND at 1:90',
  ]);
  expect(await sentences(`SELECT COUNT(*) FROM logs.events ${where} AND 1 / n > 0`)).toEqual([
    'not merged from slices: something that can fail, up to the bounds of time',
  ]);
  expect(await sentences('SELECT COUNT(*) FROM logs.events')).toEqual([
    'not merged from slices: a window without bounds of time',
  ]);
  expect(await sentences(`SELECT COUNT(*) FROM logs.events JOIN logs.events AS e USING (id)`)).toEqual([
    'not merged from slices: a query that reads several tables, or one in several places',
  ]);
  expect(
    await sentences(`SELECT n AS id, id AS n, COUNT(*) FROM logs.events ${where} GROUP BY id, n`),
  ).toEqual(['not merged from slices: names that would be others over slices']);
  const ingested: Source = { ...events, partitioned: 'DAY' };
  expect(await sentences(`SELECT COUNT(*) FROM logs.events ${where}`, ingested)).toEqual([
    'not merged from slices: a window that is not one of the time of its source',
  ]);
});
