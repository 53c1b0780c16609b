import { formatInterval } from '../../../sql/resolved/value-text.ts';

const pattern = /^([+-]?)(\d+)-(\d+) ([+-]?\d+) ([+-]?)(\d+):(\d+):(\d+)(?:\.(\d{1,6})0*)?$/;

/** An INTERVAL's text, `Y-M D H:M:S[.F]`, in the form of `Value`, or undefined when it is none. */
export function parseInterval(text: string): string | undefined {
  const parts = pattern.exec(text);
  if (parts === null) return undefined;
  const [, monthSign, years, months, days, timeSign, hours, minutes, seconds, fraction = ''] = parts;
  const allMonths = Number(years) * 12 + Number(months);
  const allSeconds = (BigInt(hours ?? 0) * 60n + BigInt(minutes ?? 0)) * 60n + BigInt(seconds ?? 0);
  const micros = allSeconds * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return formatInterval(
    monthSign === '-' ? -allMonths : allMonths,
    Number(days),
    timeSign === '-' ? -micros : micros,
  );
}
