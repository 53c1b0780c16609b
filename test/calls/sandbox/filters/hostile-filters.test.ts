import { describe, expect, test } from 'vitest';
import { filterCondition, filterLimits } from '../../../../src/sql/filter/filter-condition.ts';
import { filterFields } from '../../../../src/sql/filter/filter-fields.ts';
import { filterJson, parseFilter } from '../../../../src/sql/filter/filter-json.ts';
import { regexpMistake } from '../../../../src/sql/regexp/parse.ts';
import { tokens } from '../../../../src/sql/text/lexer.ts';
import { parseType } from '../../../../src/sql/values/parse-type.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';

const types = {
  text: 'STRING',
  i: 'INT64',
  f: 'FLOAT64',
  n: 'NUMERIC',
  flag: 'BOOL',
  b: 'BYTES',
  ts: 'TIMESTAMP',
  d: 'DATE',
  j: 'JSON',
  'odd `name': 'STRING',
  and: 'STRING',
  request: 'STRUCT<path STRING, status INT64>',
  items: 'ARRAY<STRUCT<k STRING, e1 INT64>>',
  deep: 'ARRAY<STRUCT<deep ARRAY<STRUCT<x INT64>>>>',
  twice: 'STRUCT<a STRING, A STRING, INT64>',
};
const fields = filterFields(
  Object.entries(types).map(([name, type]) => ({ name, type: parseType(type) as SqlType })),
);
const scope = { root: 'where', row: 'r', fields, regexpMistake };
const compiled = (text: string) => filterCondition(parseFilter(text, 'where'), scope);

describe('what is wrong with a filter is named by its path', () => {
  const nested = (levels: number) => `${'{"not":'.repeat(levels)}{"i":{"eq":1}}${'}'.repeat(levels)}`;
  const many = (count: number) =>
    JSON.stringify({ or: Array.from({ length: count }, () => ({ i: { eq: 1 } })) });
  test.each<[string, string]>([
    ['', 'where: not valid JSON at character 1'],
    ['{', 'where: not valid JSON at character 2'],
    ['{"i":{"eq":1}} x', 'where: not valid JSON at character 16'],
    ['null', 'where: expected an object, got null'],
    ['[]', 'where: expected an object, got a list'],
    ['"x"', 'where: expected an object, got the text "x"'],
    ['{"x":{"eq":1}}', 'where.x: there is no such field; known: i, f, n, b'],
    ['{"I":{"eq":1}}', 'where.I: there is no such field; known: i'],
    ['{"i":1}', 'where.i: expected an object, got the number 1'],
    ['{"i":null}', 'where.i: expected an object, got null'],
    ['{"i":{}}', 'where.i: the object is empty'],
    ['{"not":{}}', 'where.not: the object is empty'],
    ['{"and":[{}]}', 'where.and[0]: the object is empty'],
    ['{"and":{}}', 'where.and: expected a list, got an object'],
    ['{"or":null}', 'where.or: expected a list, got null'],
    ['{"or":[{"i":{"eq":1}},{"i":{"eq":"x"}}]}', 'where.or[1].i.eq: expected a whole number'],
    [
      '{"i":{"eq":null}}',
      'where.i.eq: expected a whole number from -9223372036854775808 to 9223372036854775807, got null; isNull',
    ],
    ['{"i":{"in":[1,null]}}', 'where.i.in[1]: expected a whole number'],
    ['{"i":{"in":1}}', 'where.i.in: expected a list, got the number 1'],
    ['{"i":{"eq":1.5}}', 'where.i.eq: expected a whole number'],
    ['{"i":{"eq":9223372036854775808}}', 'where.i.eq: expected a whole number'],
    ['{"i":{"eq":true}}', 'where.i.eq: expected a whole number'],
    ['{"i":{"eq":[1]}}', 'where.i.eq: expected a whole number'],
    ['{"i":{"contains":"1"}}', 'where.i.contains: INT64 has no operator "contains"; known: eq, ne'],
    ['{"i":{"$gt":1}}', 'where.i["$gt"]: INT64 has no operator "$gt"'],
    ['{"i":{"eq":1,"eq":2}}', 'where.i.eq: given several times'],
    ['{"i":{"eq":1},"i":{"eq":2}}', 'where.i: given several times'],
    ['{"f":{"eq":1e400}}', 'where.f.eq: expected a number that fits'],
    ['{"f":{"eq":"NaN"}}', 'where.f.eq: expected a number that fits'],
    ['{"n":{"eq":"1e"}}', 'where.n.eq: expected a decimal number'],
    ['{"flag":{"eq":"true"}}', 'where.flag.eq: expected true or false, got the text "true"'],
    ['{"flag":{"lt":true}}', 'where.flag.lt: BOOL has no operator "lt"'],
    ['{"flag":{"isNull":"yes"}}', 'where.flag.isNull: expected true or false'],
    ['{"b":{"eq":"%"}}', 'where.b.eq: expected padded base64'],
    ['{"ts":{"gt":"yesterday"}}', 'where.ts.gt: expected a timestamp'],
    ['{"ts":{"gt":5}}', 'where.ts.gt: expected a timestamp'],
    ['{"d":{"gt":"2025-02-30"}}', 'where.d.gt: expected a date'],
    ['{"j":{"eq":"{}"}}', 'where.j.eq: JSON has no operator "eq"; known: isNull'],
    ['{"text":{"eq":5}}', 'where.text.eq: expected Unicode text, got the number 5'],
    ['{"text":{"eq":"\\u0000"}}', 'where.text.eq: a text can’t contain the character NUL'],
    ['{"text":{"contains":"\\ud800"}}', 'where.text.contains: expected Unicode text'],
    ['{"text":{"regex":"("}}', 'where.text.regex: Cannot parse regular expression: missing )'],
    [
      '{"text":{"regex":"(?=a)"}}',
      'where.text.regex: Cannot parse regular expression: invalid perl operator',
    ],
    ['{"text":{"regex":"\\\\1"}}', 'where.text.regex: Cannot parse regular expression'],
    [`{"text":{"regex":"${'a'.repeat(1_001)}"}}`, 'where.text.regex: longer than 1,000 characters'],
    ['{"request":{"path":{"regex":"["}}}', 'where.request.path.regex: Cannot parse regular expression'],
    ['{"request":{"eq":1}}', 'where.request.eq: there is no such field; known: path, status.'],
    ['{"items":{"eq":1}}', 'where.items.eq: there is no such field'],
    ['{"items":[{"k":{"eq":"a"}}]}', 'where.items: expected an object, got a list'],
    ['{"and":{"eq":"x"}}', 'where.and: expected a list'],
    ['{"twice":{"a":{"eq":"x"}}}', 'where.twice.a: there is no such field'],
    ['{"__proto__":{"eq":1}}', 'where.__proto__: there is no such field'],
    ['{"constructor":{"eq":1}}', 'where.constructor: there is no such field'],
    ['{"\\ud800":{"eq":1}}', 'where["�"]: there is no such field'],
    [nested(12), `where${'.not'.repeat(12)}: nested too deeply: at most 12 levels`],
    [nested(200), 'where: nested too deeply'],
    [many(100), 'where.or[99].i.eq: the filter has more than 100 conditions'],
    [
      JSON.stringify({ i: { in: Array.from({ length: 1_001 }, () => 1) } }),
      'where.i.in: the filter has more than 1,000 elements of lists',
    ],
  ])('%s', (text, message) => {
    expect(() => compiled(text)).toThrow(message);
    expect(() => compiled(text)).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
  });

  test('within the limits, filters are compiled', () => {
    expect(compiled(many(filterLimits.conditions - 1))).toContain('OR');
    expect(compiled(nested(filterLimits.depth - 2))).toContain('NOT');
    expect(compiled(JSON.stringify({ i: { in: Array.from({ length: 1_000 }, (_, i) => i) } }))).toContain(
      '999',
    );
  });
});

describe('the condition of a filter', () => {
  test.each<[string, string | undefined]>([
    ['{}', undefined],
    ['{"and":[]}', 'TRUE'],
    ['{"or":[]}', 'FALSE'],
    ['{"i":{"in":[]}}', 'FALSE'],
    ['{"i":{"gte":-5,"lt":"7"}}', "(r.`i` >= CAST('-5' AS INT64) AND r.`i` < 7)"],
    ['{"ts":{"gte":1738281600000000}}', "r.`ts` >= TIMESTAMP '2025-01-31 00:00:00+00'"],
    ['{"odd `name":{"eq":"it\'s \\\\"}}', "r.`odd \\`name` = 'it\\'s \\\\'"],
    ['{"not":{"text":{"isNull":true}}}', 'NOT (r.`text` IS NULL)'],
    [
      '{"items":{"k":{"eq":"a"},"e1":{"gt":0}}}',
      "EXISTS (SELECT 1 FROM UNNEST(r.`items`) AS e2 WHERE (e2.`e1` > 0 AND e2.`k` = 'a'))",
    ],
    [
      '{"deep":{"deep":{"x":{"eq":1}}}}',
      'EXISTS (SELECT 1 FROM UNNEST(r.`deep`) AS e2 WHERE EXISTS (SELECT 1 FROM UNNEST(e2.`deep`) AS e3 WHERE e3.`x` = 1))',
    ],
  ])('%s', (text, sql) => {
    expect(compiled(text)).toBe(sql);
  });

  test('is the same in another order of members, and another for another filter', () => {
    const same = ['{"i":{"gt":1,"lt":5},"text":{"eq":"a"}}', '{"text":{"eq":"a"},"i":{"lt":5,"gt":1}}'];
    expect(new Set(same.map(compiled)).size).toBe(1);
    const others = [
      '{"i":{"gt":1}}',
      '{"i":{"gte":1}}',
      '{"i":{"gt":2}}',
      '{"f":{"gt":1}}',
      '{"not":{"i":{"gt":1}}}',
    ];
    expect(new Set(others.map(compiled)).size).toBe(others.length);
  });

  test('has each text of the caller as one literal, whatever it contains', () => {
    const texts = [
      "'",
      "\\'",
      "') OR TRUE --",
      '`',
      '/*',
      '\n',
      '\r\n',
      '\u2028',
      '@x',
      '?',
      '$x',
      '\\u0000',
      '#',
    ];
    for (const text of texts) {
      const sql = filterCondition(filterJson({ text: { eq: text } }), scope) ?? '';
      const kinds = [...tokens(sql)].map(({ kind }) => kind);
      const plain = [...tokens(filterCondition(filterJson({ text: { eq: 'a' } }), scope) ?? '')].map(
        ({ kind }) => kind,
      );
      expect(kinds, text).toEqual(plain);
    }
  });
});
