import type { Column } from '../../../../src/sql/values/type.ts';
import type { Row, Value } from '../../../../src/sql/values/value.ts';
import { SeededRandom } from './seeded-random.ts';
import { array, bool, columns, float64, int64, string, struct, timestamp } from './table-types.ts';

/** A small table that both evaluators are given. */
export interface TestTable {
  /** With its dataset, if it has one: `logs.ev_*`. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** Columns that `SELECT *` does not have. Their values stand behind the others. */
  readonly pseudoColumns?: readonly Column[];
  readonly rows: readonly Row[];
}

const dice = new SeededRandom(42);
const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, i) => make(i));
const start = BigInt(Date.UTC(2026, 10, 20)) * 1000n;
const second = 1_000_000n;

const edgeMetadata = array(
  struct({
    request: array(
      struct({
        method: string,
        path: string,
        url: string,
        search: string,
        headers: array(
          struct({ x_real_ip: string, user_agent: string, host: string, x_client_info: string }),
        ),
        cf: array(struct({ country: string, city: string, asn: int64 })),
      }),
    ),
    response: array(
      struct({
        status_code: int64,
        origin_time: int64,
        headers: array(struct({ cf_cache_status: string, content_length: int64, content_type: string })),
      }),
    ),
    load: float64,
    tags: array(string),
  }),
);

function requestHeaders(): Value {
  if (dice.fraction() < 0.15) return [];
  return [
    [
      dice.maybe(0.3, `10.0.${dice.below(4)}.${dice.below(9)}`),
      dice.pick(['curl/7.1', 'Mozilla/5.0 (X11)', null]),
      dice.pick(['abc.example.co', 'def.example.co']),
      dice.maybe(0.5, `client-js/${dice.below(3)}`),
    ],
  ];
}

function request(): Value {
  return [
    dice.pick(['GET', 'POST', 'PUT', null]),
    dice.pick([
      '/rest/v1/users',
      '/storage/v1/object/a_b.png',
      '/storage/v1/object/public/%20x',
      '/auth/v1/token',
      '/realtime/v1',
      'no-slash',
      '',
      '/rest/v1/Üser',
    ]),
    dice.pick([
      'https://abc.example.co/rest/v1/users?select=*',
      'https://def.example.co/auth/v1/token',
      'http://x.y/z',
    ]),
    dice.maybe(0.4, dice.pick(['?select=*&limit=10', '?a=1&b=%2Fx', '?id=eq.5'])),
    requestHeaders(),
    dice.fraction() < 0.3
      ? []
      : [
          [
            dice.pick(['US', 'DE', 'ZA', null]),
            dice.pick(['Berlin', 'São Paulo', null]),
            dice.maybe(0.2, dice.int64(70_000)),
          ],
        ],
  ];
}

function response(): Value {
  return [
    dice.pick([200n, 200n, 201n, 301n, 404n, 500n, 503n, null]),
    dice.maybe(0.1, dice.int64(3000)),
    [[dice.pick(['HIT', 'MISS', 'DYNAMIC', null]), dice.maybe(0.3, dice.int64(100_000)), 'application/json']],
  ];
}

function edgeRecord(): Value {
  return [
    dice.fraction() < 0.05 ? [] : [request()],
    dice.fraction() < 0.1 ? [] : [response()],
    dice.maybe(0.2, dice.pick([0, 1.5, -0.25, 1e20, 3, 0.1])),
    list(dice.below(4), () => dice.pick(['a', 'b', 'c', 'long tag'])),
  ];
}

const edgeLogs: TestTable = {
  name: 'edge_logs',
  columns: columns({ id: string, timestamp, event_message: string, project: string, metadata: edgeMetadata }),
  rows: list(220, (i) => [
    `e${String(i).padStart(4, '0')}`,
    start + dice.int64(6 * 3600) * second + dice.pick([0n, 123_000n, 123_456n, 1n, 999_999n]),
    dice.pick([
      'GET | 200 | 10.0.0.1 | https://x',
      '{"a":{"b":1,"c":"x"},"d":[1,2,3],"e":null}',
      'ERROR: something failed\nline 2',
      null,
      '',
      'Ünïcödé 日本語 😀 text',
    ]),
    dice.pick(['abc', 'def']),
    dice.fraction() < 0.05 ? [] : list(dice.fraction() < 0.1 ? 2 : 1, edgeRecord),
  ]),
};

const functionMetadata = array(
  struct({
    execution_id: string,
    function_id: string,
    level: string,
    execution_time_ms: float64,
    status: string,
    boot: bool,
    parsed: array(struct({ error_severity: string, user_name: string, sql_state_code: string })),
  }),
);

const functionLogs: TestTable = {
  name: 'function_logs',
  columns: columns({
    id: string,
    timestamp,
    event_message: string,
    project: string,
    metadata: functionMetadata,
  }),
  rows: list(120, (i) => [
    `f${i}`,
    start + dice.int64(3 * 3600) * second + dice.int64(1000) * 1000n,
    dice.pick(['booted (time: 31ms)', 'Listening', 'TypeError: x', null]),
    dice.pick(['abc', 'def']),
    [
      [
        `x${dice.below(30)}`,
        dice.pick(['fn1', 'fn2', 'fn3']),
        dice.pick(['info', 'error', 'log', null]),
        dice.maybe(0.2, dice.below(10_000) / 16),
        dice.pick(['200', '500', 'abc', '', null, ' 7 ', '0x1F', '1.5', '1e3']),
        dice.pick([true, false, null]),
        dice.fraction() < 0.3
          ? []
          : [[dice.pick(['ERROR', 'FATAL', 'LOG']), dice.pick(['postgres', 'anon']), '00000']],
      ],
    ],
  ]),
};

const texts = [
  '',
  'abc',
  'ABC',
  'a,b,,c',
  ' pad ',
  '\tx\u00a0',
  'a%b',
  'a_b',
  '日本語',
  'ß',
  '123',
  '-5',
  'true',
  '2024-01-01',
  '2024-02-30',
  '2026-11-20T01:02:03.456Z',
  '2026-11-20 01:02:03+02:00',
  'a\nb',
  'x.y.z',
  '😀e\u0301',
] as const;

const numbers: TestTable = {
  name: 'nums',
  columns: columns({
    id: int64,
    a: int64,
    b: int64,
    x: float64,
    y: float64,
    s: string,
    t: string,
    ts: timestamp,
    flag: bool,
    arr: array(int64),
  }),
  rows: list(60, (i) => [
    BigInt(i),
    dice.maybe(0.1, dice.int64(21) - 10n),
    dice.maybe(0.1, dice.int64(7) - 3n),
    dice.maybe(
      0.1,
      dice.pick([
        0,
        1.5,
        2.5,
        -2.5,
        -0.5,
        0.5,
        1e15,
        1e16,
        1e-7,
        123456.789,
        Number.NaN,
        Infinity,
        -Infinity,
        3,
      ]),
    ),
    dice.maybe(0.1, dice.pick([0, 1, 2.25, -3.125])),
    dice.maybe(0.1, dice.pick(texts)),
    dice.maybe(0.1, dice.pick(['a', 'b', 'c'])),
    dice.maybe(
      0.1,
      start -
        dice.int64(400) * 86_400n * second +
        dice.int64(86_400) * second +
        dice.pick([0n, 500_000n, 1n]),
    ),
    dice.maybe(0.2, dice.fraction() < 0.5),
    dice.maybe(
      0.1,
      list(dice.below(4), () => dice.int64(9)),
    ),
  ]),
};

const kinds: TestTable = {
  name: 'kinds',
  columns: columns({
    id: int64,
    d: { kind: 'DATE' },
    dt: { kind: 'DATETIME' },
    tm: { kind: 'TIME' },
    bytes: { kind: 'BYTES' },
    n: { kind: 'NUMERIC' },
    j: { kind: 'JSON' },
    zone: string,
    word: string,
    words: array(string),
  }),
  rows: list(40, (i) => [
    BigInt(i),
    dice.maybe(
      0.1,
      dice.pick([
        '0001-01-01',
        '1969-12-31',
        '2020-12-31',
        '2021-01-03',
        '2024-02-29',
        '2023-01-01',
        '9999-12-31',
      ]),
    ),
    dice.maybe(
      0.1,
      dice.pick([
        '0012-03-04T05:06:07.890000',
        '1969-12-31T23:59:59.999999',
        '2024-03-10T02:30:00',
        '2024-11-03T01:30:00',
        '2024-12-29T12:00:00.000001',
        '2026-06-15T08:09:10.120000',
      ]),
    ),
    dice.maybe(0.1, dice.pick(['00:00:00', '10:11:12.500000', '23:59:59.999999'])),
    dice.maybe(0.1, dice.pick(['', 'YQ==', 'AP8=', 'w6k='])),
    dice.maybe(
      0.1,
      dice.pick(['0', '1.1', '-2.5', '123456789.123456789', '-0.000000001', '99999999999999999999']),
    ),
    dice.maybe(
      0.1,
      dice.pick(['{"a":1,"b":[1,2,{"c":"x"}]}', '[1,"two",null]', '"text"', 'true', '12', '{}']),
    ),
    dice.pick(['UTC', 'America/New_York', 'Asia/Kolkata', '+05:30', '-8']),
    dice.maybe(
      0.1,
      dice.pick(['alpha', 'Beta', 'gamma delta', 'x=1&y=2', "it's", '<b>"q"</b>', 'back\\slash']),
    ),
    dice.maybe(
      0.1,
      list(dice.below(4), () => dice.maybe(0.2, dice.pick(['a', 'b', 'C']))),
    ),
  ]),
};

const extremeInts = [200n, null, 0n, -1n, 65n, 59n, 1_114_112n, 2n ** 31n, 2n ** 63n - 1n, -(2n ** 63n)];
const extremeDoubles = [1.5, null, 0, -0, 1e15, 1e19, 1e21, Number.MAX_VALUE, 5e-324, Number.NaN, -Infinity];

/** Fields of records, which DuckDB casts before it looks at conditions. */
const records: TestTable = {
  name: 'records',
  columns: columns({ id: int64, r: struct({ n: int64, f: float64 }), rs: array(struct({ n: int64 })) }),
  rows: extremeDoubles.map((f, i) => [
    BigInt(i),
    [extremeInts[i % extremeInts.length] ?? null, f],
    [[extremeInts[i % extremeInts.length] ?? null]],
  ]),
};

export const tables: readonly TestTable[] = [edgeLogs, functionLogs, numbers, kinds, records];
