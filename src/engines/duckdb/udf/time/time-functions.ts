import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { int64, text } from '../js/js-type.ts';
import { isAllowed, type TimeKind } from './allowed-elements.ts';
import { readByModel } from './format-model-parser.ts';
import { writeByModel } from './format-model-writer.ts';
import { TimeParser } from './time-parser.ts';
import { readDate, readDatetime, readTime, readTimestamp, readTimestampIn } from './time-text.ts';
import { writeTime } from './time-writer.ts';
import { civilOfInstant, instantOfCivil } from './time-zone.ts';

const utc = 'UTC';

/** `(format, text, zone)`: microseconds since 1970-01-01 00:00:00 UTC. */
export const parseTimestamp = new JsFunction(
  'parse_timestamp',
  [text, text, text],
  int64,
  (format, time, zone) => new TimeParser(format, time, zone).instant(),
);

/** `(format, text, type)`: microseconds since 1970-01-01 00:00:00 of a type without a zone. */
export const parseCivil = new JsFunction('parse_civil', [text, text, text], int64, (format, time, kind) => {
  assertAllowed(format, kind as TimeKind);
  return new TimeParser(format, time, utc).instant();
});

/** `(format, type, microseconds, zone)` */
export const formatAnyTime = new JsFunction(
  'format_time',
  [text, text, int64, text],
  text,
  (format, kind, micros, zone) => writeTime(format, kind as TimeKind, micros, zone),
);

function assertAllowed(format: string, kind: TimeKind): void {
  for (const [whole, element = ''] of format.matchAll(/%(E[*0-9]S|E4Y|[EO].|.)/gs)) {
    if (!isAllowed(element, kind))
      throw new Failure(`Invalid format: ${whole} is not allowed for the ${kind} type.`);
  }
}

/** Casts of texts, to microseconds. */
export const dateOfText = new JsFunction('date_of_text', [text], int64, readDate);
export const timeOfText = new JsFunction('time_of_text', [text], int64, readTime);
export const datetimeOfText = new JsFunction('datetime_of_text', [text], int64, readDatetime);
export const timestampOfText = new JsFunction('timestamp_of_text', [text], int64, readTimestamp);
/** `(text, zone)` */
export const timestampOfTextIn = new JsFunction('timestamp_of_text_in', [text, text], int64, readTimestampIn);

/** `(microseconds, zone)`, for zones that are not known before the query runs. */
export const civilMicros = new JsFunction('civil_micros', [int64, text], int64, civilOfInstant);
export const instantMicros = new JsFunction('instant_micros', [int64, text], int64, instantOfCivil);

/** `(microseconds, type, format, zone)` of a cast to STRING with a format. */
export const castToText = new JsFunction(
  'cast_to_text',
  [int64, text, text, text],
  text,
  (micros, kind, format, zone) => writeByModel(micros, kind as TimeKind, format, zone),
);

/** `(text, type, format, zone, current time in microseconds)` of a cast from STRING with a format. */
export const castFromText = new JsFunction(
  'cast_from_text',
  [text, text, text, text, int64],
  int64,
  (time, kind, format, zone, now) => readByModel(time, kind as TimeKind, format, zone, now),
);

export const timeFunctionsInJs = [
  castToText,
  castFromText,
  parseTimestamp,
  parseCivil,
  formatAnyTime,
  dateOfText,
  timeOfText,
  datetimeOfText,
  timestampOfText,
  timestampOfTextIn,
  civilMicros,
  instantMicros,
];
