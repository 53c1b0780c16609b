import { hostileJson, mutated, oddText } from './hostile-texts.ts';
import type { Random } from './random.ts';

const timestamps = [
  ...[
    '"2026-01-01T00:00:00Z"',
    '"2026-01-01"',
    '"0000-00-00T00:00:00Z"',
    '"9999-12-31T23:59:59.9999999Z"',
    '0',
    '1e300',
  ],
  ...[
    '1767225600',
    '-9223372036854775809',
    '"2026-01-01 00:00:00+99:99"',
    'null',
    '""',
    '[]',
    '"now"',
    '"2026-02-30T00:00:00Z"',
  ],
];

/** Lines of NDJSON: rows whose values aren't all of their types, in lines that don't all end as they should. */
export function oddRows(dice: Random): string {
  const lines = Array.from({ length: 1 + dice.below(4) }, () => {
    const row = oddRow(dice);
    return dice.isLess(0.7) ? row : mutated(row, dice);
  });
  const start = dice.isLess(0.1) ? '\xef\xbb\xbf' : '';
  return start + lines.join(dice.pick(['\n', '\n', '\r\n', '\n\n', '\r', '\0', '\x85']));
}

function oddRow(dice: Random): string {
  const value = () => (dice.isLess(0.5) ? hostileJson(dice, 2) : JSON.stringify(oddText(dice)));
  const pairs = [
    `"id":${dice.isLess(0.7) ? `"${dice.below(1e6)}"` : value()}`,
    `"timestamp":${dice.pick(timestamps)}`,
    '"project":"nobody"',
    `"event_message":${value()}`,
    `"metadata":${dice.pick(['[]', '{}', 'null', '[{"request":[{"port":1e99}]}]', '[{"request":{"port":"80"}}]', '[[]]', value()])}`,
    ...dice.some(
      [`"__proto__":${value()}`, '"constructor":1', `"id":${value()}`, '"\\u0069d":"x"', '"":1', '"ID":"x"'],
      2,
    ),
  ];
  return `{${pairs.join(',')}}`;
}
