import { parseTimestamp } from '../../sql/values/timestamp-text.ts';

/** The maximum number of labels of a job. Source: https://cloud.google.com/bigquery/docs/labels-intro#requirements */
export const maxLabels = 64;
const maxCharacters = 63;

const isoDatetime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
/** Letters of scripts without case are also allowed, as BigQuery's "international characters". */
const forbidden = /[^\p{Ll}\p{Lo}\p{Nd}_-]/gu;
const beforeFirstLetter = /^[^\p{Ll}\p{Lo}]+/u;

/** The text as a label key, which must begin with a letter. Empty if no part of it is allowed. */
export function labelKey(text: string): string {
  return cut(cleaned(text).replace(beforeFirstLetter, ''));
}

/**
 * The text as a label value: in lower case, spaces as `_`, only letters, digits, `_` and `-`, 63 characters. A date
 * with a time becomes milliseconds since the epoch, which are more useful than its joined digits.
 */
export function labelValue(text: string): string {
  const micros = isoDatetime.test(text) ? parseTimestamp(text) : undefined;
  return micros === undefined ? cut(cleaned(text)) : epochMilliseconds(micros);
}

/** An instant as a label's value. */
export function epochMilliseconds(micros: bigint): string {
  return String(Math.floor(Number(micros) / 1000));
}

/**
 * Normalises labels for BigQuery. The last of equal keys is used; empty keys, and labels beyond the maximum number, are
 * dropped.
 */
export function cleanLabels(labels: Iterable<readonly [key: string, value: string]>): Map<string, string> {
  const clean = new Map<string, string>();
  for (const [key, value] of labels) {
    const name = labelKey(key);
    if (name !== '' && (clean.size < maxLabels || clean.has(name))) clean.set(name, labelValue(value));
  }
  return clean;
}

function cleaned(text: string): string {
  // Composed, an accent is part of its letter.
  return text.normalize('NFC').toLowerCase().replaceAll(' ', '_').replace(forbidden, '');
}

function cut(text: string): string {
  return [...text].slice(0, maxCharacters).join('');
}

/** The source of a label's value for an endpoint's jobs. */
export interface LabelRule {
  /** The key, as written in the settings and in the caller's header. */
  readonly key: string;
  /** The value, if it is constant. */
  readonly value?: string;
  /** The parameter that provides the value. Without one, and if it is NULL, the caller's header provides it. */
  readonly parameter?: string;
}

/**
 * Parses the setting `labels`, a comma-separated list of `key` (from the header), `key=@param` and `key=value`. Spaces
 * are significant. An item with two `=` is invalid, and becomes undefined.
 */
export function readLabelRules(text: string): (LabelRule | undefined)[] {
  return text
    .split(',')
    .filter((item) => item !== '')
    .map((item) => {
      const [key = '', value, ...more] = item.split('=');
      if (more.length > 0) return undefined;
      if (value === undefined) return { key };
      return value.startsWith('@') ? { key, parameter: value.slice(1) } : { key, value };
    });
}
