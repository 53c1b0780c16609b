import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Value } from '../../../../src/sql/values/value.ts';
import { present } from '../../../tools/emulators/bigquery/support/served-rows.ts';
import { boundedWorld, dayMicros, eventRow } from '../support/bounded-world.ts';

let world: Awaited<ReturnType<typeof boundedWorld>>;
beforeAll(async () => {
  const rows = Array.from({ length: 60 }, (_, i) =>
    eventRow(`r${i}`, present - BigInt(i % 5) * dayMicros, {
      ...{ project: i % 3 === 0 ? 'p' : 'q', n: BigInt(i % 7), tags: i % 2 === 0 ? ['a', 'b'] : [] },
    }),
  );
  world = await boundedWorld(rows);
});
afterAll(async () => world?.[Symbol.asyncDispose]());

const values: readonly Readonly<Record<string, Value>>[] = [
  {},
  { project: 'p', rows: 2n },
  { project: '', from: 'project', rows: 0n },
  { project: 'q', from: 'id', to: 'desc' },
  { project: 'none', from: 'n', to: 'asc', rows: 7n },
];

test.each([
  ['SELECT COUNT(*) AS c FROM logs.events WHERE @project IS NULL OR project = @project', 1],
  ["SELECT COUNT(*) AS c FROM logs.events WHERE COALESCE(@project, '') = '' OR project = @project", 2],
  [
    'SELECT n FROM logs.events WHERE (@project IS NULL OR project = @project) AND (@rows IS NULL OR n > @rows) ORDER BY n',
    1,
  ],
  ['SELECT COUNT(*) AS c FROM logs.events WHERE IFNULL(@rows, 0) = 0 OR n = @rows', 3],
  ["SELECT IF(@from = 'project', project, id) AS k, COUNT(*) AS c FROM logs.events GROUP BY 1 ORDER BY k", 5],
  [
    "SELECT CASE @from WHEN 'project' THEN project WHEN 'id' THEN id END AS k, COUNT(*) AS c FROM logs.events GROUP BY k ORDER BY k",
    5,
  ],
  [
    "SELECT CASE @from WHEN 'n' THEN SUM(n) WHEN 'id' THEN COUNT(DISTINCT id) END AS v, COUNT(*) AS c FROM logs.events",
    5,
  ],
  [
    "SELECT n FROM logs.events ORDER BY IF(@from = 'id', id, NULL), IF(@to = 'desc', n, NULL) DESC, n LIMIT 5",
    4,
  ],
  ['SELECT COUNT(*) AS c FROM logs.events WHERE @project IS NULL OR @project IN UNNEST(tags)', 1],
  ['SELECT COUNT(*) AS c FROM logs.events WHERE project = COALESCE(@project, project)', 0],
  [
    "SELECT e.n, IF(@from = 'id', o.project, NULL) AS p FROM logs.events AS e LEFT JOIN logs.others AS o ON @from = 'id' AND e.id = o.id ORDER BY e.n, p",
    0,
  ],
  [
    'WITH picked AS (SELECT n FROM logs.events WHERE @project IS NULL OR project = @project) SELECT COUNT(*) AS c FROM picked',
    1,
  ],
])('%s: the same rows, with fewer bytes in %i of five calls at least', async (sql, fewer) => {
  let [count, ran] = [0, 0];
  for (const each of values) {
    const [chosen, plain] = [
      await world.bounded({ sql, values: each }),
      await world.plain({ sql, values: each }),
    ];
    expect(chosen.answer).toEqual(plain.answer);
    expect(typeof chosen.answer).toBe('object');
    expect(chosen.read.bytes).toBeLessThanOrEqual(plain.read.bytes);
    expect(chosen.read.jobs).toBe(1);
    if (chosen.read.bytes < plain.read.bytes) count++;
    ran++;
  }
  expect(ran).toBe(values.length);
  expect(count).toBeGreaterThanOrEqual(fewer);
  expect(world.warnings).toEqual([]);
});

test('a failure that the query as written has is not taken out', async () => {
  const sql = 'SELECT COUNT(*) AS c FROM logs.events WHERE @project IS NULL OR CAST(id AS INT64) = 1';
  const [chosen, plain] = [await world.bounded({ sql }), await world.plain({ sql })];
  expect(chosen).toMatchObject({ answer: plain.answer });
});
