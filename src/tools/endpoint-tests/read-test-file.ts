import { isScalar, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { positionAt } from '../../base/errors/problem.ts';
import type { Json } from '../../base/text/exact-json.ts';
import { isJsonNumber, JsonNumber } from '../../base/text/json-number.ts';
import { suggestion } from '../../base/text/suggest.ts';
import { yamlOffset } from '../../base/text/yaml-offset.ts';
import { jsonStyle } from '../../rows/formats/render/json-style.ts';
import { parseTimestamp } from '../../sql/values/timestamp-text.ts';
import type { GivenSourceRows, TestCase, TestFile } from './cases/test-file.ts';
import {
  type CaseData,
  type Expectation,
  type ExpectationKind,
  errorSchema,
  expectationKinds,
  expectedRowsKeys,
  type GivenRows,
  type TestFileData,
  testFileSchema,
} from './cases/test-file.ts';
import { yamlFault } from './yaml-fault.ts';

type Path = readonly (string | number)[];

/** The keys below which values belong to rows and parameters. Their numbers keep all digits. */
const exactKeys: ReadonlySet<string> = new Set(['rows', 'addRows', 'parameters', ...expectedRowsKeys]);

/**
 * Reads and checks a test file, without its endpoint and its sources. Reports all errors at once.
 *
 * @param file the file's name in messages
 */
export function readTestFile(file: string, text: string): TestFile {
  const document = parseDocument(text, { merge: true, logLevel: 'error' });
  const root = document.contents;
  const locate: TestFile['locate'] = (path, what = 'key') =>
    positionAt(text, yamlOffset(root, path, what) ?? 0);
  const unread = { file, text, cases: [], locate };
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    const problems = broken.map((error) => ({
      file,
      ...positionAt(text, error.pos[0]),
      text: `YAML: ${error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')}`,
    }));
    return { ...unread, problems };
  }
  const fault = yamlFault(document);
  if (fault !== undefined)
    return { ...unread, problems: [{ file, ...positionAt(text, fault.offset), text: fault.text }] };
  visit(document, {
    Pair(_key, { key, value }) {
      if (isScalar(key) && exactKeys.has(String(key.value))) keepDigits(value);
    },
  });
  let data: unknown;
  try {
    // `yamlFault` bounds what aliases repeat.
    data = document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...unread, problems: [{ file, line: 1, column: 1, text: `YAML: ${reason}` }] };
  }
  const parsed = testFileSchema.safeParse(data ?? {}, { reportInput: true });
  if (!parsed.success) {
    const found = parsed.error.issues.flatMap(explain);
    return {
      ...unread,
      problems: found.map(({ path, text, what }) => ({ file, ...locate(path, what), text })),
    };
  }
  const problems = checks(parsed.data).map(({ path, text, what }) => ({ file, ...locate(path, what), text }));
  if (problems.length > 0) return { ...unread, problems };
  return {
    ...unread,
    problems,
    cases: parsed.data.cases.map((each, index) => testCase(parsed.data, each, index, locate)),
  };
}

/** Replaces numbers by their source text. */
function keepDigits(part: unknown): void {
  visit(part as Parameters<typeof visit>[0], {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'number') return;
      const { source = '', value } = node;
      if (isJsonNumber(source)) node.value = new JsonNumber(source);
      // As imports read them.
      else node.value = Number.isFinite(value) ? new JsonNumber(JSON.stringify(value)) : String(value);
    },
  });
}

interface Finding {
  readonly path: Path;
  readonly text: string;
  readonly what: 'key' | 'value';
}

function explain(issue: z.core.$ZodIssue): Finding[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  const name = shownPath(path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      text: `Unknown key "${key}"${suggestion(key, keysAt(path))}`,
      what: 'key' as const,
    }));
  }
  if (issue.code === 'invalid_type' && issue.input === undefined && path.length > 0) {
    return [{ path: path.slice(0, -1), text: `"${path.at(-1)}" is missing`, what: 'key' }];
  }
  const where = name === '' ? '' : `"${name}": `;
  return [{ path, text: `${where}${issue.message.replace(/^Invalid input: /, '')}`, what: 'value' }];
}

/** The known keys of the part of a file at a path. */
function keysAt(path: Path): readonly string[] {
  const known: Readonly<Record<string, readonly string[]>> = {
    '': Object.keys(testFileSchema.shape),
    cases: Object.keys(testFileSchema.shape.cases.element.shape),
    'cases.expect': Object.values(expectationKinds).flat(),
    'cases.expect.error': Object.keys(errorSchema.shape),
  };
  return known[path.filter((part) => typeof part === 'string').join('.')] ?? [];
}

/** Such as `cases[0].expect.count`. */
function shownPath(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function checks({ cases }: TestFileData): Finding[] {
  const findings: Finding[] = [];
  const add = (path: Path, text: string, what: 'key' | 'value' = 'key') =>
    findings.push({ path, text, what });
  const names = new Map<string, number>();
  for (const [index, each] of cases.entries()) {
    const at = (...rest: Path) => ['cases', index, ...rest];
    const same = names.get(each.name);
    if (same !== undefined) add(at('name'), `Two cases have the name "${each.name}"`, 'value');
    names.set(each.name, index);
    if (each.sql !== undefined && each.lql !== undefined)
      add(at('lql'), 'A case has either "sql" or "lql", not both');
    for (const [rest, text] of expectationFindings(each.expect)) add(at('expect', ...rest), text);
  }
  return findings;
}

function* expectationFindings(expect: Expectation): Generator<[Path, string]> {
  const kinds = kindsIn(expect);
  const [kind, other] = kinds;
  if (kind === undefined) {
    yield [[], '"expect" is empty: expected rows, an error or properties such as count'];
    return;
  }
  if (other !== undefined) {
    const keys = kinds.map((each) => `"${expectationKinds[each].find((key) => expect[key] !== undefined)}"`);
    yield [[], `"expect" has ${keys.join(' and ')}: a case expects rows, an error or properties`];
    return;
  }
  if (kind === 'rows' && expect.rows === undefined) {
    const key = expect.ordered === undefined ? 'partial' : 'ordered';
    yield [[key], `"${key}" belongs to "rows", which is missing`];
  }
  if (expect.error !== undefined && Object.keys(expect.error).length === 0)
    yield [['error'], '"error" is empty: expected a code, a message or a parameter'];
  const { empty, count, minCount, maxCount } = expect;
  if (count !== undefined && (minCount !== undefined || maxCount !== undefined))
    yield [['count'], '"count" is exact, so "minCount" and "maxCount" say nothing'];
  if (minCount !== undefined && maxCount !== undefined && minCount > maxCount)
    yield [['minCount'], `"minCount" is larger than "maxCount": ${minCount} > ${maxCount}`];
  if (empty !== undefined && count !== undefined && empty !== (count === 0))
    yield [['empty'], `"empty" contradicts "count": ${count}`];
  if (empty === true && minCount !== undefined && minCount > 0)
    yield [['empty'], `"empty" contradicts "minCount": ${minCount}`];
  if (empty === false && maxCount === 0) yield [['empty'], '"empty" contradicts "maxCount": 0'];
}

function kindsIn(expect: Expectation): ExpectationKind[] {
  const kinds = Object.keys(expectationKinds) as ExpectationKind[];
  return kinds.filter((kind) => expectationKinds[kind].some((key) => expect[key] !== undefined));
}

function testCase(
  { now: sharedNow, rows: shared = {}, timestamps = 'micros', json = 'text' }: TestFileData,
  each: CaseData,
  index: number,
  locate: TestFile['locate'],
): TestCase {
  const { name, skip, now = sharedNow, rows: own = {}, addRows = {}, parameters = {}, sql, lql } = each;
  const micros = now === undefined ? undefined : parseTimestamp(now);
  const text = sql ?? lql;
  const remaining = Object.fromEntries(
    Object.entries(shared).filter(([source]) => !Object.hasOwn(own, source)),
  );
  return {
    name,
    index,
    place: locate(['cases', index]),
    ...(skip !== undefined && { skip }),
    ...(micros !== undefined && { now: micros }),
    rows: [
      ...rowsBySource(remaining, ['rows']),
      ...rowsBySource(own, ['cases', index, 'rows']),
      ...rowsBySource(addRows, ['cases', index, 'addRows']),
    ],
    parameters: new Map(Object.entries(parameters as Record<string, Json>)),
    ...(text !== undefined && { query: { language: sql === undefined ? 'lql' : 'sql', text } as const }),
    expectation: each.expect,
    style: jsonStyle({ timestamps, json }),
  };
}

function rowsBySource(given: GivenRows, path: Path): GivenSourceRows[] {
  return Object.entries(given).map(([source, rows]) => ({ source, given: rows, path: [...path, source] }));
}
