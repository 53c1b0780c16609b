import { parseTimestamp } from '../../../sql/values/timestamp-text.ts';

/**
 * The time of a text in one of GoogleSQL's forms or RFC 3339's, in microseconds since 1970. Parts of a microsecond are
 * dropped. Undefined for other texts.
 */
export function microsOfText(text: string): bigint | undefined {
  return parseTimestamp(text.replace(/(\.\d{6})\d+/, '$1'));
}
