import { describe, expect, it } from 'vitest';
import { rowRedactor } from '../../../src/calls/redaction/redact-rows.ts';
import { jsonRedactor, textRedactor } from '../../../src/calls/redaction/redact-text.ts';

it('a row has every string redacted at any depth, and nothing else', () => {
  const columns = [
    { name: '1.2.3.4', type: { kind: 'STRING' } },
    { name: 'n', type: { kind: 'NUMERIC' } },
    { name: 'j', type: { kind: 'JSON' } },
    { name: 'b', type: { kind: 'BYTES' } },
    {
      name: 'm',
      type: {
        kind: 'ARRAY',
        element: {
          kind: 'STRUCT',
          fields: [
            { name: 'ip', type: { kind: 'STRING' } },
            { name: 'tags', type: { kind: 'ARRAY', element: { kind: 'STRING' } } },
          ],
        },
      },
    },
  ] as const;
  const row = ['1.2.3.4', '1.2', '["::1",1.5]', 'MTAuMC4wLjE=', [['::1', ['1.1.1.1', null]], null]];
  expect(rowRedactor(columns, ['ip'])(row)).toEqual([
    'REDACTED',
    '1.2',
    '["REDACTED",1.5]',
    'MTAuMC4wLjE=',
    [['REDACTED', ['REDACTED', null]], null],
  ]);
  expect(rowRedactor(columns, [])(row)).toEqual(row);
  expect(rowRedactor(columns, ['ip'])([null, null, null, null, null])).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});

it('a JSON value keeps its keys however long it is', () => {
  const long = 'x'.repeat(1_100_000);
  const redact = rowRedactor([{ name: 'j', type: { kind: 'JSON' } }], ['ip']);
  expect(redact([`{"10.0.0.1":"${long} 10.0.0.2"}`])).toEqual([`{"10.0.0.1":"${long} REDACTED"}`]);
});

describe.each([
  ['a JSON value', jsonRedactor(['ip'])],
  ['a text that is JSON', textRedactor(['ip'])],
])('in %s', (_what, redact) => {
  it.each([
    ['{"1.2.3.4":"1.2.3.4","a":["::1",1.5]}', '{"1.2.3.4":"REDACTED","a":["REDACTED",1.5]}'],
    ['{ "::1" :\t"x ::1"}\n', '{ "::1" :\t"x REDACTED"}\n'],
    ['[1.10, 12345678901234567890.0, 1e400, "::1"]', '[1.10, 12345678901234567890.0, 1e400, "REDACTED"]'],
    ['["a\\/b \\u00e9 10.0.0.1 \\u000a", "\\/"]', '["a\\/b \\u00e9 REDACTED \\u000a", "\\/"]'],
    ['["10\\u002e0\\u002e0\\u002e1!"]', '["REDACTED!"]'],
    ['["\\n10.0.0.1\\"::1\\""]', '["\\nREDACTED\\"REDACTED\\""]'],
    ['"10.0.0.1"', '"REDACTED"'],
    ['{"a":"\\\\"}', '{"a":"\\\\"}'],
  ])('%j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it('a string is searched without its quotes, which would change the meaning of its end', () => {
    expect(redact('{"bind":"host=::","cast":"\'a\'::text"}')).toBe(
      '{"bind":"host=REDACTED","cast":"\'a\'::text"}',
    );
  });

  it('a string that is JSON again is redacted by the same rules', () => {
    const nested = (ip: string) =>
      JSON.stringify({ log: JSON.stringify({ '10.0.0.1': [ip, JSON.stringify({ ip, '::1': 1 })] }) });
    expect(redact(nested('2001:db8::1'))).toBe(nested('REDACTED'));
  });
});

describe('a text that only looks like JSON', () => {
  it.each([
    ['{"10.0.0.1": refused}', '{"REDACTED": refused}'],
    ['{10.0.0.1}', '{REDACTED}'],
    ['["10.0.0.1"', '["REDACTED"'],
    ['at {"10.0.0.1":1}', 'at {"REDACTED":1}'],
  ])('is redacted as a whole: %j becomes %j', (text, expected) => {
    expect(textRedactor(['ip'])(text)).toBe(expected);
  });
});
