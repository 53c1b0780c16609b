import { parseTimestamp } from '../sql/timestamp-text.ts';

/** Labels that a job has at most. Source: https://cloud.google.com/bigquery/docs/labels-intro#requirements */
export const maxLabels = 64;
const maxCharacters = 63;

const isoDatetime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
/** Letters of scripts that have no case are allowed as well, as BigQuery's "international characters". */
const forbidden = /[^\p{Ll}\p{Lo}\p{Nd}_-]/gu;
const beforeFirstLetter = /^[^\p{Ll}\p{Lo}]+/u;

/** The text as a label's key, which begins with a letter; empty when nothing of it may be one. */
export function labelKey(text: string): string {
  return cut(cleaned(text).replace(beforeFirstLetter, ''));
}

/**
 * The text as a label's value: in lower case, spaces as `_`, nothing but letters, digits, `_` and `-`, 63 characters. A date
 * with a time becomes milliseconds since the epoch, which says more than its digits in a row. Contract, section (h).
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
 * Labels as BigQuery takes them. Of keys that become the same, the last one counts; empty ones, and those beyond the number
 * that a job may have, are dropped.
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
  // Composed, an accent is a part of its letter.
  return text.normalize('NFC').toLowerCase().replaceAll(' ', '_').replace(forbidden, '');
}

function cut(text: string): string {
  return [...text].slice(0, maxCharacters).join('');
}
