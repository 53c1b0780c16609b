import { DigitsNeeded, JsonNumber } from '../../../base/text/json-number.ts';
import { timeColumn } from '../../../definitions/sources/row-key.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import { microsPerDay } from '../../../sql/values/time-units.ts';
import { maxTimestampMicros, minTimestampMicros } from '../../../sql/values/timestamp-text.ts';
import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';
import { type AcceptedTimes, isAccepted, outOfRange } from '../encode/accepted-times.ts';
import { keyOf, type MutableObject } from '../encode/field-path.ts';
import { MessageField } from '../encode/message-field.ts';
import { numericId } from '../encode/numeric-id.ts';
import { Renamings } from '../encode/renamings.ts';
import { RowIds } from '../encode/row-ids.ts';
import { describeValue, RowValidationError } from '../encode/row-validation-error.ts';
import { TimeField } from '../encode/time-field.ts';
import { isDecimal, microsOfEventNumber } from '../encode/time-of-number.ts';
import { microsOfText } from '../encode/time-of-text.ts';
import type { EventIds } from './event-ids.ts';

/** When an event happened. */
interface EventTime {
  /** Microseconds since 1970. */
  readonly micros: bigint;
  /** As a value of a row. */
  readonly text: string;
}

/**
 * The time that an event states: a text as of RFC 3339 or in one of the forms of GoogleSQL, or a number (or its digits as a
 * text) whose digits tell its unit: 9 or 10 before the point are seconds since 1970, 12 or 13 milliseconds, 15 or 16
 * microseconds, 18 or 19 nanoseconds. Those are the times from 1973 to 2286. Parts of a microsecond are dropped.
 *
 * @throws RowValidationError for other values
 * @throws DigitsNeeded if only a number's digits are precise enough
 */
export function eventTime(value: unknown): EventTime {
  const micros = microsOf(value);
  if (micros === undefined || micros < minTimestampMicros || micros > maxTimestampMicros) {
    throw new RowValidationError(`expected TIMESTAMP, got ${describeValue(value)}`);
  }
  return typeof value === 'string' && plain.test(value) ? { micros, text: value } : timeOfMicros(micros);
}

function timeOfMicros(micros: bigint): EventTime {
  return { micros, text: datetimeTextOfMicros(micros) };
}

/** The usual form, on one of the first 28 days of a month after 1970, needs no other check. */
const plain =
  /^((?:19[7-9]|20\d|21\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,6}))?Z$/;

function microsOf(value: unknown): bigint | undefined {
  if (typeof value === 'string') return microsOfEventText(value);
  if (value instanceof JsonNumber) return microsOfEventNumber(value.text);
  if (typeof value !== 'number') return undefined;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new DigitsNeeded();
  return microsOfEventNumber(String(value));
}

function microsOfEventText(text: string): bigint | undefined {
  const usual = plain.exec(text);
  if (usual !== null) {
    const [, seconds = '', fraction = ''] = usual;
    return BigInt(Date.parse(`${seconds}Z`) * 1000 + Number(fraction.padEnd(6, '0')));
  }
  if (isDecimal(text)) return microsOfEventNumber(text);
  return microsOfText(text);
}

/** What is known of an event that became a row. */
export interface NormalisedEvent {
  readonly time: EventTime;
  /** Whether the time is that of arrival. */
  readonly isTimeMade: boolean;
  readonly id: string;
  readonly formerId?: string;
}

/** What is known of an event besides its members. */
interface EventContext {
  readonly receivedAt: bigint;
  readonly times: AcceptedTimes;
  readonly ids: EventIds;
  /** The event's number in its body. */
  readonly number: number;
}

/**
 * Makes events of a source into rows: renames fields, and fills in their time, their id and `event_message`. Values aren't
 * checked otherwise.
 */
export class EventNormaliser {
  readonly #source: string;
  readonly #renamings: Renamings;
  readonly #timeField: TimeField;
  readonly #message: MessageField;
  readonly #time: SourceColumn | undefined;
  readonly #ids: RowIds;
  readonly #otherTime: string | undefined;
  readonly #keepsOutOfRange: boolean;

  constructor(source: Source) {
    this.#source = source.name;
    this.#time = timeColumn(source);
    this.#ids = new RowIds(source);
    this.#otherTime = otherTime(source, this.#time);
    this.#keepsOutOfRange = source.timesOutOfRange === 'arrival';
    this.#timeField = new TimeField(source);
    this.#message = new MessageField(source);
    this.#renamings = new Renamings(source);
  }

  /**
   * Turns an event itself into a row: copies of large objects take long. A member that is undefined is no member.
   *
   * @throws RowValidationError for an event without a usable time or id, and for fields that can't be renamed
   * @throws DigitsNeeded if only the digits of its numbers are precise enough
   */
  normalise(row: MutableObject, context: EventContext): NormalisedEvent {
    this.#renamings.apply(row);
    const time = this.#takeTime(row, context.times);
    const isTimeMade = time === undefined;
    const found = time ?? timeOfMicros(context.receivedAt);
    const stored = this.#time === undefined ? found : timeIn(this.#time, found);
    if (this.#time !== undefined) row[keyOf(row, this.#time.name) ?? this.#time.name] = stored.text;
    if (this.#otherTime !== undefined) row[keyOf(row, this.#otherTime) ?? this.#otherTime] ??= found.text;
    this.#message.take(row);
    return { time: stored, isTimeMade, ...this.#takeId(row, isTimeMade, context) };
  }

  #takeId(
    row: MutableObject,
    isTimeMade: boolean,
    context: EventContext,
  ): Pick<NormalisedEvent, 'id' | 'formerId'> {
    const { name, canBeMade } = this.#ids;
    if (name === undefined) return this.#madeId(isTimeMade, context);
    if (!canBeMade) {
      this.#ids.normalise(row);
      this.#ids.fill(row, undefined);
      return { id: this.#ids.of(row) };
    }
    const key = this.#ids.keyIn(row) ?? name;
    const given = givenId(row[key], name);
    const made = given === undefined ? this.#madeId(isTimeMade, context) : { id: given };
    row[key] = made.id;
    return made;
  }

  /**
   * Undefined for an event without a time, and for one whose time isn't accepted if the source keeps it with the time of
   * arrival.
   */
  #takeTime(row: MutableObject, times: AcceptedTimes): EventTime | undefined {
    const found = this.#timeField.take(row);
    if (found === undefined) return undefined;
    const time = timeAt(found.path, found.value);
    if (isAccepted(time.micros, times)) return time;
    if (this.#keepsOutOfRange) return undefined;
    throw outOfRange(found.value, times).within(found.path);
  }

  #madeId(isTimeMade: boolean, { ids, number, receivedAt }: EventContext) {
    return isTimeMade
      ? ids.idsByArrival(this.#source, number, receivedAt)
      : { id: ids.id(this.#source, number) };
  }
}

/** A further column `timestamp` that every row needs. */
function otherTime({ columns }: Source, time: SourceColumn | undefined): string | undefined {
  return columns.find(
    (column) =>
      column !== time &&
      column.name.toLowerCase() === 'timestamp' &&
      column.type.kind === 'TIMESTAMP' &&
      column.mode === 'REQUIRED',
  )?.name;
}

/** A time as a column has it: without the time of day in a DATE. */
function timeIn({ type }: SourceColumn, time: EventTime): EventTime {
  if (type.kind === 'TIMESTAMP') return time;
  const text = datetimeTextOfMicros(time.micros);
  if (type.kind !== 'DATE') return { micros: time.micros, text };
  const sinceMidnight = ((time.micros % microsPerDay) + microsPerDay) % microsPerDay;
  return { micros: time.micros - sinceMidnight, text: text.slice(0, text.indexOf('T')) };
}

function timeAt(path: string, value: unknown): EventTime {
  try {
    return eventTime(value);
  } catch (error) {
    throw error instanceof RowValidationError ? error.within(path) : error;
  }
}

/** A text or a number, as text. Undefined if there is none. */
function givenId(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const id = typeof value === 'string' ? value : numericId(value);
  if (id !== undefined) return id;
  throw new RowValidationError(`expected a text or a number, got ${describeValue(value)}`).within(name);
}
