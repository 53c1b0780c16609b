import { afterAll, beforeAll, expect, test } from 'vitest';
import { Differential } from '../differential/differential.ts';

/** One value's worth of work, which nothing interrupts, takes time in proportion to the value, or is refused. */
let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const resultOf = async (expression: string) => (await differential.actual(`select ${expression}`))[0]?.[0];
/** A text of so many characters that is known only when the query runs. */
const text = (character: string, length: number) =>
  `repeat('${character}', ${length} + cast(rand() * 0.4 as int64))`;
const haystack = text('a', 1_000_000);
const needle = `concat(${text('a', 500_000)}, 'b')`;

test.each([
  [`strpos(${haystack}, ${needle})`, 0n],
  [`instr(${haystack}, ${needle})`, 0n],
  [`instr(${haystack}, ${needle}, -1, 1)`, 0n],
  [`instr(${haystack}, ${text('a', 500_000)}, 1, 2000)`, 2000n],
  [`strpos(cast(${haystack} as bytes), cast(${needle} as bytes))`, 0n],
])('%s is found in time', async (expression, result) => {
  expect(await resultOf(expression)).toBe(result);
});

test.each([
  `length(replace(${haystack}, ${needle}, 'x'))`,
  `length(safe.replace(${haystack}, ${needle}, 'x'))`,
  `array_length(split(${haystack}, ${needle}))`,
])('%s is refused', async (expression) => {
  await expect(resultOf(expression)).rejects.toThrow('what is searched for is too long');
});

test.each(['parse_json', 'to_code_points', 'soundex'])('%s takes no value of megabytes', async (name) => {
  const long = `concat(${Array.from({ length: 3 }, () => text('1', 700_000)).join(', ')})`;
  await expect(resultOf(`${name}(${long})`)).rejects.toThrow('longer than 2000000 characters');
});

const zeros = text('0', 1_000_000);
/** A number whose zeros are not at its end. */
const longNumber = `concat('0.1', ${zeros}, '1')`;

test.each([
  [`float64(parse_json(${longNumber}, wide_number_mode => 'round'))`, 0.1],
  [`safe.parse_json(${longNumber})`, null],
  [`lax_float64(to_json(concat('1', ${zeros}, '1 x')))`, null],
  [`lax_int64(to_json(concat('1', ${zeros}, '1 x')))`, null],
  [`'a text of some length' like collate(${text('%', 1_000_000)}, 'und:ci')`, true],
  [`'a' like collate(${text('%a', 500_000)}, 'und:ci')`, false],
])('%s is computed in time', async (expression, result) => {
  expect(await resultOf(expression)).toBe(result);
});

test('a JSON value is not formatted with millions of deep lines', async () => {
  const value = `concat(repeat('[', 450), ${text('1,', 400_000)}, '1', repeat(']', 450))`;
  await expect(resultOf(`length(to_json_string(parse_json(${value}), true))`)).rejects.toThrow(
    'too large and too deep to be formatted',
  );
});

test('a long pattern of LIKE is refused on a long text', async () => {
  const pattern = `%${'a'.repeat(100_000)}b%`;
  await expect(resultOf(`${haystack} like '${pattern}'`)).rejects.toThrow('what is searched for is too long');
});

test.each(['NFC', 'NFKD'])(
  'thousands of combining marks in no order are not put in order: %s',
  async (form) => {
    const marked = (count: number) => `normalize(concat('a', repeat('\u0301\u0316', ${count})), ${form})`;
    await expect(resultOf(marked(200_000))).rejects.toThrow('too many combining marks');
    expect(await resultOf(`length(${marked(50)})`)).toBe(form === 'NFC' ? 100n : 101n);
  },
);

test('a text that is searched for with thousands of combining marks is refused', async () => {
  const hostile = `contains_substr('abc', '${`a${'\u0301\u0316'.repeat(20_000)}`}')`;
  await expect(resultOf(hostile)).rejects.toThrow('too many combining marks');
});

test.each([
  ["format('%1000000d', x)", 'format_text'],
  ["format('%.1000f %.1001f', x / 3, x / 3)", 'format_text'],
  [`format('${'long'.repeat(600)}%d', x)`, 'format_text'],
  ["format('%s%s%s', t, t, t)", 'claim'],
  [`format_timestamp('${'%c'.repeat(600)}', timestamp_seconds(x))`, 'format_time'],
])('%s is counted before it is made', async (expression, by) => {
  const { sql } = await differential.emit(
    `select ${expression} from (select 1 as x, cast(rand() as string) as t)`,
  );
  expect(sql).toContain(`gateway_${by}`);
});
