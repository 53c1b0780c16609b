import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

type Call = (...args: readonly unknown[]) => unknown;

/** Whether Go's templates take a value for true. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

const indented = (count: unknown, text: unknown) => String(text).replace(/^/gm, ' '.repeat(Number(count)));

/** The functions of Go's templates, Sprig and Helm that the chart calls. `include` is where templates are known. */
export const functions: Readonly<Record<string, Call>> = {
  add: (...numbers) => numbers.reduce((sum: number, each) => sum + Number(each), 0),
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  eq: (left, right) => left === right,
  fail: (message) => {
    throw new Error(String(message));
  },
  hasKey: (object, key) => Object.hasOwn(Object(object), String(key)),
  kindIs: (kind, value) => typeof value === kind,
  nindent: (count, text) => `\n${indented(count, text)}`,
  not: (value) => !isTrue(value),
  printf: (format, ...values) => {
    const rest = [...values];
    return String(format).replaceAll('%s', () => String(rest.shift()));
  },
  quote: (value) => JSON.stringify(String(value)),
  required: (message, value) => {
    if (value === undefined || value === null || value === '') throw new Error(String(message));
    return value;
  },
  sha256sum: (text) => createHash('sha256').update(String(text)).digest('hex'),
  toYaml: (value) => stringify(value, { version: '1.1', lineWidth: 0, sortMapEntries: true }).trimEnd(),
};
