import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { formatProblem } from '../../../src/base/errors/problem.ts';
import { expectationKinds, testFileSchema } from '../../../src/tools/endpoint-tests/cases/test-file.ts';
import { readTestFile } from '../../../src/tools/endpoint-tests/read-test-file.ts';

const problemsOf = (text: string) => readTestFile('t', text).problems.map(formatProblem);
const withCase = (text: string) => `cases:\n  - name: one\n${text.replace(/^/gm, '    ')}`;

describe('a test file', () => {
  test('has cases with rows, parameters and an expectation', () => {
    const { cases, problems } = readTestFile(
      't',
      `now: 2026-11-20T12:00:00Z
rows: {a: [{id: x}], b: [{id: y}]}
cases:
  - name: one
    rows: {b: []}
    addRows: {a: [{id: z}]}
    parameters: {n: 12345678901234567890, flag: true}
    lql: f:a
    expect: {count: 1}
  - name: two
    now: 2026-01-01
    expect: {empty: true}
`,
    );
    expect(problems).toEqual([]);
    const [one, two] = cases;
    expect(one).toMatchObject({ name: 'one', now: 1_795_176_000_000_000n, place: { line: 4, column: 5 } });
    expect(one?.rows.map(({ path }) => path.join('.'))).toEqual([
      'rows.a',
      'cases.0.rows.b',
      'cases.0.addRows.a',
    ]);
    expect(String(one?.parameters.get('n'))).toBe('12345678901234567890');
    expect(one?.query).toEqual({ language: 'lql', text: 'f:a' });
    expect(two?.now).toBe(1_767_225_600_000_000n);
  });

  test('has rows for all cases, whatever their source is called', () => {
    const shared = 'rows: {constructor: [{id: x}]}\n';
    const { cases } = readTestFile('t', `${shared}${withCase('expect: {count: 1}')}`);
    expect(cases[0]?.rows.map(({ source }) => source)).toEqual(['constructor']);
  });

  test.each([
    ['', ['t:1:1: "cases" is missing']],
    [
      withCase('parameters: &all {a: [*all]}\nexpect: {count: 1}'),
      ['t:3:27: YAML: an alias is within what it stands for, which would have no end'],
    ],
    ['rows: {a: *none}', ['t:1:11: YAML: there is no anchor &none before this alias']],
    [
      withCase('parameters: {__proto__: 5}\nexpect: {contains: [{a: {"__proto__": 9}}]}'),
      ['t:3:18: YAML: a test file has no key "__proto__": give the column or parameter another name'],
    ],
    [
      withCase('sql: &key __proto__\nexpect: {contains: [{*key : 9}]}'),
      ['t:4:26: YAML: a test file has no key "__proto__": give the column or parameter another name'],
    ],
    ['cases: []', ['t:1:8: "cases": expected at least one case']],
    [
      'cases: {',
      ['t:1:9: YAML: Flow map in block collection must be sufficiently indented and end with a }'],
    ],
    ['csaes: []', ['t:1:1: "cases" is missing', 't:1:1: Unknown key "csaes". Did you mean "cases"?']],
    [
      'now: soon\ncases: []',
      [
        't:1:6: "now": expected a time such as 2026-11-20T12:00:00Z, got "soon"',
        't:2:8: "cases": expected at least one case',
      ],
    ],
    [
      withCase('expect: {}'),
      ['t:3:5: "expect" is empty: expected rows, an error or properties such as count'],
    ],
    [withCase('expect: {count: 1.5}'), ['t:3:21: "cases[0].expect.count": expected a whole number from 0']],
    [
      withCase('expect: {rows: [], count: 1}'),
      ['t:3:5: "expect" has "rows" and "count": a case expects rows, an error or properties'],
    ],
    [withCase('expect: {ordered: false}'), ['t:3:14: "ordered" belongs to "rows", which is missing']],
    [withCase('expect: {minCount: 2, maxCount: 1}'), ['t:3:14: "minCount" is larger than "maxCount": 2 > 1']],
    [withCase('expect: {error: {cod: BAD_USER_INPUT}}'), ['t:3:22: Unknown key "cod". Did you mean "code"?']],
    [withCase('expect: {empty: true, count: 2}'), ['t:3:14: "empty" contradicts "count": 2']],
    [withCase('expect: {empty: true, minCount: 1}'), ['t:3:14: "empty" contradicts "minCount": 1']],
    [withCase('expect: {empty: false, count: 0}'), ['t:3:14: "empty" contradicts "count": 0']],
    [withCase('expect: {empty: false, maxCount: 0}'), ['t:3:14: "empty" contradicts "maxCount": 0']],
    [withCase('expect: {empty: true, count: 0, truncated: false}'), []],
    [withCase('expect: {empty: false, count: 2}'), []],
    [
      withCase('expect: {error: {code: BAD_INPUT}}'),
      ['t:3:28: "cases[0].expect.error.code": unknown error code "BAD_INPUT"'],
    ],
    [withCase('sql: a\nlql: b\nexpect: {count: 1}'), ['t:4:5: A case has either "sql" or "lql", not both']],
    [
      withCase('rows: {logs: {fil: x}}\nexpect: {count: 1}'),
      ['t:3:18: "cases[0].rows.logs": expected a list of rows, or `file:` with the path of a file of rows'],
    ],
    [
      `${withCase('expect: {count: 1}')}\n  - name: one\n    expect: {count: 1}`,
      ['t:4:11: Two cases have the name "one"'],
    ],
  ])('%j has errors with their places', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test('may have thousands of cases that share rows by an alias', () => {
    const cases = Array.from(
      { length: 3000 },
      (_, index) => `  - {name: c${index}, rows: {a: *r}, expect: {count: 1}}\n`,
    );
    const read = readTestFile('t', `rows: {b: &r [{id: x}, {id: y}]}\ncases:\n${cases.join('')}`);
    expect(read.problems).toEqual([]);
    expect(read.cases).toHaveLength(3000);
    expect(read.cases[2999]?.rows.find(({ source }) => source === 'a')?.given).toEqual([
      { id: 'x' },
      { id: 'y' },
    ]);
  });

  test('has no aliases that multiply', () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `  a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`).join(', ')}]\n`,
    );
    expect(problemsOf(`rows:\n  a0: &a0 [x]\n${levels.join('')}cases: []`)).toEqual([
      expect.stringMatching(/^t:8:\d+: YAML: with this alias, aliases repeat more than 2,000,000 values\. /),
    ]);
  });

  test('has at most 20,000 anchors and aliases', () => {
    const rows = `rows: {a: [&x 1, ${Array(20_000).fill('*x').join(', ')}]}`;
    expect(problemsOf(rows)).toEqual([
      't:1:80014: YAML: more than 20,000 anchors and aliases. Divide the file, or put rows into a file',
    ]);
  });

  test('has expectations of some kind, each with a key of the schema', () => {
    const { expect: schema } = testFileSchema.shape.cases.element.shape;
    expect(Object.values(expectationKinds).flat().toSorted()).toEqual(Object.keys(schema.shape).toSorted());
  });

  test('keeps the digits of all expected rows', () => {
    for (const key of ['rows', 'contains', 'excludes'] as const) {
      const { cases } = readTestFile('t', withCase(`expect: {${key}: [{n: 12345678901234567890}]}`));
      expect(String(cases[0]?.expectation[key]?.[0]?.n)).toBe('12345678901234567890');
    }
  });

  test('is described by a JSON Schema', () => {
    const schema = z.toJSONSchema(testFileSchema);
    expect(schema).toMatchObject({ type: 'object', required: ['cases'], additionalProperties: false });
    expect(JSON.stringify(schema)).toContain('"BAD_USER_INPUT"');
  });
});
