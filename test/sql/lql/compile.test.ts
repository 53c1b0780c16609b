import { describe, expect, it, test } from 'vitest';
import { compileLql } from '../../../src/sql/lql/compile/compile-lql.ts';
import { counters, edgeLogs, tableOf } from './support/tables.ts';

const sql = (text: string) => compileLql(text, [edgeLogs]);

/** What stands behind WHERE, or the whole query where nothing does. */
const condition = (text: string) => {
  const query = sql(text);
  return /WHERE (.*)\nORDER BY/s.exec(query)?.[1] ?? query;
};

const message = 't.`event_message`';
const timestamp = 't.`timestamp`';
const now = 'TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), SECOND)';
const today = 'TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), DAY)';
const someElement = (test: string) => `EXISTS (SELECT 1 FROM UNNEST(t.\`metadata\`) AS f1_1 WHERE ${test})`;
const someRequest = (test: string) =>
  `EXISTS (SELECT 1 FROM UNNEST(t.\`metadata\`) AS f1_1, UNNEST(f1_1.\`request\`) AS f1_2 WHERE ${test})`;

describe('a filter is a condition on the row', () => {
  test.each<[string, string]>([
    ['error', `STRPOS(${message}, 'error') > 0`],
    ['"two words"', `STRPOS(${message}, 'two words') > 0`],
    ['-error', `(${message} IS NULL OR NOT (STRPOS(${message}, 'error') > 0))`],
    ['404', `STRPOS(${message}, '404') > 0`],
    ['true', `STRPOS(${message}, 'true') > 0`],
    ['NULL', `STRPOS(${message}, 'NULL') > 0`],
    ['~^a', `REGEXP_CONTAINS(${message}, '^a')`],
    [String.raw`~"\d+ \"x\""`, String.raw`REGEXP_CONTAINS(${message}, '\\d+ "x"')`],
    ['-~1', `(${message} IS NULL OR NOT (REGEXP_CONTAINS(${message}, '1')))`],
    ['id:a', "t.`id` = 'a'"],
    ['ID:a', "t.`id` = 'a'"],
    ['id:42', "t.`id` = '42'"],
    ['id:"042"', "t.`id` = '042'"],
    ['id:true', "t.`id` = 'true'"],
    ['id:(a b)', "t.`id` = 'a b'"],
    ['id:"NULL"', "t.`id` = 'NULL'"],
    ['-id:a', "(t.`id` IS NULL OR NOT (t.`id` = 'a'))"],
    ['id:>a', "t.`id` > 'a'"],
    ['n:>=5', 't.`n` >= 5'],
    ['n:"5"', 't.`n` = 5'],
    ['n:042', 't.`n` = 42'],
    ['n:>"-5"', "t.`n` > CAST('-5' AS INT64)"],
    ['-n:<5', '(t.`n` IS NULL OR NOT (t.`n` < 5))'],
    ['n:1..5', 't.`n` BETWEEN 1 AND 5'],
    ['n:>1..5', 't.`n` BETWEEN 1 AND 5'],
    ['-n:1..5', '(t.`n` IS NULL OR NOT (t.`n` BETWEEN 1 AND 5))'],
    ['x:1', 't.`x` = 1.0'],
    ['x:1.5..2', 't.`x` BETWEEN 1.5 AND 2.0'],
    ['x:<"1e-7"', "t.`x` < CAST('1e-7' AS FLOAT64)"],
    ['price:1.50', "t.`price` = NUMERIC '1.5'"],
    ['big:>1', "t.`big` > BIGNUMERIC '1'"],
    ['cached:true', 't.`cached` = TRUE'],
    ['cached:"false"', 't.`cached` = FALSE'],
    ['seen:>2025-01-31', "t.`seen` > TIMESTAMP '2025-01-31 00:00:00+00'"],
    ['seen:>=1738317600', "t.`seen` >= TIMESTAMP '2025-01-31 10:00:00+00'"],
    ['seen:1738317600123', "t.`seen` = TIMESTAMP '2025-01-31 10:00:00.123000+00'"],
    ['seen:1738317600123456', "t.`seen` = TIMESTAMP '2025-01-31 10:00:00.123456+00'"],
    ['seen:"1738317600123456999"', "t.`seen` = TIMESTAMP '2025-01-31 10:00:00.123456+00'"],
    [
      'seen:1738317600..1738317660',
      "t.`seen` BETWEEN TIMESTAMP '2025-01-31 10:00:00+00' AND TIMESTAMP '2025-01-31 10:01:00+00'",
    ],
    ['seen:2025-01-31T10:00:00.5+02:00', "t.`seen` = TIMESTAMP '2025-01-31 08:00:00.500000+00'"],
    ['at:>2025-01-31', "t.`at` > DATETIME '2025-01-31T00:00:00'"],
    ['at:"2025-01-31 10:00:00"', "t.`at` = DATETIME '2025-01-31T10:00:00'"],
    ['day:2025-01-01..2025-01-31', "t.`day` BETWEEN DATE '2025-01-01' AND DATE '2025-01-31'"],
    ['clock:>"10:00:00"', "t.`clock` > TIME '10:00:00'"],
    ['id:~a', "REGEXP_CONTAINS(t.`id`, 'a')"],
    ['id:~"1..2"', "REGEXP_CONTAINS(t.`id`, '1..2')"],
    ['-id:~1', "(t.`id` IS NULL OR NOT (REGEXP_CONTAINS(t.`id`, '1')))"],
    ['id:NULL', 't.`id` IS NULL'],
    ['-id:NULL', 'NOT (t.`id` IS NULL)'],
    ['body:NULL', 't.`body` IS NULL'],
    ['numbers:@>1', '1 IN UNNEST(t.`numbers`)'],
    ['-numbers:@>1', '(t.`numbers` IS NULL OR NOT (1 IN UNNEST(t.`numbers`)))'],
    ['m.level:error', someElement("f1_1.`level` = 'error'")],
    ['metadata.level:error', someElement("f1_1.`level` = 'error'")],
    ['-m.level:error', someElement("(f1_1.`level` IS NULL OR NOT (f1_1.`level` = 'error'))")],
    ['m.level:NULL', someElement('f1_1.`level` IS NULL')],
    ['-m.level:NULL', someElement('NOT (f1_1.`level` IS NULL)')],
    ['m.level:notice..error', someElement("f1_1.`level` IN ('notice', 'warning', 'error')")],
    [
      '-metadata.level:alert..emergency',
      someElement("(f1_1.`level` IS NULL OR NOT (f1_1.`level` IN ('alert', 'emergency')))"),
    ],
    ['m.tags:@>x', someElement("'x' IN UNNEST(f1_1.`tags`)")],
    ['m.tags:@>1', someElement("'1' IN UNNEST(f1_1.`tags`)")],
    [
      'm.tags:@>~1',
      someElement("EXISTS (SELECT 1 FROM UNNEST(f1_1.`tags`) AS item WHERE REGEXP_CONTAINS(item, '1'))"),
    ],
    ['m.user.name:x', someElement("f1_1.`user`.`name` = 'x'")],
    ['m.request.ms:>5', someRequest('f1_2.`ms` > 5.0')],
    ['-m.request.path:~x', someRequest("(f1_2.`path` IS NULL OR NOT (REGEXP_CONTAINS(f1_2.`path`, 'x')))")],
  ])('%s', (text, expected) => {
    expect(condition(text)).toBe(expected);
  });

  it('and each filter looks at elements of its own', () => {
    expect(condition('m.status:1 id:x m.status:2')).toBe(
      [
        someElement('f1_1.`status` = 1'),
        "t.`id` = 'x'",
        someElement('f1_1.`status` = 2').replaceAll('f1_', 'f3_'),
      ].join('\n  AND '),
    );
  });
});

test('a table that another column orders is filtered and ordered by it', () => {
  const placedAt = { name: 'placed_at', type: { kind: 'TIMESTAMP' } } as const;
  const orders = { name: 'orders', columns: [placedAt], time: 'placed_at' };
  expect(compileLql('t:>2026-11-20', [orders])).toBe(
    "SELECT t.*\nFROM `orders` AS t\nWHERE t.`placed_at` > TIMESTAMP '2026-11-20 00:00:00+00'\nORDER BY t.`placed_at` DESC",
  );
});

describe('a time is', () => {
  test.each<[string, string]>([
    ['t:>2025-01-31', `${timestamp} > TIMESTAMP '2025-01-31 00:00:00+00'`],
    ['t:2025-01-31', `${timestamp} = TIMESTAMP '2025-01-31 00:00:00+00'`],
    ['timestamp:<=2025-01-31T10:00:00.25Z', `${timestamp} <= TIMESTAMP '2025-01-31 10:00:00.250000+00'`],
    ['t:<2025-01-31T10:00:00-01:30', `${timestamp} < TIMESTAMP '2025-01-31 11:30:00+00'`],
    ['t:>=1738317600123', `${timestamp} >= TIMESTAMP '2025-01-31 10:00:00.123000+00'`],
    ['t:>=1738317600123456789', `${timestamp} >= TIMESTAMP '2025-01-31 10:00:00.123000+00'`],
    [
      't:2025-01-{05..09}',
      `${timestamp} BETWEEN TIMESTAMP '2025-01-05 00:00:00+00' AND TIMESTAMP '2025-01-09 00:00:00+00'`,
    ],
    [
      '-t:1738317600..1738317660',
      `(${timestamp} IS NULL OR NOT (${timestamp} BETWEEN TIMESTAMP '2025-01-31 10:00:00+00' AND TIMESTAMP '2025-01-31 10:01:00+00'))`,
    ],
    ['t:now', `${timestamp} = ${now}`],
    ['t:<=now', `${timestamp} <= ${now}`],
    ['t:today', `${timestamp} BETWEEN ${today} AND TIMESTAMP_ADD(${today}, INTERVAL 86399 SECOND)`],
    [
      't:yesterday',
      `${timestamp} BETWEEN TIMESTAMP_SUB(${today}, INTERVAL 1 DAY) AND TIMESTAMP_SUB(${today}, INTERVAL 1 SECOND)`,
    ],
    ['t:this@week', `${timestamp} BETWEEN TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), WEEK(MONDAY)) AND ${now}`],
    [
      't:last@5m',
      `${timestamp} BETWEEN TIMESTAMP_SUB(TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), MINUTE), INTERVAL 5 MINUTE) AND ${now}`,
    ],
    ['t:last@2mm', `${timestamp} BETWEEN TIMESTAMP(DATE_SUB(CURRENT_DATE(), INTERVAL 2 MONTH)) AND ${now}`],
  ])('%s', (text, expected) => {
    expect(condition(text)).toBe(expected);
  });

  it('compared as the type of the column is', () => {
    const datetimes = tableOf({ timestamp: 'DATETIME' });
    expect(compileLql('t:>2025-01-31', [datetimes])).toContain(
      "t.`timestamp` > DATETIME(TIMESTAMP '2025-01-31 00:00:00+00')",
    );
    const dates = tableOf({ Timestamp: 'DATE' });
    expect(compileLql('t:>2025-01-31T10:00:00', [dates])).toContain(
      "TIMESTAMP(t.`Timestamp`) > TIMESTAMP '2025-01-31 10:00:00+00'",
    );
    expect(() => compileLql('t:now', [counters])).toThrow('no column timestamp that is a time [at 1:1]');
  });
});

describe('a select names the columns of the result', () => {
  const newestFirst = 'FROM `edge_logs` AS t\nORDER BY t.`timestamp` DESC';
  test.each<[string, string]>([
    ['f:edge_logs', `SELECT t.*\n${newestFirst}`],
    ['s:*', 'SELECT t.`id`, t.`timestamp`, t.`event_message`, '],
    ['s:id s:n', `SELECT t.\`id\`, t.\`n\`\n${newestFirst}`],
    ['s:id select:ID', `SELECT t.\`id\`\n${newestFirst}`],
    ['s:id@a s:id@b', `SELECT t.\`id\` AS \`a\`, t.\`id\` AS \`b\`\n${newestFirst}`],
    ['s:id@T', 'SELECT t_.`id` AS `T`\nFROM `edge_logs` AS t_\nORDER BY t_.`timestamp` DESC'],
    ['s:metadata', `SELECT t.\`metadata\`\n${newestFirst}`],
    [
      's:m.request.path s:m.request.ms@ms s:m.level',
      [
        'SELECT s2.`path` AS `metadata_request_path`, s2.`ms` AS `ms`, s1.`level` AS `metadata_level`',
        'FROM `edge_logs` AS t',
        'LEFT JOIN UNNEST(t.`metadata`) AS s1',
        'LEFT JOIN UNNEST(s1.`request`) AS s2',
        'ORDER BY t.`timestamp` DESC',
      ].join('\n'),
    ],
    ['s:m.user.name', 'SELECT s1.`user`.`name` AS `metadata_user_name`\n'],
  ])('%s', (text, expected) => {
    expect(sql(text).slice(0, expected.length)).toBe(expected);
  });

  it('in no order where the table has no time', () => {
    expect(compileLql('n:1', [counters])).toBe('SELECT t.*\nFROM `counters` AS t\nWHERE t.`n` = 1');
  });
});

describe('a chart counts by time', () => {
  const chart = (period: string, aggregate: string, more: string[] = []) =>
    [
      `SELECT TIMESTAMP_TRUNC(t.\`timestamp\`, ${period}) AS timestamp, ${aggregate}`,
      'FROM `edge_logs` AS t',
      ...more,
      'GROUP BY 1',
      'ORDER BY 1',
    ].join('\n');
  const requests = ['INNER JOIN UNNEST(t.`metadata`) AS c1', 'INNER JOIN UNNEST(c1.`request`) AS c2'];
  test.each<[string, string]>([
    ['c:count(*)', chart('MINUTE', 'COUNT(t.`timestamp`) AS count')],
    ['c:count(m.request.path)', chart('MINUTE', 'COUNT(t.`timestamp`) AS count')],
    ['c:countd(*)', chart('MINUTE', 'COUNT(DISTINCT t.`timestamp`) AS countd')],
    ['c:countd(id)', chart('MINUTE', 'COUNT(DISTINCT t.`id`) AS countd')],
    ['c:group_by(t::s)', chart('SECOND', 'COUNT(t.`timestamp`) AS count')],
    ['chart:sum(n) c:group_by(timestamp::hour)', chart('HOUR', 'SUM(t.`n`) AS sum')],
    ['c:group_by(t::day) c:max(id)', chart('DAY', 'MAX(t.`id`) AS max')],
    ['c:avg(m.request.ms)', chart('MINUTE', 'AVG(c2.`ms`) AS avg', requests)],
    ['c:p50(n)', chart('MINUTE', 'APPROX_QUANTILES(t.`n`, 100)[OFFSET(50)] AS p50')],
    ['c:p95(m.request.ms)', chart('MINUTE', 'APPROX_QUANTILES(c2.`ms`, 100)[OFFSET(95)] AS p95', requests)],
    ['c:p99(price)', chart('MINUTE', 'APPROX_QUANTILES(t.`price`, 100)[OFFSET(99)] AS p99')],
    ['c:sum(n) c:group_by(t::h) c:max(n) c:group_by(t::d) s:id', chart('DAY', 'MAX(t.`n`) AS max')],
    [
      'm.status:5 c:count(*) -x',
      chart('MINUTE', 'COUNT(t.`timestamp`) AS count', [
        'INNER JOIN UNNEST(t.`metadata`) AS f1_1',
        `WHERE f1_1.\`status\` = 5\n  AND (${message} IS NULL OR NOT (STRPOS(${message}, 'x') > 0))`,
      ]),
    ],
  ])('%s', (text, expected) => {
    expect(sql(text)).toBe(expected);
  });

  it('by day where there are days only', () => {
    const days = tableOf({ timestamp: 'DATE' });
    expect(compileLql('c:group_by(t::day)', [days])).toContain('DATE_TRUNC(t.`timestamp`, DAY)');
    expect(() => compileLql('c:count(*)', [days])).toThrow('only charts by day are possible [at 1:1]');
  });
});

describe('a table is chosen', () => {
  it('by its exact name, or for being the only one', () => {
    expect(compileLql('n:1', [counters])).toContain('FROM `counters` AS t');
    expect(compileLql('n:1 f:counters', [edgeLogs, counters])).toContain('FROM `counters` AS t');
  });

  test.each<[string, string]>([
    ['x', 'choose a table with f: and its name, one of edge_logs, counters [at 1:1]'],
    ['x f:counter', 'there is no table counter; there are counters, edge_logs [at 1:5]'],
    ['f:Edge_Logs', 'there is no table Edge_Logs; there are edge_logs, counters [at 1:3]'],
    ['f:counters f:counters', 'only one table can be read [at 1:14]'],
  ])('%s', (text, words) => {
    expect(() => compileLql(text, [edgeLogs, counters])).toThrow(words);
  });

  it('and there must be one', () => {
    expect(() => compileLql('x', [])).toThrow('the endpoint has no tables to read');
  });
});

describe('clauses that are invalid for the table are refused with their position', () => {
  test.each<[string, string]>([
    ['nop:1', 'the table has no field nop; it has n, id, x, '],
    ['request.path:x', 'the table has no field request; it has '],
    ['m.request.pth:x', 'metadata.request has no field pth; it has path, ms [at 1:11]'],
    ['s:m.levle', 'metadata has no field levle; it has level, '],
    ['c:sum(m.request.m)', 'metadata.request has no field m; it has ms, path [at 1:17]'],
    ['c:sum(nope) c:count(*)', 'the table has no field nope; '],
    ['c:count(*) s:nope', 'the table has no field nope; '],
    ['c:count(nope)', 'the table has no field nope; '],
    ['m.level.x:1', 'metadata.level has no fields: it is STRING [at 1:3]'],
    ['m.request:x', 'metadata.request is a record: choose one of its fields, path, ms [at 1:1]'],
    ['-metadata:NULL', 'metadata is a record: choose one of its fields, '],
    ['n:abc', 'expected a whole number from -9223372036854775808 to 9223372036854775807, got "abc" [at 1:3]'],
    ['n:1.5', 'expected a whole number'],
    ['n:1..9223372036854775808', 'got "9223372036854775808" [at 1:6]'],
    [`n:${'9'.repeat(90)}`, `got "${'9'.repeat(60)}…" [at 1:3]`],
    ['x:"1e400"', 'expected a number that fits 64-bit floating point, got "1e400" [at 1:3]'],
    ['cached:maybe', 'expected true or false, got "maybe" [at 1:8]'],
    ['cached:1', 'expected true or false, got "1"'],
    ['cached:>true', 'values of type BOOL have no order [at 1:1]'],
    [
      'seen:2025-02-30',
      'expected a timestamp such as 2025-01-31T10:00:00.123456Z, got "2025-02-30" [at 1:6]',
    ],
    ['at:2025-01-31T10:00:00Z', 'expected a datetime without zone'],
    ['day:2025-01-31T10:00:00', 'expected a date'],
    ['n:~1', 'a regular expression needs text, and this is INT64 [at 1:1]'],
    ['raw:x', "values of type BYTES can't be compared with a text [at 1:5]"],
    ['body:x', "values of type JSON can't be compared with a text [at 1:6]"],
    ['numbers:1', 'this is a list: use :@> or :@>~ [at 1:1]'],
    ['numbers:@>a', 'expected a whole number'],
    ['numbers:@>~1', 'a regular expression needs text, and this is INT64 [at 1:1]'],
    ['id:@>a', 'this is STRING, not a list: use :@> with lists only [at 1:1]'],
    ['c:sum(id)', 'sum needs a number, and this is STRING [at 1:7]'],
    ['c:avg(metadata)', 'avg needs a single value, and this is ARRAY<STRUCT<'],
    ['c:max(body)', 'max needs values that can be compared, and this is JSON [at 1:7]'],
    ['s:m.level s:id@metadata_level', 'there is another column metadata_level in the result [at 1:11]'],
    ['s:* s:n@id', 'there is another column id in the result [at 1:5]'],
  ])('%s', (text, words) => {
    expect(() => sql(text)).toThrow(words);
  });

  it('with the fields that people can choose from', () => {
    expect(() => compileLql('error', [counters])).toThrow(
      'the table has no field event_message; it has n [at 1:1]\nerror\n^',
    );
    expect(() => compileLql('error', [tableOf({ event_message: 'INT64' })])).toThrow(
      'the column event_message is not text',
    );
  });
});
