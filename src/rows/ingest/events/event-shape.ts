import type { MutableObject } from '../encode/field-path.ts';
import { jsonText } from '../encode/json-text.ts';
import { isObject } from '../encode/record-members.ts';
import type { EventShape } from './event-request.ts';

/** Fields of an event that stay at the top when the others go under `metadata`. */
const topFields: ReadonlySet<string> = new Set([
  ...['id', 'timestamp', 'time', '@timestamp'],
  ...['event_message', 'message', 'msg'],
]);

/** An event with its members where a row has them: see `EventShape`. Throws `DigitsNeeded` for numbers without digits. */
export function inShapeOfRow(event: MutableObject, shape: EventShape): MutableObject {
  if (shape === 'row') return event;
  const entries = Object.entries(event);
  const top = Object.fromEntries(entries.filter(([name]) => topFields.has(name)));
  if (shape === 'json') {
    const { id, timestamp, time, '@timestamp': at } = top;
    return { id, timestamp, time, '@timestamp': at, event_message: jsonText(event), metadata: event };
  }
  const others = entries.filter(([name]) => !topFields.has(name));
  const { log, level } = event;
  const ofLog = level === undefined && isObject(log) ? log.level : undefined;
  const metadata = Object.fromEntries(ofLog === undefined ? others : [...others, ['level', ofLog]]);
  return { ...top, metadata };
}
