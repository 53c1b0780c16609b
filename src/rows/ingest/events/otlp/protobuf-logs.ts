import protobuf from 'protobufjs/light.js';
import { JsonNumber } from '../../../../base/text/json-number.ts';
import { columnNames, type NamesOf, ownNames } from './column-names.ts';
import type { LogRecord, ResourceLogs } from './log-record.ts';
import { doubleNumber, maxValueDepth, OtlpError } from './otlp-value.ts';

/**
 * The messages of OTLP that carry logs, with the fields that are read. The numbers are those of opentelemetry-proto 1.x:
 * https://github.com/open-telemetry/opentelemetry-proto
 */
const messages = {
  ExportLogsServiceRequest: { resourceLogs: field('ResourceLogs', 1, 'repeated') },
  ResourceLogs: { resource: field('Resource', 1), scopeLogs: field('ScopeLogs', 2, 'repeated') },
  Resource: { attributes: field('KeyValue', 1, 'repeated') },
  ScopeLogs: { scope: field('InstrumentationScope', 1), logRecords: field('LogRecord', 2, 'repeated') },
  InstrumentationScope: {
    name: field('string', 1),
    version: field('string', 2),
    attributes: field('KeyValue', 3, 'repeated'),
  },
  LogRecord: {
    timeUnixNano: field('fixed64', 1),
    severityNumber: field('int32', 2),
    severityText: field('string', 3),
    body: field('AnyValue', 5),
    attributes: field('KeyValue', 6, 'repeated'),
    flags: field('fixed32', 8),
    traceId: field('bytes', 9),
    spanId: field('bytes', 10),
    observedTimeUnixNano: field('fixed64', 11),
    eventName: field('string', 12),
  },
  KeyValue: { key: field('string', 1), value: field('AnyValue', 2) },
  ArrayValue: { values: field('AnyValue', 1, 'repeated') },
  KeyValueList: { values: field('KeyValue', 1, 'repeated') },
  AnyValue: {
    stringValue: field('string', 1),
    boolValue: field('bool', 2),
    intValue: field('int64', 3),
    doubleValue: field('double', 4),
    arrayValue: field('ArrayValue', 5),
    kvlistValue: field('KeyValueList', 6),
    bytesValue: field('bytes', 7),
  },
} as const;

function field(type: string, id: number, rule?: 'repeated') {
  return rule === undefined ? { type, id } : { type, id, rule };
}

const anyValueFields = Object.keys(messages.AnyValue);

let request: protobuf.Type | undefined;
/** How many more messages the present request may have. */
let messagesLeft = 0;

function requestType(): protobuf.Type {
  request ??= makeRequestType();
  return request;
}

function makeRequestType(): protobuf.Type {
  const root = protobuf.Root.fromJSON({
    nested: Object.fromEntries(
      Object.entries(messages).map(([name, fields]) => [
        name,
        name === 'AnyValue' ? { fields, oneofs: { value: { oneof: anyValueFields } } } : { fields },
      ]),
    ),
  });
  for (const name of Object.keys(messages)) countMessages(root.lookupType(name));
  return root.lookupType('ExportLogsServiceRequest');
}

/** A message of two bytes becomes an object of a hundred. */
function countMessages(type: protobuf.Type): void {
  const { decode } = type.setup();
  type.decode = (...input) => {
    messagesLeft -= 1;
    if (messagesLeft < 0) throw new OtlpError('too many values');
    if (type.name === 'LogRecord') refuseOtherSignals(input[0]);
    return decode.apply(type, input);
  };
}

/** The first byte of a field 1 that is a text, bytes or a message. */
const otherFirstField = 0x0a;

/**
 * Requests of traces, metrics and profiles differ from those of logs in the fields of their records only: these begin with an
 * id, a name or a message, where a log record has its time, of 64 bits.
 */
function refuseOtherSignals(bytes: protobuf.Reader | Uint8Array): void {
  const isOther =
    bytes instanceof protobuf.Reader && bytes.pos < bytes.len && bytes.buf[bytes.pos] === otherFirstField;
  if (isOther)
    throw new OtlpError(
      'its records are no log records, which this path takes: they look like spans, metrics or profiles',
    );
}

/**
 * Reads an `ExportLogsServiceRequest`. Fields that aren't known are skipped.
 *
 * @param maxMessages the limit for the messages in it, such as records, attributes and their values
 * @throws OtlpError for bytes that are no such message
 */
export function readProtobufLogs(bytes: Uint8Array, maxMessages: number): ResourceLogs[] {
  let message: unknown;
  messagesLeft = maxMessages;
  try {
    message = requestType().decode(bytes);
  } catch (error) {
    if (error instanceof OtlpError) throw error;
    // protobufjs throws Errors of no class of their own.
    throw new OtlpError(`not an ExportLogsServiceRequest in protobuf: ${String(Object(error).message)}`);
  }
  return (message as RequestMessage).resourceLogs.map(({ resource, scopeLogs }) => ({
    resource: attributesOf(resource?.attributes ?? []),
    scopes: scopeLogs.map(({ scope, logRecords }) => ({
      scope: {
        name: scope?.name ?? '',
        version: scope?.version ?? '',
        attributes: attributesOf(scope?.attributes ?? []),
      },
      records: logRecords.map(recordOf),
    })),
  }));
}

/** The messages as protobufjs decodes them: absent fields have their defaults, absent messages are null. */
interface RequestMessage {
  readonly resourceLogs: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] } | null;
    readonly scopeLogs: readonly {
      readonly scope: {
        readonly name: string;
        readonly version: string;
        readonly attributes: readonly KeyValue[];
      } | null;
      readonly logRecords: readonly RecordMessage[];
    }[];
  }[];
}

interface RecordMessage {
  readonly timeUnixNano: Long;
  readonly observedTimeUnixNano: Long;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: AnyValue | null;
  readonly attributes: readonly KeyValue[];
  readonly flags: number;
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly eventName: string;
}

/** A number of 64 bits: `long`'s class, or a number where that is not installed. */
interface Long {
  readonly toString: () => string;
}

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue | null;
}

interface AnyValue {
  /** Which field is set. */
  readonly value?: string;
  readonly stringValue: string;
  readonly boolValue: boolean;
  readonly intValue: Long;
  readonly doubleValue: number;
  readonly arrayValue: { readonly values: readonly AnyValue[] };
  readonly kvlistValue: { readonly values: readonly KeyValue[] };
  readonly bytesValue: Uint8Array;
}

function recordOf(message: RecordMessage): LogRecord {
  const { severityNumber, severityText, flags, eventName } = message;
  return {
    ...{ severityNumber, severityText, flags, eventName },
    timeUnixNano: BigInt(message.timeUnixNano.toString()),
    observedTimeUnixNano: BigInt(message.observedTimeUnixNano.toString()),
    body: message.body === null ? null : plainValue(message.body, 0, ownNames),
    attributes: attributesOf(message.attributes),
    traceId: hexOf(message.traceId),
    spanId: hexOf(message.spanId),
  };
}

/** An id of zeros is none. */
function hexOf(bytes: Uint8Array): string {
  return bytes.every((byte) => byte === 0) ? '' : Buffer.from(bytes).toString('hex');
}

function attributesOf(
  pairs: readonly KeyValue[],
  depth = 0,
  namesOf: NamesOf = columnNames,
): ReturnType<NamesOf> {
  return namesOf(
    pairs.map(({ key, value }) => [key, value === null ? null : plainValue(value, depth, namesOf)]),
  );
}

function plainValue(value: AnyValue, depth: number, namesOf: NamesOf): unknown {
  if (depth > maxValueDepth) throw new OtlpError('a value is nested too deeply');
  switch (value.value) {
    case 'stringValue':
      return value.stringValue;
    case 'boolValue':
      return value.boolValue;
    case 'intValue':
      return new JsonNumber(value.intValue.toString());
    case 'doubleValue':
      return doubleNumber(value.doubleValue);
    case 'arrayValue':
      return value.arrayValue.values.map((element) => plainValue(element, depth + 1, namesOf));
    case 'kvlistValue':
      return attributesOf(value.kvlistValue.values, depth + 1, namesOf);
    case 'bytesValue':
      return Buffer.from(value.bytesValue).toString('base64');
    default:
      return null;
  }
}
