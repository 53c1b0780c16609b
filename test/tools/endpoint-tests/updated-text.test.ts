import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJsonObject } from '../../../src/base/text/exact-json.ts';
import { readTestFile } from '../../../src/tools/endpoint-tests/read-test-file.ts';
import { updatedText } from '../../../src/tools/endpoint-tests/updated-text.ts';

/** The text with the actual rows of each case. */
function update(text: string, ...actual: (readonly string[])[]): string | undefined {
  const { cases, problems } = readTestFile('t', text);
  expect(problems).toEqual([]);
  const updates = actual.map((rows, index) => {
    const test = cases[index];
    if (test === undefined) throw new Error(`No case ${index}`);
    return { test, rows: rows.map(readJsonObject) };
  });
  return updatedText(text, updates);
}

const file = (expectation: string) => `# Head
cases:
    # The first.
    - name: 'one'
      expect:
${expectation.replace(/^/gm, '        ')}
    - { name: two, expect: { count: 1 } } # end
`;

describe('updating expected rows', () => {
  test('keeps everything else, rows that are as expected, and their comments', () => {
    const before = file(`rows:
  # about a
  - {id: a,   n: 1}   # same
  - id: b # changes
    n: 2 # from two
  # about c
  - { id: c, n: 3 }
ordered: false`);
    expect(update(before, ['{"id":"a","n":1}', '{"id":"b","n":20}', '{"id":"c","n":4}'])).toBe(
      before.replace('n: 2 # from', 'n: 20 # from').replace('n: 3 }', 'n: 4 }'),
    );
  });

  test('adds and removes rows', () => {
    const before = file('rows:\n  - { id: a }\n  - { id: b }');
    expect(update(before, ['{"id":"b"}', '{"id":"c"}'])).toBe(file('rows:\n  - { id: b }\n  - { id: c }'));
    expect(update(before, [])).toBe(file('rows: []'));
    expect(update(file('rows: []'), ['{"id":"a"}'])).toBe(file('rows:\n  - { id: a }'));
    expect(update(file('rows: [{ id: a }, { id: b }]'), ['{"id":"b"}'])).toBe(file('rows:\n  - { id: b }'));
  });

  test('writes long rows over several lines, and values that stay what they are', () => {
    const long = 'x'.repeat(100);
    const row = `{"long":"${long}","text":"1","yes":"true","time":"2026-11-20T00:00:00","n":12345678901234567890,"f":3.0,"none":null,"list":[],"nested":[{"a":[1,"#"]}]}`;
    const after = update(file('rows: []'), [row]) ?? '';
    expect(after).toContain(`\n          - long: ${long}\n            text: "1"\n            yes: "true"\n`);
    expect(after).toContain('f: 3.0\n');
    expect(update(after, [row])).toBe(after);
    expect(readTestFile('t', after).cases[0]?.expectation.rows).toEqual([readJsonObject(row)]);
  });

  test.each(['rows: []', 'rows: [{ n: 0 }]', 'rows:\n  - { n: 0 }', 'rows:\n  - n: 0'])(
    'writes numbers with all digits, and names that mean something else in YAML, into %j',
    (expectation) => {
      const rows = [
        '{"n":0.12345678901234567890123}',
        '{"n":{"large":[1e400,-1E-400],"more":12345678901234567890.50}}',
        '{"n":-0,"<<":{"<<":1},"=":2,"true":3,"4":5}',
      ];
      const after = update(file(expectation), rows) ?? '';
      expect(readTestFile('t', after).cases[0]?.expectation.rows).toEqual(rows.map(readJsonObject));
      expect(update(after, rows)).toBe(after);
    },
  );

  test('writes any rows so that they are read again', () => {
    // The parser of test files leaves it out.
    const name = fc.string({ unit: 'binary' }).filter((text) => text !== '__proto__');
    const row = fc.dictionary(name, fc.jsonValue(), { noNullPrototype: true });
    const rows = fc.array(row, { maxLength: 3 });
    const before = fc.constantFrom('rows: []', 'rows:\n  - { n: 0 }', 'rows:\n  - n: 0');
    fc.assert(
      fc.property(rows, before, (values, expectation) => {
        const texts = values.map((row) => JSON.stringify(row));
        const after = update(file(expectation), texts) ?? '';
        expect(readTestFile('t', after).cases[0]?.expectation.rows).toEqual(texts.map(readJsonObject));
      }),
    );
  });

  test('writes the columns that a partial expectation names', () => {
    const rows = ['{"id":"a","n":1}', '{"id":"b","n":2}'];
    expect(update(file('partial: true\nrows: [{ n: 0 }]'), rows)).toBe(
      file('partial: true\nrows:\n  - { n: 1 }\n  - { n: 2 }'),
    );
  });

  test('quotes texts that mean something else within braces', () => {
    const before = file('rows:\n  - { id: a }');
    expect(update(before, ['{"id":"a, b: [c"}'])).toBe(file('rows:\n  - { id: "a, b: [c" }'));
  });

  test('changes several cases of a file', () => {
    const text = `cases:
  - name: one
    expect: { rows: [] }
  - name: two
    expect:
      rows:
        - { id: a }
`;
    const after = update(text, ['{"id":"x"}'], ['{"id":"y"}']) ?? '';
    expect(after.replace(/\s+/g, ' ')).toContain('- { id: y }');
    const { cases } = readTestFile('t', after);
    expect(cases.map(({ expectation }) => expectation.rows)).toEqual([[{ id: 'x' }], [{ id: 'y' }]]);
  });

  test('refuses rows that are an alias', () => {
    const text = 'rows: { a: &rows [{ id: a }] }\ncases:\n  - name: one\n    expect: { rows: *rows }\n';
    expect(update(text, [])).toBeUndefined();
  });
});
