import type { Random } from './random.ts';

/** Texts that have broken servers, one byte a character: broken UTF-8, escapes, NUL, numbers, names of JavaScript. */
const odd: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '%',
  '%0',
  '%zz',
  '%00',
  '%c0%af',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%ff%fe',
  '\xff\xfe',
  '\xc3\x28',
  '\xe2\x82',
  '\xf0\x9f\x98\x80',
  '\\ud800',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  '[object Object]',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '-1e-999',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '0x7fffffff',
  '1e5',
  '1.5',
  '\u0009',
  '../../etc/passwd',
  '..%2f..%2f',
  '{{7*7}}',
  "' OR 1=1 --",
  '";--',
  '<script>',
  '*/',
  '/*',
  '--',
  '`',
  '@project',
  '2026-02-30',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999999Z',
  '+275760-09-13T00:00:00Z',
  'now@-9999999999999999999h',
  'a'.repeat(3_000),
  '%41'.repeat(1_500),
  '('.repeat(400),
  '['.repeat(2_000),
];

export function oddText(dice: Random): string {
  const text = dice.pick(odd);
  if (dice.isLess(0.8)) return text;
  return text + dice.pick(odd).slice(0, 500);
}

/** Changes some bytes of a text: left out, put in, repeated, replaced, swapped. */
export function mutated(text: string, dice: Random, most = 6): string {
  let changed = text;
  for (let count = 1 + dice.below(most); count > 0; count--) {
    const at = dice.below(changed.length + 1);
    const length = 1 + dice.below(dice.isLess(0.2) ? 40 : 3);
    const [before, after] = [changed.slice(0, at), changed.slice(at)];
    switch (dice.below(5)) {
      case 0:
        changed = before + after.slice(length);
        break;
      case 1:
        changed = before + oddText(dice).slice(0, 200) + after;
        break;
      case 2:
        changed = before + after.slice(0, length) + after;
        break;
      case 3:
        changed = before + String.fromCharCode(dice.below(256)) + after.slice(1);
        break;
      default:
        changed =
          before.slice(0, -length) + after.slice(0, length) + before.slice(-length) + after.slice(length);
    }
  }
  return changed;
}

/** A JSON text, often one that is none. One byte a character. */
export function hostileJson(dice: Random, depth = 0): string {
  switch (dice.below(depth > 3 ? 6 : 9)) {
    case 0:
      return dice.pick([
        'null',
        'true',
        'false',
        '""',
        '0',
        '-0',
        '1e400',
        '01',
        '.5',
        '1.',
        '+1',
        'NaN',
        '{',
        ']',
      ]);
    case 1:
      return String(dice.next() * 10 ** dice.below(40));
    case 2:
      return `"${oddText(dice).slice(0, 300)}"`;
    case 3:
      return `"\\u${dice.pick(['d800', '0000', 'dfff', 'zzzz', '00', 'ffff'])}"`;
    case 4:
      return '9'.repeat(dice.below(400));
    case 5:
      return JSON.stringify(oddText(dice));
    case 6:
      return `[${Array.from({ length: dice.below(4) }, () => hostileJson(dice, depth + 1)).join(',')}]`;
    case 7:
      return dice.isLess(0.1) ? '['.repeat(dice.below(60_000)) : '{"a":'.repeat(dice.below(300));
    default: {
      const names = [
        'project',
        'sql',
        'lql',
        'interval',
        '__proto__',
        'constructor',
        'toString',
        '',
        '\0',
        'query',
      ];
      const pairs = dice
        .some(names, 4)
        .map((name) => `${JSON.stringify(name)}:${hostileJson(dice, depth + 1)}`);
      return `{${pairs.join(',')}}`;
    }
  }
}
