import { bytesText, durationText } from '../text/number-text.ts';

/** What the numbers of a chart are, where the names of their columns say it. */
export type Unit = 'bytes' | 'milliseconds' | 'seconds' | 'percent';

const names: readonly (readonly [Unit, RegExp])[] = [
  ['bytes', /(^|_)bytes?(_|$)/i],
  ['milliseconds', /(^|_)(ms|millis|milliseconds)$/i],
  ['seconds', /(^|_)(secs?|seconds)$/i],
  ['percent', /(^|_)(percent|percentage|pct)$/i],
];

/** The unit that all columns have. */
export function unitOf(columns: readonly string[]): Unit | undefined {
  const units = new Set(columns.map((column) => names.find(([, pattern]) => pattern.test(column))?.[0]));
  const [unit] = units;
  return units.size === 1 ? unit : undefined;
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

/** A number with its unit, with all its digits or in short. */
export function valueText(value: number, unit: Unit | undefined, form: 'whole' | 'short' = 'whole'): string {
  const plain = form === 'short' ? compact.format(value) : whole.format(value);
  if (value === 0) return plain;
  const sign = value < 0 ? '-' : '';
  switch (unit) {
    case 'bytes':
      return `${sign}${bytesText(Math.abs(value))}`;
    case 'milliseconds':
      return `${sign}${durationText(Math.abs(value))}`;
    case 'seconds':
      return `${plain} s`;
    case 'percent':
      return `${plain} %`;
    default:
      return plain;
  }
}

/** How much more a number is than another one: `+12.5 %`. Nothing can be said of a change from zero. */
export function changeText(now: number, before: number): string {
  if (before === 0) return now === 0 ? '±0 %' : 'none before';
  const part = (now - before) / Math.abs(before);
  const percent = Math.round(part * 1_000) / 10;
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${whole.format(Math.abs(percent))} %`;
}
