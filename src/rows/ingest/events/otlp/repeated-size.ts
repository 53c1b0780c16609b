import { JsonNumber } from '../../../../base/text/json-number.ts';
import type { ResourceLogs } from './log-record.ts';

/**
 * How many characters the rows of these logs get from their resources and scopes: each record repeats those of its own, so
 * that a small body could become rows of any size.
 */
export function repeatedSize(logs: readonly ResourceLogs[]): number {
  let size = 0;
  for (const { resource, scopes } of logs) {
    const ofResource = sizeOf(resource);
    for (const { scope, records } of scopes) size += records.length * (ofResource + sizeOf(scope));
  }
  return size;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof JsonNumber) return value.text.length;
  if (typeof value !== 'object' || value === null) return 1;
  let size = 0;
  for (const [name, inner] of Object.entries(value)) size += name.length + sizeOf(inner);
  return size;
}
