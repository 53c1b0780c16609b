import { JsonNumber } from '../../../base/text/json-number.ts';
import { microsOfRowNumber } from '../encode/time-of-number.ts';
import { microsOfText } from '../encode/time-of-text.ts';

/** The values of the field `timestamp`. */
export class SeenTimes {
  /** The first one that is none. */
  other: unknown;

  add(value: unknown): void {
    if (value !== null && value !== undefined && !isTime(value)) this.other ??= value;
  }
}

/** The value of a row's field `timestamp`, in any letter case. */
export function timestampOf(row: { readonly timestamp?: unknown }): unknown {
  if (row.timestamp !== undefined) return row.timestamp;
  for (const name of Object.keys(row))
    if (name.length === 9 && name.toLowerCase() === 'timestamp') return Reflect.get(row, name);
  return undefined;
}

/** What import takes as a time, of the texts and of the numbers that can be times since 1973. */
function isTime(value: unknown): boolean {
  if (typeof value === 'string') return microsOfText(value) !== undefined;
  if (typeof value !== 'number' && !(value instanceof JsonNumber)) return false;
  const text = String(value);
  return /^\d{9,}(?:\.\d+)?$/.test(text) && microsOfRowNumber(text) !== undefined;
}
