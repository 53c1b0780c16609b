import fc from 'fast-check';
import type { SchemaField } from './lql-world.ts';

/** A log row with lists in lists, of values few enough that filters find some. */
export interface Event {
  readonly id: string;
  /** ISO 8601 */
  readonly timestamp: string;
  readonly event_message: string | null;
  readonly n: number | null;
  readonly x: number | null;
  readonly flag: boolean | null;
  readonly tags: readonly string[];
  readonly numbers: readonly number[];
  readonly metadata: readonly Metadata[];
}

interface Metadata {
  readonly level: string | null;
  readonly status: number | null;
  readonly tags: readonly string[];
  readonly user: { readonly name: string | null } | null;
  readonly request: readonly { readonly path: string | null; readonly ms: number | null }[];
}

const optional = (name: string, type: string): SchemaField => ({ name, type });
const list = (name: string, type: string, fields?: SchemaField[]): SchemaField => ({
  name,
  type,
  mode: 'REPEATED',
  ...(fields !== undefined && { fields }),
});

/** The columns of {@link Event} behind `id` and `timestamp`. */
export const eventColumns: readonly SchemaField[] = [
  optional('event_message', 'STRING'),
  optional('n', 'INTEGER'),
  optional('x', 'FLOAT'),
  optional('flag', 'BOOLEAN'),
  list('tags', 'STRING'),
  list('numbers', 'INTEGER'),
  list('metadata', 'RECORD', [
    optional('level', 'STRING'),
    optional('status', 'INTEGER'),
    list('tags', 'STRING'),
    { name: 'user', type: 'RECORD', fields: [optional('name', 'STRING')] },
    list('request', 'RECORD', [optional('path', 'STRING'), optional('ms', 'FLOAT')]),
  ]),
];

export const texts = ['', 'a', 'A', 'b', 'ab', 'a4', '4', 'true', 'NULL', 'é𝄞', '\uffff', `"\\'`, 'b\na'];
export const wholes = [-1, 0, 1, 5, 200];
export const fractions = [-0.5, 0, 1, 1.5, 2];
export const instants = [
  '2026-11-19T23:59:59.999999Z',
  '2026-11-20T00:00:00Z',
  '2026-11-20T05:00:00.25Z',
  '2026-11-20T05:00:01Z',
];
const levelTexts = ['debug', 'info', 'warning', 'error', 'emergency', 'other'];

const text = fc.constantFrom(...texts);
const whole = fc.constantFrom(...wholes);
const fraction = fc.constantFrom(...fractions);
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 4 });
const some = <T>(values: fc.Arbitrary<T>) => fc.array(values, { maxLength: 3 });

const metadata: fc.Arbitrary<Metadata> = fc.record({
  level: orNull(fc.constantFrom(...levelTexts)),
  status: orNull(whole),
  tags: some(text),
  user: orNull(fc.record({ name: orNull(text) })),
  request: some(fc.record({ path: orNull(text), ms: orNull(fraction) })),
});

const event = fc.record({
  timestamp: fc.constantFrom(...instants),
  event_message: orNull(text),
  n: orNull(whole),
  x: orNull(fraction),
  flag: orNull(fc.boolean()),
  tags: some(text),
  numbers: some(whole),
  metadata: some(metadata),
});

/** Rows, the same each time. */
export function someEvents(count: number): Event[] {
  return fc.sample(event, { numRuns: count, seed: 6 }).map((row, index) => ({ id: `${index}`, ...row }));
}
