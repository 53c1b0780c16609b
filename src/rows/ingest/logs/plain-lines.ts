import { microsOfText } from '../encode/time-of-text.ts';
import type { LogReader } from './log-record.ts';
import { otherZone } from './other-zone.ts';

const clock = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)(?![\w:+-]))?`;

/** A time at the beginning of a line, perhaps in brackets, before an expression. */
function timeBefore(next: string): RegExp {
  return new RegExp(
    String.raw`^[[(<]?(\d{4}[-/]\d\d[-/]\d\d[T ]${clock}|\d{8}T\d{6}Z?|(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]?\d ${clock} \d{4}|\d\d[/-][A-Z][a-z]{2}[/-]\d{4}[: ]${clock})${next}`,
  );
}

const time = timeBefore(String.raw`(?![.,]?\d)(?!${otherZone})`);
const unknownTime = timeBefore(otherZone);

/**
 * A reader of lines whose only form is that some begin with a time. A line without one has that of the line before it. A time whose
 * zone isn't known is none, for the lines after it as well.
 */
export function plainLineReader(): LogReader {
  let last: string | undefined;
  return (line) => {
    const [, text] = time.exec(line) ?? [];
    if (text === undefined && unknownTime.test(line)) last = undefined;
    if (text !== undefined && microsOfText(text) !== undefined) last = text;
    return { ...(last !== undefined && { timestamp: last }), event_message: line };
  };
}

/** Whether a line begins with a time. */
export function beginsWithTime(line: string): boolean {
  return time.test(line);
}
