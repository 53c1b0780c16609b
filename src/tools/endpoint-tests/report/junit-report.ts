import { formatProblem } from '../../../base/errors/problem.ts';
import { plainFailure } from './failure-text.ts';
import type { CaseResult, FileResult, TestRun } from './result.ts';

interface JunitOptions {
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly hostname: string;
}

/**
 * A run as XML for CI servers. A file is a test suite. An error in a file is a test case of its own with an `error`.
 *
 * The form is that of https://github.com/windyroad/JUnit-Schema, with which the readers of all common servers agree.
 */
export function junitReport(
  { files, problems, milliseconds }: TestRun,
  { startedAt, hostname }: JunitOptions,
): string {
  const timestamp = new Date(startedAt).toISOString().slice(0, 19);
  const others =
    problems.length === 0 ? [] : [{ file: 'endpoints and sources', endpoint: '', problems, cases: [] }];
  const suites = [...files, ...others].map((file, id) => suite(file, { id, timestamp, hostname }));
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return `${head}\n<testsuites name="endpoint-gateway test" time="${seconds(milliseconds)}">\n${suites.join('')}</testsuites>\n`;
}

function suite(
  { file, endpoint, problems, cases }: FileResult,
  { id, timestamp, hostname }: { readonly id: number; readonly timestamp: string; readonly hostname: string },
): string {
  const count = (status: CaseResult['status']) => cases.filter((each) => each.status === status).length;
  const time = cases.reduce((sum, each) => sum + each.milliseconds, 0);
  const attributes = attributeText({
    ...{ id, package: endpoint, name: file, timestamp, hostname },
    tests: cases.length + problems.length,
    failures: count('failed'),
    errors: problems.length,
    skipped: count('skipped'),
    time: seconds(time),
  });
  const tests = [
    ...problems.map((problem) => {
      const text = formatProblem(problem);
      const error = `<error type="error" message="${attribute(text)}">${escaped(text)}</error>`;
      return testCase(`${problem.file}:${problem.line}`, endpoint, 0, error);
    }),
    ...cases.map((each) => testCase(each.name, endpoint, each.milliseconds, contentOf(each))),
  ];
  return `  <testsuite ${attributes}>\n    <properties/>\n${tests.join('')}    <system-out/>\n    <system-err/>\n  </testsuite>\n`;
}

function testCase(name: string, classname: string, milliseconds: number, content: string): string {
  const attributes = attributeText({ name, classname, time: seconds(milliseconds) });
  return content === ''
    ? `    <testcase ${attributes}/>\n`
    : `    <testcase ${attributes}>${content}</testcase>\n`;
}

function contentOf(each: CaseResult): string {
  if (each.status === 'skipped') return '<skipped/>';
  if (each.status === 'passed') return '';
  const message = each.failures.map(({ text }) => text).join('; ');
  return `<failure type="failure" message="${attribute(message)}">${escaped(plainFailure(each))}</failure>`;
}

function attributeText(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${attribute(String(value))}"`)
    .join(' ');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 can't contain most control characters, not even escaped. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** Parsers replace line ends in attributes by spaces, unless they are escaped. */
function attribute(text: string): string {
  return escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
