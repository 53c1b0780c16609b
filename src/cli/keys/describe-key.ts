import { counted } from '../../base/text/counted.ts';
import type { StoredKey } from '../../calls/access/key/stored-key.ts';

/** A key's restrictions and rate limits in words. Empty if it has none. */
export function limitsOf(key: StoredKey): string[] {
  const { pins = [], redact, rate, bytesPerDay } = key;
  return [
    ...pins.map(({ parameter, value }) => `${parameter}=${JSON.stringify(value)}`),
    ...(redact ? ['redacted'] : []),
    ...(rate === undefined ? [] : [rate]),
    ...(bytesPerDay === undefined ? [] : [`${counted(bytesPerDay, 'byte')} a day`]),
  ];
}

/** @param time in milliseconds since the epoch; shown to the second, in UTC */
export function instantText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
