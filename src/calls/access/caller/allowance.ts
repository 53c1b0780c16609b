import { parseBytes } from '../../../base/forms/bytes.ts';

/** What calls use up: themselves, the rows of their answers, and what their runs take on the engine. Bytes are those that are billed. */
export const quantities = ['calls', 'rows', 'engine-seconds', 'bytes'] as const;

export type Quantity = (typeof quantities)[number];

/** The periods of the calendar (UTC) in which use is counted. */
const periods = ['hour', 'day', 'month'] as const;

export type Period = (typeof periods)[number];

/** How much of something a key may use in each period. */
export interface Allowance {
  readonly of: Quantity;
  /** A whole number. */
  readonly amount: number;
  readonly per: Period;
  /** Whether calls go on behind those of others when it is spent, rather than being refused. */
  readonly slows?: true;
}

/** What becomes of calls when an allowance is spent. */
export const whenSpent = ['refuse', 'slow'] as const;

const form = new RegExp(`^(${quantities.join('|')})=([^/]{1,40})/(${periods.join('|')})$`);

/** The largest integer of a structured header: RFC 9651, section 3.3.1. */
export const maxAmount = 999_999_999_999_999;

/** Parses `calls=10000/day`, `rows=5000000/month`, `engine-seconds=600/hour` or `bytes=1TB/month`; undefined for every other text. */
export function parseAllowance(text: string): Allowance | undefined {
  const [, named, size = '', period] = form.exec(text) ?? [];
  const of = quantities.find((each) => each === named);
  const per = periods.find((each) => each === period);
  if (of === undefined || per === undefined) return undefined;
  const amount = of === 'bytes' ? parseBytes(size) : /^\d{1,15}$/.test(size) ? Number(size) : undefined;
  return amount === undefined || amount > maxAmount ? undefined : { of, amount, per };
}

export const allowanceExpected =
  'expected what may be used in an hour, a day or a month, such as calls=10000/day, rows=5000000/month, engine-seconds=600/hour or bytes=1TB/month';

/** The limits of a key as they are written. */
interface WrittenAllowances {
  readonly allow?: readonly string[] | undefined;
  /** The same as `bytes=<number>/day` in `allow`. */
  readonly bytesPerDay?: number | undefined;
  readonly whenSpent?: 'slow' | undefined;
}

/** The allowances of a key or a token; undefined if it has none. Texts that can't be parsed must have been refused before. */
export function allowancesOf({
  allow = [],
  bytesPerDay,
  whenSpent,
}: WrittenAllowances): readonly Allowance[] | undefined {
  const written = allow.flatMap((text) => parseAllowance(text) ?? []);
  const all: readonly Allowance[] =
    bytesPerDay === undefined ? written : [...written, { of: 'bytes', amount: bytesPerDay, per: 'day' }];
  if (all.length === 0) return undefined;
  return whenSpent === 'slow' ? all.map((each) => ({ ...each, slows: true })) : all;
}

/** The name of an allowance, such as `calls-day`. A key has one of each. */
export function allowanceName({ of, per }: Pick<Allowance, 'of' | 'per'>): string {
  return `${of}-${per}`;
}

/** The first name that two allowances have, such as `bytes-day`. */
export function repeatedAllowance(written: WrittenAllowances): string | undefined {
  const names = allowancesOf(written)?.map(allowanceName) ?? [];
  return names.find((name, at) => names.indexOf(name) < at);
}
