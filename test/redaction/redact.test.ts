import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowRedactor } from '../../src/redaction/redact-rows.ts';
import { redactText } from '../../src/redaction/redact-text.ts';

describe('addresses in a text', () => {
  it.each([
    ['GET | 200 | 10.1.2.3 | x', 'GET | 200 | REDACTED | x'],
    ['https://10.1.2.3:80/a', 'https://REDACTED:80/a'],
    ['10.1.2.3.4', 'REDACTED.4'],
    ['010.001.002.003', 'REDACTED'],
    ['2001:db8::1', 'REDACTED'],
    ['[2001:db8::1]:443', '[REDACTED]:443'],
    ['ip=2001:db8::1,', 'ip=REDACTED,'],
    ['"fe80::1%eth0"', '"REDACTED"'],
    ['from ::ffff:10.0.0.9 to', 'from REDACTED to'],
    ['It was 2001:db8::1.', 'It was REDACTED.'],
    ['1:2:3:4:5:6:7:8', 'REDACTED'],
  ])('%j becomes %j', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it.each([
    'version 1.2.3',
    '256.1.1.1',
    '12:34:56',
    '2024-01-01T10:20:30.123Z',
    '00:1a:2b:3c:4d:5e',
    '98f9dd46-08b6-4dc1-b6f3-3b4eaf63fb5a',
    'std::string',
    'x::text',
    'Elixir.A::B',
  ])('%j stays', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('are found between any other text', () => {
    const neighbour = fc.constantFrom(' ', '"', '[', ']', ',', '=', '(', ')', '\n', '|', '/', '');
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), neighbour, neighbour, (address, before, after) => {
        expect(redactText(`a ${before}${address}${after} z`)).not.toContain(address);
      }),
    );
  });

  it('are looked for in time proportional to the text', () => {
    for (const part of ['1.', ':', 'a:', '::', '1.1.1.', '%', 'f']) {
      expect(redactText(part.repeat(200_000)).length).toBeGreaterThan(0);
    }
  });
});

describe('a row', () => {
  it('has every string redacted at any depth, and nothing else', () => {
    const redact = rowRedactor([
      { name: '1.2.3.4', type: { kind: 'STRING' } },
      { name: 'n', type: { kind: 'NUMERIC' } },
      { name: 'j', type: { kind: 'JSON' } },
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
    ]);
    expect(
      redact(['1.2.3.4', '1.2', '{"1.2.3.4":"1.2.3.4","a":["::1",1.5]}', [['::1', ['1.1.1.1', null]], null]]),
    ).toEqual([
      'REDACTED',
      '1.2',
      '{"1.2.3.4":"REDACTED","a":["REDACTED",1.5]}',
      [['REDACTED', ['REDACTED', null]], null],
    ]);
    expect(redact([null, null, null, null])).toEqual([null, null, null, null]);
  });
});
