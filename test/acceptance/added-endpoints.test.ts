import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gateway } from './support/gateway.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
let gateway: Gateway;

/** Every type that a row can have, in BigQuery's standard and legacy names. */
const kinds = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  { name: 'flag', type: 'BOOLEAN' },
  { name: 'whole', type: 'INTEGER' },
  { name: 'float', type: 'FLOAT' },
  { name: 'exact', type: 'NUMERIC' },
  { name: 'bytes', type: 'BYTES' },
  { name: 'day', type: 'DATE' },
  { name: 'clock', type: 'TIME' },
  { name: 'local', type: 'DATETIME' },
  { name: 'json', type: 'JSON' },
  { name: 'list', type: 'INT64', mode: 'REPEATED' },
  {
    name: 'one',
    type: 'RECORD',
    fields: [{ name: 'inner', type: 'STRUCT', fields: [{ name: 'deep', type: 'BOOL' }] }],
  },
  {
    name: 'many',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'name', type: 'STRING' },
      { name: 'parts', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'n', type: 'FLOAT64' }] },
    ],
  },
];

const fullRow =
  `{"id":"full","timestamp":"2025-01-31T10:00:00.123456Z","flag":true,"whole":9223372036854775807,
"float":3,"exact":"12345678901234567890123456789.123456789","bytes":"AP8=","day":"2024-02-29","clock":"23:59:59.000001",
"local":"2025-01-31T10:00:00","json":{"b":[1,2.50],"a":null},"list":[1,-9223372036854775808],
"one":{"inner":{"deep":false}},"many":[{"name":"a\\"b","parts":[{"n":0.1},{}]},{}]}`.replaceAll('\n', '');

const endpoints: Record<string, { settings?: string; sql: string }> = {
  kinds: { sql: 'SELECT * EXCEPT (timestamp) FROM logs.kinds ORDER BY id' },
  tiny: { settings: 'maxRows: 2', sql: 'SELECT id, timestamp FROM logs.tiny ORDER BY timestamp' },
  'no table': { sql: `SELECT 'x', 1 AS one, 2.5` },
  typed: {
    settings: `parameters:
  n: {type: INT64}
  x: {type: FLOAT64}
  b: {type: BOOL}
  t: {type: TIMESTAMP}
  d: {type: DATE}
  s: {}`,
    sql: `SELECT @n AS n, @x AS x, @b AS b, @t AS t, @d AS d, @s AS s,
      DATE_ADD(@d, INTERVAL 1 DAY) AS next_day, @n IS NULL AS no_n`,
  },
  since: {
    settings: 'parameters: {since: {type: TIMESTAMP}}',
    sql: 'SELECT id FROM logs.tiny WHERE @since IS NULL OR timestamp > @since ORDER BY timestamp',
  },
  choice: {
    settings: 'parameters: {unit: {required: true, values: [hour, day]}, n: {type: INT64, required: true}}',
    sql: 'SELECT @unit AS unit, @n AS n',
  },
  fails: { sql: 'SELECT CAST(id AS INT64) AS n FROM logs.tiny' },
  addresses: { sql: `SELECT 'from 10.1.2.3' AS text, [STRUCT('2001:db8::1' AS ip)] AS list` },
  'hidden.addresses': { settings: 'redactPii: true', sql: `SELECT 'from 10.1.2.3' AS text` },
};
const idOf = (name: string) =>
  `abcdef00-0000-4000-8000-${String(Object.keys(endpoints).indexOf(name)).padStart(12, '0')}`;

const query = async (name: string, parameters?: Record<string, string>) =>
  (await gateway.query(name, parameters)).body;

beforeAll(async () => {
  workspace = await Workspace.create();
  await workspace.write('sources/kinds.json', JSON.stringify(kinds));
  await workspace.write('sources/tiny.json', JSON.stringify(kinds.slice(0, 2)));
  for (const [name, { settings = '', sql }] of Object.entries(endpoints)) {
    await workspace.write(
      `endpoints/${name}.sql`,
      `/*\nid: ${idOf(name)}\nname: ${name}\n${settings}\n*/\n${sql}\n`,
    );
  }
  const rows = await workspace.write(
    'kinds.ndjson',
    `${fullRow}\n{"id":"null","timestamp":0}\n{"id":"odd","timestamp":1,"float":"NaN","one":{"inner":null}}\n`,
  );
  const tiny = await workspace.writeRows(
    'tiny.ndjson',
    ['a', 'b', 'c'].map((id, micros) => ({ id, timestamp: `2025-01-01T00:00:00.00000${micros}Z` })),
  );
  expect(await workspace.run(['import', 'kinds', rows])).toMatchObject({ code: 0 });
  expect(await workspace.run(['import', 'tiny', tiny])).toMatchObject({ code: 0 });
  gateway = await Gateway.serve(workspace);
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

describe('values of an added source', () => {
  test('are answered in the forms of their types, byte for byte', async () => {
    expect(await query('kinds')).toBe(
      [
        '{"result":[{"id":"full","flag":true,"whole":9223372036854775807,"float":3.0',
        '"exact":"12345678901234567890123456789.123456789","bytes":"AP8=","day":"2024-02-29"',
        '"clock":"23:59:59.000001","local":"2025-01-31T10:00:00","json":"{\\"a\\":null,\\"b\\":[1,2.5]}"',
        '"list":[1,-9223372036854775808],"one":{"inner":{"deep":false}}',
        '"many":[{"name":"a\\"b","parts":[{"n":0.1},{"n":null}]},{"name":null,"parts":[]}]}',
        '{"id":"null","flag":null,"whole":null,"float":null,"exact":null,"bytes":null,"day":null,"clock":null',
        '"local":null,"json":null,"list":[],"one":null,"many":[]}',
        '{"id":"odd","flag":null,"whole":null,"float":null,"exact":null,"bytes":null,"day":null,"clock":null',
        '"local":null,"json":null,"list":[],"one":{"inner":null},"many":[]}]}',
      ].join(','),
    );
  });

  test('may be no more than a timestamp and an id', async () => {
    expect(await gateway.rows('since')).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  });
});

describe('an added endpoint', () => {
  test('is called by its name or by its id in any letter case', async () => {
    const answer = '{"result":[{"f0_":"x","one":1,"f1_":2.5}]}';
    expect(await query('no table')).toBe(answer);
    for (const id of [idOf('no table'), idOf('no table').toUpperCase()]) expect(await query(id)).toBe(answer);
  });

  test('says so when its result is cut at maxRows', async () => {
    const cut = await gateway.query('tiny');
    expect(JSON.parse(cut.body).result).toEqual([
      { id: 'a', timestamp: 1_735_689_600_000_000 },
      { id: 'b', timestamp: 1_735_689_600_000_001 },
    ]);
    expect(cut.headers.get('x-result-truncated')).toBe('true');
    expect((await gateway.query('since')).headers.get('x-result-truncated')).toBeNull();
  });

  test('hides addresses when its settings or the caller want it', async () => {
    const asking = { headers: { 'LF-ENDPOINT-REDACT-PII': 'true' } };
    const shown = '{"result":[{"text":"from 10.1.2.3","list":[{"ip":"2001:db8::1"}]}]}';
    const hidden = '{"result":[{"text":"from REDACTED","list":[{"ip":"REDACTED"}]}]}';
    expect(await query('addresses')).toBe(shown);
    expect((await gateway.query('addresses', {}, asking)).body).toBe(hidden);
    const denying = { headers: { 'LF-ENDPOINT-REDACT-PII': 'false' } };
    expect((await gateway.query('hidden.addresses', {}, denying)).body).toContain('from REDACTED');
  });
});

describe('parameters', () => {
  test('are read as their types', async () => {
    const given = {
      n: '-9223372036854775808',
      x: '1e3',
      b: 'TRUE',
      t: '2025-01-31T10:00:00.5+01:00',
      d: '2024-02-29',
      s: "'",
    };
    expect(await query('typed', given)).toBe(
      '{"result":[{"n":-9223372036854775808,"x":1000.0,"b":true,"t":1738314000500000,"d":"2024-02-29",' +
        '"s":"\'","next_day":"2024-03-01","no_n":false}]}',
    );
  });

  test('are NULL of their type when they are absent or empty', async () => {
    const nothing = '"n":null,"x":null,"b":null,"t":null,"d":null';
    expect(await query('typed')).toBe(`{"result":[{${nothing},"s":null,"next_day":null,"no_n":true}]}`);
    expect(await query('typed', { n: '', x: '', b: '', t: '', d: '', s: '' })).toBe(
      `{"result":[{${nothing},"s":"","next_day":null,"no_n":true}]}`,
    );
  });

  test('bound to the microsecond', async () => {
    const since = '2025-01-01T00:00:00.000001Z';
    expect(await gateway.rows('since', { since })).toEqual([{ id: 'c' }]);
  });

  test.each([
    [{}, /"unit".* hour, day/],
    [{ unit: '', n: '1' }, /"unit".* hour, day/],
    [{ unit: 'Day', n: '1' }, /"unit".* hour, day.*"Day"/],
    [{ unit: 'day' }, /"n".*required/],
    [{ unit: 'day', n: '1.5' }, /"n".*whole number.*"1\.5"/],
    [{ unit: 'day', n: '9223372036854775808' }, /"n".*whole number/],
    [{ unit: 'day', n: '1', sql: 'SELECT 1' }, /"choice" does not accept ad-hoc queries/],
    [{ unit: 'day', n: '1', lql: 'f:x' }, /"choice" does not accept ad-hoc queries/],
  ])('%o are refused with the reason', async (parameters, error) => {
    const reply = await gateway.query('choice', parameters);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toEqual({
      error: expect.stringMatching(error),
      code: expect.any(String),
      parameter: expect.stringMatching(/^\w+$/),
    });
  });

  test('may come in a body of JSON, a form or multipart, which counts more than the query string', async () => {
    const answer = '{"result":[{"unit":"day","n":9007199254740993}]}';
    const post = async (type: string, body: string) => {
      const options = { method: 'POST', headers: { 'Content-Type': type }, body };
      return (await gateway.query('choice', { unit: 'hour' }, options)).body;
    };
    expect(await post('application/json', '{"unit":"day","n":9007199254740993,"other":[]}')).toBe(answer);
    expect(await post('application/x-www-form-urlencoded', 'unit=day&n=9007199254740993')).toBe(answer);
    const part = (name: string, value: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const parts = `${part('unit', 'day')}${part('n', '9007199254740993')}--b--\r\n`;
    expect(await post('multipart/form-data; boundary=b', parts)).toBe(answer);
  });
});

describe('a query that fails on its data', () => {
  test('is answered 422, and 200 where that is wanted', async () => {
    const failed = await gateway.query('fails');
    expect(failed.status).toBe(422);
    expect(JSON.parse(failed.body)).toEqual({
      error: expect.stringMatching(/INT64/i),
      code: expect.any(String),
    });

    const lenientWorkspace = { ...workspace.environment, DATA_DIR: workspace.path('lenient') };
    await workspace.run(['import', 'tiny', workspace.path('tiny.ndjson')], lenientWorkspace);
    const lenient = await Gateway.serve(workspace, { ...lenientWorkspace, QUERY_ERRORS_AS_200: 'true' });
    try {
      const shown = await lenient.query('fails');
      expect({ status: shown.status, body: shown.body }).toEqual({ status: 200, body: failed.body });
      expect((await lenient.query('choice')).status).toBe(400);
      expect((await lenient.query('no such endpoint')).status).toBe(404);
    } finally {
      await lenient.stop();
    }
  });
});
