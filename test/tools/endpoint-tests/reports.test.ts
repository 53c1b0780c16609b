import { basename, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noPaint } from '../../../src/base/terminal/paint.ts';
import { readJsonObject } from '../../../src/base/text/exact-json.ts';
import { coverageLines } from '../../../src/tools/endpoint-tests/report/coverage-report.ts';
import { endLines, fileLines } from '../../../src/tools/endpoint-tests/report/default-report.ts';
import { differenceTable } from '../../../src/tools/endpoint-tests/report/failure-text.ts';
import { githubReport } from '../../../src/tools/endpoint-tests/report/github-report.ts';
import { jsonReport } from '../../../src/tools/endpoint-tests/report/json-report.ts';
import { junitReport } from '../../../src/tools/endpoint-tests/report/junit-report.ts';
import type { TestRun } from '../../../src/tools/endpoint-tests/report/result.ts';

const at = (line: number) => ({ line, column: 5 });
const run: TestRun = {
  milliseconds: 1234,
  problems: [{ file: 'sources/a.json', line: 2, column: 1, text: 'not JSON' }],
  files: [
    {
      file: 'endpoints/a.test.yaml',
      endpoint: 'a',
      problems: [],
      cases: [
        { name: 'good', index: 0, place: at(3), status: 'passed', milliseconds: 12.4, failures: [] },
        {
          ...{ name: 'bad: <&"\u0001', index: 1, place: at(7), status: 'failed', milliseconds: 400 },
          failures: [{ key: 'count', text: 'expected 2 rows, got 1', actual: [readJsonObject('{"n":1}')] }],
          rows: [readJsonObject('{"n":12345678901234567890}')],
        },
        {
          name: 'later',
          index: 2,
          place: at(9),
          status: 'skipped',
          milliseconds: 0,
          reason: 'soon',
          failures: [],
        },
      ],
    },
    {
      file: 'endpoints/b.test.yaml',
      endpoint: 'b',
      problems: [{ file: 'endpoints/b.test.yaml', line: 4, column: 2, text: '100 % wrong,\nreally' }],
      cases: [],
    },
  ],
};
const options = { paint: noPaint, quiet: false };

describe('the default report', () => {
  test('gives a terminal and GitHub no commands that come from files and rows', () => {
    const command = '\n::stop-commands::\u001b[2J\u009b';
    const row = { [`path${command}`]: command, nested: [command] };
    const marked = { '::debug::column': '::warning file=a::cell', text: 'a ##[stop-commands]b' };
    const same = { expected: marked, actual: marked, isSame: true };
    const pairs = [same, { actual: { ...marked, text: 'b' }, isSame: false }];
    const file = {
      ...{ file: '::debug::\u001b[2J.test.yaml', endpoint: '::debug::a' },
      problems: [{ file: 'a.test.yaml', line: 1, column: 1, text: `unknown key ${command}` }],
      cases: [
        {
          ...({ name: `one${command}`, index: 0, place: at(1), status: 'failed', milliseconds: 1 } as const),
          failures: [
            { key: 'count' as const, text: `two\nlines${command}`, actual: [row] },
            { key: 'empty' as const, text: '::debug::text', actual: [marked] },
            {
              ...{ key: 'rows' as const, text: 'rows differ' },
              rows: { pairs, partial: false, columns: Object.keys(marked) },
            },
          ],
        },
        {
          name: 'x',
          index: 1,
          place: at(2),
          status: 'skipped',
          milliseconds: 0,
          reason: command,
          failures: [],
        } as const,
      ],
    };
    const all = { milliseconds: 1, files: [file], problems: file.problems };
    const item = { kind: 'column', text: command, isCovered: false } as const;
    const lines = [
      ...fileLines(file, options),
      ...endLines(all, options),
      ...coverageLines([{ endpoint: file.endpoint, file: file.file, items: [item] }], noPaint),
    ];
    expect(lines.filter((line) => /\p{Cc}|^\s*::|##\[/u.test(line))).toEqual([]);
    expect(lines).toContain('  two');
    expect(lines).toContain('· ::debug::\\u001b[2J.test.yaml');
    expect(lines).toContain('      "::warning file=a::cell"  a ##\\u005bstop-commands]b');
    const xml = junitReport(all, { startedAt: 0, hostname: 'here' });
    expect(xml.split('\n').filter((line) => /^\s*::/.test(line))).toEqual([]);
  });

  test('has a line for each case, what failed, and a summary', () => {
    const [first = run.files[0], second = run.files[1]] = [run.files[0], run.files[1]];
    if (first === undefined || second === undefined) throw new Error('No files');
    expect(fileLines(first, options)).toEqual([
      'endpoints/a.test.yaml',
      '  ✓ good (12 ms)',
      '  ✗ bad: <&"\\u0001 (400 ms)',
      '  - later (skipped: soon)',
      '',
    ]);
    expect(fileLines(first, { ...options, quiet: true })).toHaveLength(3);
    expect(fileLines(second, options)[1]).toBe('  ✗ endpoints/b.test.yaml:4:2: 100 % wrong,\\nreally');
    expect(endLines(run, options)).toEqual([
      'sources/a.json:2:1: not JSON',
      '',
      '✗ a: bad: <&"\\u0001 endpoints/a.test.yaml:7',
      '  expected 2 rows, got 1',
      '      n',
      '      1',
      '',
      '2 errors, 1 failed, 1 passed, 1 skipped (3 cases in 2 files, 1.23 s)',
    ]);
  });
});

test('what steers a terminal is escaped, and wide characters have their places', () => {
  const expected = { n: '日本', text: 'a' };
  const actual = { n: '日本', text: 'red \u001b[31m' };
  const rows = { pairs: [{ expected, actual, isSame: false }], partial: false, columns: ['n', 'text'] };
  expect(differenceTable(rows, noPaint)).toEqual(['  n     text', '- 日本  a', '+ 日本  red \\u001b[31m']);
});

test('annotations of GitHub escape what has a meaning there', () => {
  expect(githubReport(run).split('\n')).toEqual([
    '::error file=sources/a.json,line=2,col=1,title=Error::not JSON',
    '::error file=endpoints/b.test.yaml,line=4,col=2,title=Error::100 %25 wrong,%0Areally',
    '::error file=endpoints/a.test.yaml,line=7,col=5,title=a%3A bad%3A <&"\\u0001::expected 2 rows, got 1%0A    n%0A    1',
    '',
  ]);
});

test('annotations of GitHub have no control characters', () => {
  const text = 'one \u001b[2J\ntwo\u0007\r\nthree\u009b';
  const report = githubReport({ files: [], problems: [{ file: 'a\u001b\n.sql', line: 1, column: 1, text }] });
  expect(report).toBe(
    '::error file=a\\u001b\\n.sql,line=1,col=1,title=Error::one \\u001b[2J%0Atwo\\u0007%0Athree\\u009b\n',
  );
});

test('annotations of GitHub name files as seen from the repository', () => {
  const inRepository = githubReport(run, resolve('..'));
  expect(inRepository).toContain(`file=${basename(resolve('.'))}/endpoints/a.test.yaml,line=7`);
});

test('JUnit has a suite for each file, and errors as cases', () => {
  const xml = junitReport(run, { startedAt: Date.UTC(2026, 10, 20, 12), hostname: 'here' });
  expect(xml).toContain(
    '<testsuite id="0" package="a" name="endpoints/a.test.yaml" timestamp="2026-11-20T12:00:00" hostname="here" tests="3" failures="1" errors="0" skipped="1" time="0.412">',
  );
  expect(xml).toContain('<testcase name="good" classname="a" time="0.012"/>');
  expect(xml).toContain(
    '<testcase name="bad: &lt;&amp;&quot;\uFFFD" classname="a" time="0.400"><failure type="failure" message="expected 2 rows, got 1">expected 2 rows, got 1\n    n\n    1</failure></testcase>',
  );
  expect(xml).toContain('<testcase name="later" classname="a" time="0.000"><skipped/></testcase>');
  expect(xml).toContain('<error type="error" message="endpoints/b.test.yaml:4:2: 100 % wrong,\\nreally">');
  expect(xml.match(/<testsuite /g)).toHaveLength(3);
  expect(xml.match(/<\/testsuite>/g)).toHaveLength(3);
});

test('JSON keeps the digits of rows', () => {
  const text = jsonReport({ ...run, coverage: [] });
  expect(text).toContain('"rows":[{"n":12345678901234567890}]');
  expect(JSON.parse(text)).toMatchObject({
    summary: { passed: 1, failed: 1, skipped: 1, updated: 0, errors: 2, milliseconds: 1234 },
    files: [
      {
        cases: [
          { name: 'good', status: 'passed', line: 3, column: 5 },
          { status: 'failed' },
          { reason: 'soon' },
        ],
      },
      {},
    ],
    coverage: { percent: 100, endpoints: [] },
  });
});

test('the table of coverage rounds down, and names what is not covered', () => {
  const item = (text: string, isCovered: boolean) => ({ kind: 'column', text, isCovered }) as const;
  const items = [...Array.from({ length: 299 }, (_, n) => item(`c${n}`, true)), item('last', false)];
  expect(coverageLines([{ endpoint: 'a', file: 'a.sql', items }], noPaint)).toEqual([
    'Coverage  Parameters  Branches  Columns   All',
    'a                  –         –  299/300  99 %',
    '',
    'Not covered of a:',
    '  column last',
  ]);
});
