import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { AnalyzerError } from '../../../src/sql/analyzer/error.ts';
import { visitFields } from '../../../src/sql/plan/tree-nodes.ts';
import { asMessage } from '../../../src/sql/resolved/node.ts';

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer.close());

const analyze = (sql: string) => analyzer.analyze(sql, { catalog: { tables: [] }, parameters: new Map() });

async function placesIn(sql: string): Promise<readonly string[]> {
  const places: string[] = [];
  visitFields(await analyze(sql), new Set(), (field, value) => {
    if (field !== 'parse_location_range') return;
    const { start, end } = asMessage(value, field);
    places.push(Buffer.from(sql).subarray(Number(start), Number(end)).toString());
  });
  return places;
}

describe('a grand total without aggregate functions', () => {
  test.each([
    "select 'ä' from unnest([1]) group by () order by upper('b')",
    "select 'ä' from unnest([1]) group by grouping sets ((), ()) having 'c' = lower('C') order by upper('b')",
    "select 'ä' from (select 1 from unnest([1]) group by () having 1 = 1) group by () order by upper('b')",
  ])('is analyzed, with the places of the text: %s', async (sql) => {
    expect(await placesIn(sql)).toEqual(expect.arrayContaining([sql, "'ä'", "upper('b')"]));
  });

  test('is one error among others when the text has one', async () => {
    await expect(analyze('select x from unnest([1]) group by ()')).rejects.toThrow('Unrecognized name: x');
  });

  test('does not bring the analyzer down', async () => {
    const { pids } = analyzer;
    await analyze('select 1 from unnest([1]) group by ()');
    expect(analyzer.pids).toEqual(expect.arrayContaining([...pids]));
  });
});

test('a text on which a check of the analyzer fails is an error of the text', async () => {
  const request = { sql: 'select 1 from unnest([1]) group by ()' };
  await expect(analyzer.call('evaluateQuery', request)).rejects.toThrow(AnalyzerError);
});
