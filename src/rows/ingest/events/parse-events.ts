import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../../../base/errors/errors.ts';
import { mebibytes } from '../../../base/forms/bytes.ts';
import { shapeOfJson } from '../../../base/text/json-tokens.ts';
import { countNewFields, withNewFields } from '../../../definitions/sources/added-fields.ts';
import { plainName } from '../../../definitions/sources/sent-name.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { findWritable, WriteRefusal, writableSource } from '../../../definitions/sources/writable-sources.ts';
import { acceptedTimes } from '../encode/accepted-times.ts';
import type { JsonObject, MutableObject } from '../encode/field-path.ts';
import { describeValue, RowValidationError } from '../encode/row-validation-error.ts';
import { notJson, readBody, sourceMember } from './body-events.ts';
import { EventIds } from './event-ids.ts';
import { defaultEventLimits, type EventLimits, type EventRequest } from './event-request.ts';
import { readJsonLogs } from './otlp/json-logs.ts';
import type { ResourceLogs } from './otlp/log-record.ts';
import { OtlpError } from './otlp/otlp-value.ts';
import { readProtobufLogs } from './otlp/protobuf-logs.ts';
import { recordEvent } from './otlp/record-event.ts';
import { repeatedSize } from './otlp/repeated-size.ts';
import type { ParsedEvents } from './parsed-events.ts';
import { plainBody } from './plain-body.ts';
import { RejectionCollector } from './rejection-collector.ts';
import { type EventOrigin, type Refusal, refusalOf, SourceEvents } from './source-events.ts';

const noSource =
  'The request names no source: use the attribute source of the resource, the parameter source, or the header X-Source.';

const noSourceOfBody =
  'Parameter "source": name the source of the events, here, in the header X-Source, or as "source" in a body of one object.';

/** As `EventParser.parse`, for one body. */
export function parseEvents(
  body: Uint8Array,
  request: EventRequest,
  sources: readonly Source[],
  limits: EventLimits = defaultEventLimits,
): ParsedEvents {
  return new EventParser(sources, limits).parse(body, request);
}

/** The attributes of an OTLP resource that name the source of its log records. */
const sourceAttributes = ['logflare.source', 'source'];

/** JSON in OTLP: levels of the request around a value. */
const maxOtlpDepth = 500;
/** Values in JSON or messages in protobuf: a value of two bytes takes hundreds of them when it is read. */
const maxOtlpValues = 1_000_000;

/** Contradictions between new fields of a body that show only when they are tried. */
const maxTries = 5;

type OtlpFormat = Exclude<EventRequest['format'], 'json'>;

interface Collected {
  readonly rejections: RejectionCollector;
  readonly refused: ReadonlyMap<number, Refusal>;
}

/** Parses bodies of events for these sources, one after the other. */
export class EventParser {
  readonly #sources: readonly Source[];
  readonly #limits: EventLimits;
  readonly #events = new Map<Source, SourceEvents>();

  constructor(sources: readonly Source[], limits: EventLimits = defaultEventLimits) {
    this.#sources = sources;
    this.#limits = limits;
  }

  /**
   * The events of a body as rows in the store's form. The new fields are those of events that their sources accept with
   * these fields: they are tried.
   *
   * @throws GatewayError `NOT_FOUND` for an unknown source, `FORBIDDEN` for one that the sender may not write to, `BAD_USER_INPUT` for a body that is not of its format or has no
   *   source, and for too many rejected events, `PAYLOAD_TOO_LARGE` beyond a limit, `UNSUPPORTED_MEDIA_TYPE` for an unknown
   *   encoding
   */
  parse(body: Uint8Array, request: EventRequest): ParsedEvents {
    const bytes = plainBody(body, request.contentEncoding ?? 'identity', this.#limits.maxBodyBytes);
    const refused = new Map<number, Refusal>();
    for (let tries = 0; tries < maxTries; tries++) {
      const { parsed, refusals } = this.#read(bytes, request, refused);
      if (parsed.newFields.length === 0) return parsed;
      const grown = new EventParser(withNewFields(this.#sources, parsed.newFields), this.#limits);
      const addedFields = (request.addedFields ?? 0) + countNewFields(parsed.newFields);
      const trial = grown.#read(bytes, { ...request, addedFields }, refused);
      const more = [...trial.refusals].filter(([index]) => !refusals.has(index));
      if (more.length === 0) return parsed;
      // An event that is rejected adds no field.
      if (!request.partial) return trial.parsed;
      for (const [index, refusal] of more) refused.set(index, refusal);
    }
    throw new GatewayError('BAD_USER_INPUT', 'New fields of the events contradict each other.');
  }

  /** @param refused events that are rejected in any case, by their indexes */
  #read(body: Uint8Array, request: EventRequest, refused: ReadonlyMap<number, Refusal>) {
    try {
      const rejections = new RejectionCollector(this.#limits.maxRejected);
      const collected = { rejections, refused };
      if (request.format === 'json') this.#addJson(body, request, collected);
      else this.#addOtlp(body, request.format, request, collected);
      return { parsed: this.#take(rejections, request), refusals: rejections.refusals };
    } finally {
      this.#clear();
    }
  }

  #addJson(bytes: Uint8Array, request: EventRequest, { rejections, refused }: Collected): void {
    const named = request.source === undefined ? sourceMember(bytes) : undefined;
    const name = request.source ?? named?.source;
    if (name === undefined) throw new GatewayError('BAD_USER_INPUT', noSourceOfBody);
    const source = writableSource(this.#sources, name, request.writable);
    const events = this.#eventsOf(source);
    const origin = { ...this.#originOf(bytes, request), sourceMember: named?.member };
    let count = 0;
    readBody(bytes, (event) => {
      this.#checkCount(++count);
      const { unit, number } = event;
      const refusal = refused.get(number) ?? events.addJson(event, origin);
      if (refusal === undefined) return;
      if (unit === 'event' && refusal.cause === 'json')
        throw notJson(`event ${number}: ${refusal.reason.replace(/^not JSON: /, '')}`);
      rejections.add({ source: source.name, unit, index: number, ...refusal, text: event.text() });
    });
  }

  #addOtlp(
    body: Uint8Array,
    format: OtlpFormat,
    request: EventRequest,
    { rejections, refused }: Collected,
  ): void {
    const logs = logsOf(body, format);
    const origin = this.#originOf(body, request);
    const { maxBodyBytes } = this.#limits;
    if (repeatedSize(logs) > maxBodyBytes) {
      const limit = mebibytes(maxBodyBytes);
      const message = `The attributes of resources and scopes, which each of their records gets, have more than ${limit} together. Send fewer records at once.`;
      throw new GatewayError('PAYLOAD_TOO_LARGE', message);
    }
    let index = 0;
    for (const { resource, scopes } of logs) {
      const named = namedSource(resource);
      const name = named ?? request.source;
      if (name === undefined) throw new GatewayError('BAD_USER_INPUT', noSource);
      const source = findWritable(this.#sources, name, request.writable ?? 'all');
      const isRefused = source instanceof WriteRefusal;
      if (isRefused && source.cause === 'source' && named === undefined) throw source.error;
      const events = isRefused ? undefined : this.#eventsOf(source);
      for (const { scope, records } of scopes) {
        for (const record of records) {
          this.#checkCount(++index);
          let made: MutableObject | undefined;
          const known = refused.get(index);
          const own: Refusal | undefined = refusalOf(() => {
            made = recordEvent(record, resource, scope);
            if (known !== undefined) return;
            if (isRefused) throw new RowValidationError(source.reason(describeValue(name)), source.cause);
            events?.addValue(made, index, origin);
          });
          const refusal = known ?? own;
          if (refusal === undefined) continue;
          const text = made === undefined ? '' : JSON.stringify(made);
          rejections.add({ source: isRefused ? '' : source.name, unit: 'record', index, ...refusal, text });
        }
      }
    }
  }

  #originOf(body: Uint8Array, request: EventRequest): EventOrigin {
    const { receivedAt, rows, shape = 'row', addedFields } = request;
    const times = acceptedTimes(this.#limits.times, receivedAt);
    const ids = new EventIds(body, request);
    return { receivedAt, times, shape, ids, isWhole: rows === 'whole', addedFields };
  }

  #eventsOf(source: Source): SourceEvents {
    const events = this.#events.get(source) ?? new SourceEvents(source, this.#limits);
    this.#events.set(source, events);
    return events;
  }

  #checkCount(count: number): void {
    const { maxEvents } = this.#limits;
    if (count <= maxEvents) return;
    const limit = maxEvents.toLocaleString('en');
    throw new GatewayError(
      'PAYLOAD_TOO_LARGE',
      `The body has more than ${limit} events. Send them in parts.`,
    );
  }

  #take(rejections: RejectionCollector, { partial }: EventRequest): ParsedEvents {
    const all = [...this.#events.values()];
    const nothing = rejections.count > 0 && !partial;
    const newFields = nothing ? [] : all.flatMap((events) => events.takeFields() ?? []);
    const sources = nothing || newFields.length > 0 ? [] : all.flatMap((events) => events.takeRows() ?? []);
    const conflicts = all.flatMap((events) => events.takeConflicts() ?? []);
    return { sources, newFields, conflicts, ...rejections.take() };
  }

  /** A body that was given up leaves nothing to the next one. */
  #clear(): void {
    for (const events of this.#events.values()) {
      events.takeFields();
      events.takeRows();
      events.takeConflicts();
    }
  }
}

function logsOf(bytes: Uint8Array, format: OtlpFormat): ResourceLogs[] {
  try {
    if (format === 'otlp-protobuf') return readProtobufLogs(bytes, maxOtlpValues);
    if (!isUtf8(bytes)) throw new OtlpError('not UTF-8');
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const { depth, values } = shapeOfJson(text);
    if (depth > maxOtlpDepth || values > maxOtlpValues) throw new OtlpError('too many values or levels');
    return readJsonLogs(text);
  } catch (error) {
    if (!(error instanceof OtlpError)) throw error;
    throw new GatewayError('BAD_USER_INPUT', `The body is no request of OTLP: ${error.message}.`);
  }
}

/** Attributes have the names that columns can have: see `columnNames`. */
function namedSource(resource: JsonObject): string | undefined {
  for (const attribute of sourceAttributes) {
    const value = resource[plainName(attribute)];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
