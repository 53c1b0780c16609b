import { expect, test } from 'vitest';
import { piiClasses } from '../../src/redaction/pii-class.ts';
import { jsonRedactor, textRedactor } from '../../src/redaction/redact-text.ts';

/**
 * How many times as long an eightfold text takes: about 8 in proportion, 64 when it is quadratic. The time of the thread
 * alone counts, and not what others on the machine take.
 */
function growth(part: string, work: (text: string) => unknown): number {
  const timed = (length: number) => {
    const text = part.repeat(Math.ceil(length / part.length));
    const began = process.threadCpuUsage();
    work(text);
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1000;
  };
  const short = Math.min(timed(50_000), timed(50_000), timed(50_000));
  return Math.min(timed(400_000), timed(400_000)) / Math.max(3, short);
}

const parts = [
  ...[
    '1.',
    '1.1.1.',
    '1.1.1.1.',
    '1.1.1.1 ',
    '255',
    '%2e',
    '%25',
    '%',
    '\\u003',
    '\\u003a',
    '\\\\u002e',
    '1\\u002e',
  ],
  ...[':', '::', ':::', 'a:', 'g:', '1:', '::1 ', 'a', '1:2:3:4:5:6:7:8:', '%3A', 'fe80::1%a', '::1%', ' ::'],
  ...['a@', '@', 'a@a.', 'a.', '@a.', 'a@b.co', '"', '"@', '%40', "'@a.b"],
  ...['1', '4111111111111111 ', '4111 ', '4111-1111-', '4111 111111 '],
  ...['41 ', '411111 ', '4111%20', '4111%20%20', '%4111 ', '4111\\u00a0', '4. ', '4...', '4%25', '[1m4111 '],
  ...[
    'eyJ',
    'eyJhbGciOiJIUzI1NiJ9.',
    'eyJhbGciOiJIUzI1NiJ9%2E',
    'eyJ%2D',
    'bearer ',
    'Bearer a1b2c3d4 ',
    'bearer%3D',
    'bearer=',
    'bearer ab%2F',
    'bearer:',
    '.',
    ' ',
  ],
  ...['"1.1.1.1":', '\\', '\\"', '["1.1.1.1"],', '{', '['],
];

test.each(parts)('many times %j are read in time that is in proportion', (part) => {
  expect(growth(part, textRedactor(piiClasses))).toBeLessThan(40);
  expect(growth(part, jsonRedactor(piiClasses))).toBeLessThan(40);
});

test('a JSON text in a JSON text, and so on, takes little more time than its length', () => {
  let text = '"1.1.1.1"';
  while (text.length < 1_000_000) text = JSON.stringify([text]);
  expect(textRedactor(['ip'])(text)).toBe(text.replace('1.1.1.1', 'REDACTED'));
});

// Patterns that repeat without limit exhaust the stack of regular expressions at some millions.
test.each(['4', 'a', '"', '\\"', 'eyJ', '@', '1.'])('ten million characters of %j are read', (part) => {
  const text = part.repeat(10_000_000 / part.length);
  expect(textRedactor(piiClasses)(text).length).toBeGreaterThan(0);
});
