import { expect, test } from 'vitest';
import { findCards } from '../../../src/calls/redaction/finders/cards.ts';
import { findTokens } from '../../../src/calls/redaction/finders/tokens.ts';
import { jsonRedactor, textRedactor } from '../../../src/calls/redaction/redact-text.ts';
import { piiClasses } from '../../../src/definitions/endpoints/pii-class.ts';
import { effort } from '../../support/effort.ts';

/** Milliseconds for a text of many such parts: the time of the thread alone, and not what others on the machine take. */
function timed(part: string, length: number, work: (text: string) => unknown): number {
  const text = part.repeat(Math.ceil(length / part.length));
  const began = process.threadCpuUsage();
  work(text);
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
}

/** How many times as long an eightfold text takes: about 8 in proportion, 64 when it is quadratic. */
function growth(part: string, work: (text: string) => unknown): number {
  const time = (length: number) => timed(part, length, work);
  const short = Math.min(time(20_000), time(20_000), time(20_000));
  return Math.min(time(160_000), time(160_000), time(160_000)) / Math.max(1, short);
}

/** Each text takes at most 40 times as long as one of a tenth of its length: 10 is in proportion, 100 quadratic. */
function expectProportion(part: string, lengths: readonly number[], work: (text: string) => unknown): void {
  let shorter = 0;
  for (const length of lengths) {
    const time = timed(part, length, work);
    expect(time, `${length} characters of ${JSON.stringify(part)}`).toBeLessThan(40 * Math.max(3, shorter));
    shorter = time;
  }
}

/** The longest takes most of the time. What is quadratic shows at a hundred thousand characters. */
const lengths = effort > 1 ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];

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

const separators = [
  ...['\\t', '\\n', '\\r', '\\x20', '\\u0020', '\\u00a0', '\\\\t', '\\\\u0020'],
  ...['%20', '%2520', '%252520', '%c2%a0', '%25', '+', '\u00a0', ' ', '.', '_', '-', '\u2013'],
  ...['\\t\\t', '%20-%20', '\\t%2520\\x20', '\\t.', '+\\n', '_%20', '\u001b[1m'],
];

test.each(separators)(
  'groups of 1 to 20 digits behind %j are read in time that is in proportion',
  (separator) => {
    const groups = Array.from({ length: 20 }, (_, index) => separator + '1'.repeat(index + 1));
    for (const group of groups) expectProportion(group, [10_000, 100_000], findCards);
    for (const part of [groups.join(''), `${separator}4111`]) expectProportion(part, lengths, findCards);
  },
);

const separatorsInTokens = [
  '.',
  '%2e',
  '%252e',
  '\\u002e',
  '\\\\x2e',
  '%2d',
  '\\u005f',
  '%20',
  '\\n',
  '\\"',
  ':',
  '%',
  '\\',
];

test.each(separatorsInTokens)(
  'parts of tokens with %j between are read in time that is in proportion',
  (separator) => {
    for (const word of ['eyJ', 'eyJhbGciOiJIUzI1NiJ9', 'bearer', 'bearer ', 'bearer a', 'a1b2c3'])
      for (const part of [word + separator, word + separator + separator])
        expectProportion(part, lengths, findTokens);
  },
);

test.each([':', '\\n', '%20'])('a token is found behind millions of %j', (separator) => {
  const text = `bearer${separator.repeat(4_000_000)}a1b2c3d4`;
  expect(findTokens(`${text} ${text}`)).toHaveLength(2);
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
